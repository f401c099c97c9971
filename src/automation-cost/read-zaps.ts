import * as v from "valibot";
import type { WarningCode } from "../../schemas/codes.ts";
import { closedObject, recordOf } from "../../schemas/common.ts";
import type { Warning } from "../../schemas/index.ts";
import {
  actionStepsSchema,
  MAX_LOCAL_ZAPS,
  runsPerMonthSchema,
} from "../../schemas/inputs/automation-cost.ts";
import { groupBy } from "../group-by.ts";
import { Diagnostics, InvalidInputError, type Issue, issueAt } from "../issues.ts";
import {
  hasMoreBytes,
  isZip,
  listSome,
  listSomeClauses,
  plural,
  posixQuote,
  thousands,
} from "../text.ts";
import { findProblem, validate } from "../validate.ts";
import { parseZapTable, type ReadZap } from "./zap-table.ts";
import { countSteps, parseZapfile, type Steps } from "./zapfile.ts";

/** The Zaps of a file. */
export interface ReadZaps {
  /** For the input of `automationCost()`. */
  readonly zaps: ReadZap[];
  /** The Zaps of a zapfile whose runs a month are not given. */
  readonly without_runs: Omit<ReadZap, "runs_per_month">[];
  readonly left_out: LeftOutZap[];
  /** Findings about the Zaps; a path such as `zaps[0]` or `without_runs[0]` refers to these lists. */
  readonly warnings: readonly Warning[];
}

export type { ReadZap };

/** A Zap, or a row of a table, that is not in the input. */
export interface LeftOutZap {
  readonly name: string;
  /** The row of a table, counted from 1 with blank rows. */
  readonly row?: number;
  readonly reason: string;
  /** `warning` where Zapier may bill it, so that a price without it is too low. */
  readonly severity: Warning["severity"];
}

/** The runs a month, which Zapier's export does not have. */
export interface ReadZapsOptions {
  /** The runs of each Zap, by its title. */
  readonly runs?: Readonly<Record<string, number>> | undefined;
  /** The runs of each Zap that `runs` does not name. */
  readonly runsDefault?: number | undefined;
}

/**
 * Reads Zaps from the `zapfile.json` of Zapier's export, or from a table: comma-, semicolon- or
 * tab-separated, with or without a heading. Of a zapfile it reads titles, states and the kinds of
 * steps, and never their parameters, which hold secrets. It leaves out what the text does not say
 * for sure, such as a row with a cell too many.
 *
 * @throws {InvalidInputError} for any other text, and for options that break their schema.
 *
 * @example
 * const { zaps } = readZaps("Zap,Steps,Runs\nLeads,2,1000");
 * // [{ name: "Leads", action_steps: 2, runs_per_month: 1000 }]
 */
