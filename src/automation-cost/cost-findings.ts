import {
  error,
  type Findings,
  info,
  type RejectionMessages,
  type WarningMessages,
  warning,
} from "../findings.ts";
import { formatCount, formatNumber, formatSome, formatSomeClauses } from "../text.ts";
import type { Cell } from "./cells.ts";

const MAX_QUOTED_LENGTH = 100;

const quoteAndTruncate = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);

/** Names a Zap of an export, or a row of a table. Rows count from 1 and include blank rows. */
export function describeRow(name: string, row?: number): string {
  if (row === undefined) return quoteAndTruncate(name);
  return name === "" ? `row ${row}` : `row ${row} (${quoteAndTruncate(name)})`;
}

interface SkippedRowDetails {
  readonly place: string;
  readonly cells: Readonly<Record<string, Pick<Cell, "text" | "problem">>>;
  /** Set if the row has more cells than the heading row. */
  readonly extra: { readonly count: number; readonly width: number } | undefined;
}

function describeSkippedRow({ place, cells, extra }: SkippedRowDetails): string {
  if (extra)
    return `${place} is skipped: it has ${formatCount(extra.count, "cell")}, expected ${extra.width}; put quotes around a cell that contains the separator`;
  const reasons = Object.entries(cells)
    .filter(([, { problem }]) => problem !== undefined)
    .map(([column, { text, problem }]) => {
      const given = text === "" ? "" : `, not ${quoteAndTruncate(text)}`;
      return `its ${column} ${problem}${given}`;
    });
  return `${place} is skipped: ${reasons.join(", and ")}`;
}

const formatRate = ({ text, value, unit }: Cell): string => {
  const rate = /[a-z]/i.test(text) ? text : `${text}/${unit?.name}`;
  return `${rate} is read as ${formatNumber(value)} a month`;
};

const costWarnings = {
  "paths-longest-branch": warning(
    ({ longest, all }: { longest: number; all: number }) =>
      `has Paths: its longest branch has ${formatCount(longest, "action step")}, all branches together have ${all}`,
  ),
  "read-as/rate": info(({ rates }: { rates: readonly Cell[] }) =>
    formatSomeClauses(rates.map(formatRate)),
  ),
  "read-as/tasks": info(
    ({ heading }: { heading: string }) =>
      `${quoteAndTruncate(heading)} is read as the tasks of a month, and each Zap as one action step`,
  ),
  "read-as/trigger": info(
    ({ heading }: { heading: string }) =>
      `1 is subtracted from each ${quoteAndTruncate(heading)}, because a trigger is not a task`,
  ),
  "read-as": info(
    ({ headings }: { headings: readonly string[] }) =>
      `${formatSome(headings.map(quoteAndTruncate))} ${headings.length === 1 ? "is" : "are"} ignored`,
  ),
  "row-skipped": warning(describeSkippedRow),
  "step-uses-more-tasks": warning(
    ({ apps }: { apps: readonly string[] }) =>
      `may use more or fewer tasks than counted here, because of ${apps.join(", ")}`,
  ),
  "duplicate-zap-name": warning(
    ({ row }: { row: number }) => `has the same name as row ${row}; the runs of both rows count`,
  ),
  "zap-skipped": warning("{place} is skipped: its status is neither on nor off"),
  "zap-skipped/order": warning("{place} is skipped: its steps do not all follow one trigger"),
  "zap-not-billed": info("{place} is skipped: it is switched off"),
  "zap-not-billed/no-task": info("{place} is skipped: none of its steps counts as a task"),
  "zap-not-billed/total": info("{place} is skipped: it is the total of other rows"),
} satisfies WarningMessages<"automation_cost_calculator">;

const costRejections = {
  "zip-archive": error("is a ZIP archive; unpack it and use the zapfile.json in it"),
  "file-too-large": error("is larger than {most} MiB"),
  "too-many-zaps": error("has {count} Zaps; the calculator accepts at most {most}"),
  "runs-in-table": error("is a table that already contains the runs; do not pass any for it"),
  "zap-unknown": error(
    ({ title }: { title: string }) => `has no Zap named ${quoteAndTruncate(title)}`,
  ),
  "not-json": error("is not valid JSON"),
  "open-quote": error(
    "has a cell in row {row} that begins with a quote but does not end with one; double each quote inside a cell",
  ),
  "not-zapfile": error(
    "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export, in which each Zap has a title, a status and nodes",
  ),
  "no-columns": error(
    ({ headings }: { headings: readonly string[] }) =>
      `needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once; it has ${formatSome(headings.map(quoteAndTruncate)) || "none"}`,
  ),
} satisfies RejectionMessages;

export const costFindings = { ...costWarnings, ...costRejections };

export type CostFindings = Findings<typeof costFindings>;
