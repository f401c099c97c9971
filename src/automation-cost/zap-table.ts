import papaparse from "papaparse";
import { actionStepsSchema, runsPerMonthSchema } from "../../schemas/automation-cost.ts";
import { Findings } from "../findings.ts";
import { findProblem } from "../issues.ts";
import { listSomeClauses } from "../text.ts";
import {
  type LeftOutZap,
  leftOut,
  nameLeftOut,
  type ReadZap,
  type ReadZaps,
  shortTitle,
} from "./file-zaps.ts";
import { type CostFindings, costFindings } from "./findings.ts";

/**
 * Reads a table of Zaps: comma-, semicolon- or tab-separated, with or without a heading. It takes
 * only what the text says for sure, because a wrong number gives a wrong price.
 *
 * @param stepsIncludeTrigger whether a column "Steps" counts the trigger, which is no task.
 * @throws {InvalidInputError} for a text that is not such a table.
 */
export function readZapTable(text: string, stepsIncludeTrigger: boolean | undefined): ReadZaps {
  const findings: CostFindings = new Findings(costFindings);
  const { rows, separator } = parseRows(text, findings);
  const layout = findLayout(rows, findings);
  const zaps: ReadZap[] = [];
  const left_out: LeftOutZap[] = [];
  const rowsByName = new Map<string, number>();
  const hasNames = layout.kinds.includes("name");
  let runs = 0;
  for (const [index, { number: row, cells }] of rows.entries()) {
    const name = shortTitle(cells[layout.kinds.indexOf("name")] ?? "");
    const leaveOut = (reason: LeftOut) => left_out.push({ name, row, ...reason });
    if (index < layout.heading) {
      const [title = "", ...others] = cells.filter(Boolean);
      if (others.length > 0) leaveOut(leftOut.aboveHeading);
      else findings.add("read-as", { heading: title, meaning: "a title" });
    }
    if (index <= layout.heading) continue;
    const read = readRow(cells, name, layout, separator, stepsIncludeTrigger === true);
    if ("reason" in read) leaveOut(read);
    else if (name === "" && hasNames && zaps.length > 1 && read.runs_per_month === runs) {
      leaveOut(leftOut.sumOfAll);
    } else {
      const earlier = rowsByName.get(name);
      if (name !== "" && earlier !== undefined) {
        findings.at("zaps", zaps.length).add("title-repeated", { row: earlier });
      }
      rowsByName.set(name, row);
      zaps.push({ ...(name !== "" && { name }), ...read });
      runs += read.runs_per_month;
    }
  }
  if (zaps.length === 0) {
    const clauses = left_out.map((zap) => `${nameLeftOut(zap)} ${zap.reason}`);
    findings.fail("no-rows", { rows: listSomeClauses(clauses) });
  }
  const isProduct = READINGS.get(layout.runs) !== TASKS;
  const isAsked = isProduct && layout.steps === "steps" && stepsIncludeTrigger === undefined;
  const unsure_steps = rows[layout.heading]?.cells[layout.kinds.indexOf("steps")];
  return {
    zaps,
    without_runs: [],
    left_out,
    warnings: findings.warnings,
    ...(isAsked && { unsure_steps }),
  };
}

type LeftOut = Pick<LeftOutZap, "reason" | "severity">;

interface Row {
  /** Counted from 1, with blank rows. */
  readonly number: number;
  /** The cells, without outer spaces. */
  readonly cells: readonly string[];
}