export function readZaps(text: string, options: ReadZapsOptions = {}): ReadZaps {
  validate(v.string(), text);
  const given = validate(OptionsSchema, options, ["options"]);
  if (isZip(text)) {
    reject("is a ZIP archive; unpack it, and give the zapfile.json in it");
  }
  if (hasMoreBytes(text, MAX_BYTES)) reject("has more than 8 MiB");
  const body = text.replace(/^\uFEFF/, "");
  const found = /^\s*[{[]/.test(body) ? fromZapfile(body, given) : fromTable(body, given);
  const count = found.zaps.length + found.without_runs.length;
  if (count > MAX_LOCAL_ZAPS) {
    const most = thousands(MAX_LOCAL_ZAPS);
    reject(`has ${plural(count, "Zap")}; the calculator takes at most ${most}`);
  }
  return found;
}

const OptionsSchema = closedObject({
  runs: v.optional(recordOf(runsPerMonthSchema)),
  runsDefault: v.optional(runsPerMonthSchema),
});

/**
 * The Zaps of a file as an input.
 *
 * @throws {InvalidInputError} for a text without Zaps, and where the runs of a Zap are not known.
 */
export function readZapsAsInput(text: string, options?: ReadZapsOptions) {
  const { zaps, without_runs, left_out, warnings } = readZaps(text, options);
  const [first] = without_runs;
  if (first) {
    const names = listSome(without_runs.map(({ name = "" }) => inQuotes(name)));
    const flag = posixQuote(`${first.name}=100`);
    reject(
      `does not say how often ${names} run in a month; give --runs ${flag} for each, or --runs-default 100`,
    );
  }
  const diagnostics = Diagnostics.start<WarningCode<"automation_cost_calculator">>();
  for (const zap of left_out) {
    const message = `${nameLeftOut(zap)} is left out: it ${zap.reason}`;
    if (zap.severity === "info") diagnostics.info("zap-left-out", message);
    else diagnostics.warn("zap-left-out", message);
  }
  const inputs = zaps.length > 0 ? [{ zaps }] : [];
  return { inputs, warnings: [...warnings, ...diagnostics.warnings] };
}

const MAX_BYTES = 8 * 1_024 * 1_024;

/** The name of a Zap that is left out, or the row without a name. */
const nameLeftOut = ({ name, row }: LeftOutZap): string => {
  if (row === undefined) return inQuotes(name);
  return name === "" ? `row ${row}` : `row ${row} (${inQuotes(name)})`;
};

function reject(...messages: readonly string[]): never {
  throw new InvalidInputError(messages.map((message): Issue => issueAt([], message)));
}

/** Zapier bills only Zaps that are on, and of Paths usually one branch a run. */
function fromZapfile(text: string, { runs = {}, runsDefault }: ReadZapsOptions): ReadZaps {
  const listed = parseZapfile(text);
  if (typeof listed === "string") reject(listed);
  const diagnostics = Diagnostics.start<WarningCode<"automation_cost_calculator">>();
  const counted: { readonly title: string; readonly steps: Steps }[] = [];
  const left_out: LeftOutZap[] = [];
  for (const zap of listed) {
    const steps = countSteps(zap);
    const problem = findProblem(actionStepsSchema, steps.longestPath);
    const leaveOut = (reason: string, severity: Warning["severity"]) =>
      left_out.push({ name: zap.title, reason, severity });
    if (zap.status === "off") leaveOut("is switched off", "info");
    else if (zap.status !== "on") leaveOut("has a status that is neither on nor off", "warning");
    else if (steps.triggers !== 1) {
      leaveOut(`has ${plural(steps.triggers, "trigger")}, and a Zap has one`, "warning");
    } else if (steps.all === 0) leaveOut("has no step that is a task", "info");
    else if (problem === undefined) counted.push({ title: zap.title, steps });
    else {
      leaveOut(
        `has ${plural(steps.longestPath, "action step")}, and the number ${problem}`,
        "warning",
      );
    }
  }
  const titles = counted.map(({ title }) => title);
  const names = numberRepeatedTitles(titles);
  const known = new Set([...names, ...left_out.map(({ name }) => name)]);
  const unknown = Object.keys(runs).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    reject(
      ...unknown.map((title) =>
        whyUnknown(
          title,
          names.filter((_, at) => titles[at] === title),
        ),
      ),
    );
  }
  const zaps: ReadZap[] = [];
  const without_runs: ReadZaps["without_runs"] = [];
  for (const [index, { title, steps }] of counted.entries()) {
    const name = names[index] ?? title;
    const runs_per_month = Object.hasOwn(runs, name) ? runs[name] : runsDefault;
    const read = { name, action_steps: steps.longestPath };
    const zap =
      runs_per_month === undefined
        ? diagnostics.at("without_runs", without_runs.push(read) - 1)
        : diagnostics.at("zaps", zaps.push({ ...read, runs_per_month }) - 1);
    if (name !== title) {
      zap.info("title-repeated", `is named ${inQuotes(name)}: several Zaps have its title`);
    }
    warnAboutSteps(steps, zap);
    if (runs_per_month !== undefined) continue;
    zap.warn("runs-unknown", "needs its runs a month, which Zapier's export does not have");
  }
  return { zaps, without_runs, left_out, warnings: diagnostics.warnings };
}

/** Titles as names. Those that are repeated get numbers, so that each can be given its runs. */
function numberRepeatedTitles(titles: readonly string[]): readonly string[] {
  const byTitle = groupBy(titles, (title) => title);
  const taken = new Set(titles);
  const counts = new Map<string, number>();
  return titles.map((title) => {
    if (byTitle.get(title)?.length === 1) return title;
    let count = counts.get(title) ?? 0;
    let name = title;
    while (taken.has(name)) name = `${title} (${++count})`;
    counts.set(title, count);
    taken.add(name);
    return name;
  });
}

/** @param names of the Zaps with this title, which have numbers; empty if there are none. */
const whyUnknown = (title: string, names: readonly string[]): string =>
  names.length === 0
    ? `has no Zap named ${inQuotes(title)}`
    : `has ${names.length} Zaps named ${inQuotes(title)}; give the runs of each by its number: ${listSome(names.map(inQuotes))}`;

const inQuotes = (name: string): string => JSON.stringify(name);

function warnAboutSteps(
  { longestPath, all, hasLoop, uncounted }: Steps,
  zap: Diagnostics<WarningCode<"automation_cost_calculator">>,
): void {
  if (all > longestPath) {
    const message = `has Paths: its dearest branch has ${plural(longestPath, "action step")}, all branches together have ${all}`;
    zap.warn("paths-dearest-branch", message);
  }
  if (hasLoop) {
    zap.warn(
      "loop-counts-once",
      "has a loop: its steps are billed once for each item, but counted once here",
    );
  }
  if (uncounted.length > 0) {
    zap.warn(
      "step-uses-more-tasks",
      `uses more tasks than are counted for ${uncounted.join(", ")}`,
    );
  }
}

function fromTable(text: string, { runs = {}, runsDefault }: ReadZapsOptions): ReadZaps {
  const table = parseZapTable(text);
  if (!("zaps" in table)) reject(...table);
  if (runsDefault !== undefined || Object.keys(runs).length > 0) {
    reject("is a table with the runs of its Zaps, and takes no others");
  }
  const { zaps, left_out } = table;
  if (zaps.length === 0) {
    const rows = listSomeClauses(left_out.map((zap) => `${nameLeftOut(zap)} ${zap.reason}`));
    reject(`has no Zaps that can be read${rows === "" ? "" : `: ${rows}`}`);
  }
  return { ...table, without_runs: [] };
}
