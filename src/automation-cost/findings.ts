import {
  error,
  type Findings,
  info,
  type RejectionWords,
  type WarningWords,
  warning,
} from "../findings.ts";
import { listSome, listSomeClauses, plural, thousands } from "../text.ts";

const MAX_QUOTED = 100;

const inQuotes = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** A Zap of an export, or a row of a table, counted from 1 with blank rows. */
interface Place {
  readonly name: string;
  readonly row?: number;
}

function placeOf({ name, row }: Place): string {
  if (row === undefined) return inQuotes(name);
  return name === "" ? `row ${row}` : `row ${row} (${inQuotes(name)})`;
}

const leftOut = (zap: Place, reason: string): string => `${placeOf(zap)} is skipped: ${reason}`;

const billed = <Args>(reason: (args: Args) => string) =>
  warning((args: Args & Place) => leftOut(args, reason(args)));

const notBilled = (reason: string) => info((zap: Place) => leftOut(zap, reason));

/** The cells of a row by their columns; one that cannot be read has a problem. */
type Cells = Readonly<
  Record<string, { readonly text: string; readonly problem?: string | undefined }>
>;

const unreadWords = (cells: Cells): string =>
  Object.entries(cells)
    .filter(([, { problem }]) => problem !== undefined)
    .map(([column, { text, problem }]) => {
      const given = text === "" ? "" : `, not ${inQuotes(text)}`;
      return `its ${column} ${problem}${given}`;
    })
    .join(", and ");

const warnings = {
  "loop-counts-once": warning(
    "has a loop: its steps are billed once for each item, but counted once here",
  ),
  "paths-dearest-branch": warning(
    ({ longest, all }: { longest: number; all: number }) =>
      `has Paths: its longest branch has ${plural(longest, "action step")}, all branches together have ${all}`,
  ),
  "read-as/rate": info(({ rates }: { rates: readonly { rate: string; runs: number }[] }) =>
    listSomeClauses(rates.map(({ rate, runs }) => `${rate} is read as ${thousands(runs)} a month`)),
  ),
  "read-as/tasks": info(
    ({ heading }: { heading: string }) =>
      `${inQuotes(heading)} is read as the tasks of a month, and each Zap as one action step`,
  ),
  "read-as": info(
    ({ headings }: { headings: readonly string[] }) =>
      `${listSome(headings.map(inQuotes))} ${headings.length === 1 ? "is" : "are"} ignored`,
  ),
  "row-unread": billed(({ cells }: { cells: Cells }) => unreadWords(cells)),
  "row-unread/cells": billed(
    ({ count, width }: { count: number; width: number }) =>
      `it has ${plural(count, "cell")} instead of ${width}; a cell with the separator in it needs quotes`,
  ),
  "step-uses-more-tasks": warning(
    ({ apps }: { apps: readonly string[] }) =>
      `may use more or fewer tasks than counted here for ${apps.join(", ")}`,
  ),
  "title-repeated": warning(
    ({ row }: { row: number }) =>
      `has the same name as row ${row}: the runs of both rows are counted`,
  ),
  "zap-left-out": billed<object>(() => "it has a status that is neither on nor off"),
  "zap-left-out/order": billed<object>(() => "it has steps that do not all follow one trigger"),
  "zap-not-billed": notBilled("it is switched off"),
  "zap-not-billed/no-task": notBilled("it has no step that is a task"),
  "zap-not-billed/total": notBilled("it is the total of other rows"),
} satisfies WarningWords<"automation_cost_calculator">;

const rejections = {
  "zip-archive": error("is a ZIP archive; unpack it, and give the zapfile.json in it"),
  "file-too-large": error("is larger than {most} MiB"),
  "too-many-zaps": error(
    ({ count, most }: { count: number; most: number }) =>
      `has ${plural(count, "Zap")}; the calculator accepts at most ${thousands(most)}`,
  ),
  "no-rows": error(({ reasons }: { reasons: readonly string[] }) =>
    ["has no Zaps that can be read", listSomeClauses(reasons)].filter(Boolean).join(": "),
  ),
  "runs-in-table": error("is a table that already has the runs of its Zaps: give no others"),
  "zap-unknown": error(({ title }: { title: string }) => `has no Zap named ${inQuotes(title)}`),
  "not-json": error("is not valid JSON"),
  "open-quote": error(
    ({ row }: { row: number }) =>
      `has a cell in row ${row} that begins with a quote and does not end with one; write a quote within a cell twice`,
  ),
  "not-zapfile": error(
    "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export, in which each Zap has a title, a status and nodes",
  ),
  "no-columns": error(
    ({ headings }: { headings: readonly string[] }) =>
      `needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once; it has ${listSome(headings.map(inQuotes)) || "none"}`,
  ),
} satisfies RejectionWords;

export const costFindings = { ...warnings, ...rejections };

export type CostFindings = Findings<typeof costFindings>;