function parseRows(text: string, findings: CostFindings) {
  if (text.length > MAX_CHARACTERS) {
    findings.fail("file-too-large", { most: "1 MiB, which is too much for a table" });
  }
  const lines = text.replace(/\r\n?/g, "\n");
  // Excel marks the separator in a line of its own.
  const [mark = "", named] = /^sep=(.)(?=\n)/i.exec(lines) ?? [];
  const table = lines.slice(mark.length);
  // Blank lines mislead the guess, and without them rows would have other numbers.
  const guess = { delimitersToGuess: ["\t", ";", ","], preview: MAX_TITLES, skipEmptyLines: true };
  const { delimiter } = papaparse.parse(table, guess).meta;
  const separator = named ?? delimiter;
  const { data, errors } = papaparse.parse(table, { delimiter: separator, newline: "\n" });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) findings.fail("open-quote", { row: Number(broken.row) + 1 });
  const rows = data
    .map((cells, index): Row => ({ number: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  return { rows, separator };
}

/** A thousand characters for each Zap. The parser needs 200 bytes of memory for a stray quote. */
const MAX_CHARACTERS = 1_024 * 1_024;

interface Layout {
  /** The index of the heading's row; -1 for a table without one. */
  readonly heading: number;
  /** What each column is. */
  readonly kinds: readonly (Kind | undefined)[];
  /** The column with the action steps; a table of tasks may have none: each is a run of one step. */
  readonly steps: Kind | undefined;
  readonly runs: Kind;
}

/** Finds the columns in the first row that names them. */
function findLayout(rows: readonly Row[], findings: CostFindings): Layout {
  // Titles may precede the heading.
  for (const [heading, { cells }] of rows.slice(0, MAX_TITLES).entries()) {
    const kinds = cells.map((cell, column) =>
      column < MAX_COLUMNS ? KINDS.get(keyOf(cell)) : undefined,
    );
    const only = (...wanted: readonly Kind[]) => {
      const kind = wanted.find((one) => kinds.includes(one));
      return kind && kinds.indexOf(kind) === kinds.lastIndexOf(kind) ? kind : undefined;
    };
    const both = [only("action steps", "steps"), only("runs", "runs a week", "runs a day")];
    // What Zapier counted is better than steps times runs; tasks beside runs may be those of one run.
    const [steps, product] = both;
    const tasks = only("tasks used") ?? (product ? undefined : only("tasks"));
    const runs = tasks ?? (steps && product);
    if (!runs) continue;
    const reading = READINGS.get(runs);
    const title = cells[kinds.indexOf(runs)] ?? "";
    if (reading) findings.add("read-as", { heading: title, meaning: reading.meaning });
    return { heading, kinds, steps, runs };
  }
  const [first] = rows;
  if (!first || !isData(first)) {
    const { cells } = rows.find((row) => row.cells.length > 1) ?? { cells: [] };
    return findings.fail("no-columns", { headings: cells.map(quoteCell) });
  }
  const kinds = ["name", "action steps", "runs"] as const;
  return { heading: -1, kinds, steps: "action steps", runs: "runs" };
}

const MAX_TITLES = 10;
const MAX_COLUMNS = 100;

/** True for a row of a Zap, and not for a heading of months, whose 2026-09 is not a number of steps. */
const isData = ({ cells: [, steps, runs = ""] }: Row): boolean =>
  findProblem(actionStepsSchema, Number(steps)) === undefined && /^\d/.test(runs);

/** The kinds of columns by their headings; "steps" may count the trigger too. */
const HEADINGS = {
  name: ["zap", "zap name", "title", "automation", "workflow", "workflow name"],
  status: ["status", "state", "on", "is on", "on off", "enabled", "active", "live", "published"],
  paused: ["paused", "disabled", "archived", "off", "is off"],
  "action steps": [
    "action steps",
    "action steps run",
    "actions",
    "actions run",
    "action count",
    "steps that do something",
  ],
  steps: ["steps", "steps run", "step count"],
  runs: ["runs", "runs month", "times month"],
  "runs a week": ["runs week", "times week"],
  "runs a day": ["runs day", "times day"],
  "tasks used": ["tasks used", "tasks used month", "task usage"],
  tasks: ["tasks", "tasks month"],
} as const;

type Kind = keyof typeof HEADINGS;

const TASKS = { times: 1, meaning: "the tasks of a month" };

/** How the numbers of a column become runs a month, where they are not simply these. */
const READINGS = new Map<Kind, { readonly times: number; readonly meaning: string }>([
  ["runs a week", { times: 52 / 12, meaning: "runs a month: times 52 / 12" }],
  ["runs a day", { times: 30, meaning: "runs a month: times 30" }],
  ["tasks used", TASKS],
  ["tasks", TASKS],
]);

/** The words of a heading in any order, without those that make no difference. */
const keyOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, " ")
    .replace(/\b(?:monthly|mo|30 ?d(?:ays)?)\b/, "month")
    .replace(/\bweekly\b/, "week")
    .replace(/\bdaily\b/, "day")
    .split(" ")
    .filter((word) => !FILLERS.has(word))
    .sort()
    .join(" ");

const FILLERS = new Set(
  " zap number of the a each every per in last average avg estimated est".split(" "),
);

const KINDS = new Map(
  Object.entries(HEADINGS).flatMap(([kind, headings]) =>
    headings.map((heading) => [keyOf(heading), kind as Kind]),
  ),
);

/** A row as a Zap, or the reason why it is not one for sure. */
function readRow(
  cells: readonly string[],
  name: string,
  { heading, kinds, steps, runs }: Layout,
  separator: string,
  stepsIncludeTrigger: boolean,
): Omit<ReadZap, "name"> | LeftOut {
  const { length } = kinds;
  if (cells.length !== length) return leftOut.cells(cells.length, heading < 0 ? undefined : length);
  const cellOf = (kind: Kind) => cells[kinds.indexOf(kind)] ?? "";
  if (TOTAL.test(name)) return leftOut.total;
  const [isOn, isOff] = [ON, OFF].map((state) => state.test(cellOf("status")));
  if (isOff || ON.test(cellOf("paused"))) return leftOut.off;
  if (kinds.includes("status") && !isOn) return leftOut.status;

  const given = steps ? parseNumber(cellOf(steps), separator) : 1;
  if (given === undefined) return leftOut.notWhole(quoteCell(cellOf(steps ?? "steps")), STEPS);
  const action_steps = stepsIncludeTrigger && steps === "steps" ? given - 1 : given;
  if (action_steps === 0 && given === 1) return leftOut.noTask;
  const stepsProblem = findProblem(actionStepsSchema, action_steps);
  if (stepsProblem !== undefined) return leftOut.outOfRange(action_steps, STEPS, stepsProblem);

  const { times = 1 } = READINGS.get(runs) ?? {};
  const count = parseNumber(cellOf(runs), separator, times > 1);
  const next = kinds.indexOf(runs) + 1;
  const isSplit = separator === "," && !kinds[next] && /^\d{3}$/.test(cells[next] ?? "");
  if (isSplit && /^\d{1,3}$/.test(cellOf(runs))) return leftOut.splitNumber;
  if (count === undefined) return leftOut.notWhole(quoteCell(cellOf(runs)), RUNS);
  const isTasks = READINGS.get(runs) === TASKS;
  const runs_per_month = Math.ceil(isTasks ? count / action_steps : count * times);
  const runsProblem = findProblem(runsPerMonthSchema, runs_per_month);
  if (runsProblem !== undefined) return leftOut.outOfRange(runs_per_month, RUNS, runsProblem);
  return { action_steps, runs_per_month };
}

const STEPS = "the action steps";
const RUNS = "the runs a month";

const ON = /^(?:on|turned on|active|enabled|live|published|running|true|yes|checked|x|1)$/i;
const OFF = /^(?:(?:turned )?off|paused|draft|disabled|inactive|stopped|unpublished|false|no|0)\b/i;

const TOTAL = /^(?:(?:grand|sub)[ -]?)?(?:total|sum|average|gesamt|summe)s?(?: ?[:(].*)?$/i;

const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > MAX_SHOWN ? `${cell.slice(0, MAX_SHOWN)}…` : cell);

const MAX_SHOWN = 40;

/**
 * A whole number, with or without thousands separators. A dot or a comma before three digits may be
 * a decimal mark as well: where the decimal mark is a comma, spreadsheets separate cells by semicolons.
 *
 * @param isAverage true for a number that may have a fraction, such as 4.3 runs a day.
 */
function parseNumber(cell: string, separator: string, isAverage = false): number | undefined {
  const decimalMark = separator === ";" ? "," : ".";
  if (isAverage && /^\d{1,9}[.,]\d{1,2}$/.test(cell)) return Number(cell.replace(",", "."));
  const [whole = ""] = cell.split(/\.0{1,2}$/);
  const found = /^\d{1,12}$|^[1-9]\d{0,2}(?:([\s.,'’])\d{3})(?:\1\d{3}){0,2}$/.exec(whole);
  const mark = found?.[1] ?? "";
  const isDecimalMark = mark === decimalMark || (isAverage && /[.,]/.test(mark));
  const isUnsure = isDecimalMark && whole.split(mark).length === 2;
  return found && !isUnsure ? Number(whole.replace(/\D/g, "")) : undefined;
}
