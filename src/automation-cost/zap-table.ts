import papaparse from "papaparse";
import type { ZapInput } from "../../schemas/automation-cost.ts";
import { isTotal, plainText, readRuns, readStatus, readSteps, type Unit, unitOf } from "./cells.ts";
import type { CostFindings } from "./findings.ts";

/**
 * Reads a table of Zaps: separated by commas, semicolons or tabs, or in Markdown. Its columns are found
 * by their headings; without any, they are the name, the action steps and the runs.
 *
 * @param stepsIncludeTrigger whether a column "Steps" counts the trigger, which is no task.
 * @returns the Zaps, the rows that may be Zaps too, and the heading of steps that may count the trigger.
 * @throws {InvalidInputError} for a text that is not such a table.
 */
export function readZapTable(text: string, findings: CostFindings, stepsIncludeTrigger?: boolean) {
  const rows = parseRows(text, findings);
  const hasHeadings = !rows[0] || !isZap(rows[0].cells);
  const headings = hasHeadings ? (rows[0]?.cells ?? []) : ["Zap", "Action steps", "Runs"];
  const columns = findColumns(headings, findings);
  const all = rows
    .slice(hasHeadings ? 1 : 0)
    .map((row) => readRow(row, columns))
    .filter(({ isBlank }) => !isBlank);
  const mayCountTrigger = columns.steps?.kind === "steps" && !columns.isTasks;
  const zaps: ZapInput[] = [];
  const unread: SkippedRow[] = [];
  const rates = new Map<Unit, { readonly rate: string; readonly runs: number }>();
  const rowsByName = new Map<string, number>();
  for (const found of all) {
    const { row, name, isOn, steps, runs, cells } = found;
    const place = { row, name };
    const action_steps = steps.value - Number(mayCountTrigger && stepsIncludeTrigger === true);
    if (isTotal(name) || isSum(found, all)) findings.add("zap-not-billed/total", place);
    else if (isOn === false) findings.add("zap-not-billed", place);
    else if (action_steps === 0 && steps.value === 1) {
      findings.add("zap-not-billed/no-task", place);
    } else if (found.isTooLong || Object.values(cells).some(({ problem }) => problem)) {
      const { length: count } = found.all;
      if (found.isTooLong)
        findings.add("row-unread/cells", { ...place, count, width: columns.width });
      else findings.add("row-unread", { ...place, cells });
      const reason = findings.warnings.at(-1)?.message ?? "";
      // A sheet of Zaps has no status: how often the Zap runs is asked for instead.
      const runs_per_month = isOn === undefined ? "" : runs.text;
      unread.push({ name, action_steps: steps.text, runs_per_month, reason, index: zaps.length });
    } else {
      const earlier = name === "" ? undefined : rowsByName.get(name);
      if (earlier) findings.at("zaps", zaps.length).add("title-repeated", { row: earlier });
      rowsByName.set(name, row);
      const { text: cell, unit, value: runs_per_month } = runs;
      if (unit && !rates.has(unit)) {
        const rate = /[a-z]/i.test(cell) ? cell : `${cell}/${unit.name}`;
        rates.set(unit, { rate, runs: runs_per_month });
      }
      zaps.push({ ...(name !== "" && { name }), action_steps, runs_per_month });
    }
  }
  if (rates.size > 0) findings.add("read-as/rate", { rates: [...rates.values()] });
  if (zaps.length + unread.length === 0) {
    findings.fail("no-rows", { reasons: findings.warnings.map(({ message }) => message) });
  }
  // A Zap has an action beside its trigger.
  const isAsked = mayCountTrigger && stepsIncludeTrigger === undefined;
  const isUnsure = isAsked && zaps.every(({ action_steps }) => action_steps > 1);
  return {
    zaps,
    skipped_rows: unread,
    ...(isUnsure && { ambiguous_steps_heading: columns.steps?.heading }),
  };
}

/** A row with a cell that cannot be read. A cell is blank where it is not clear which one it is. */
export interface SkippedRow extends Readonly<Record<keyof ZapInput, string>> {
  /** Why it is left out, in a sentence. */
  readonly reason: string;
  /** How many of the Zaps that are read are above it. */
  readonly index: number;
}

/** The rows with something in them; their numbers count from 1, with blank rows. */
function parseRows(text: string, findings: CostFindings) {
  const lines = text.replace(/\r\n?/g, "\n");
  return (MARKDOWN.test(lines) ? markdownRows(lines) : csvRows(lines, findings))
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
}

/** A line that begins with a bar, or a rule below the headings. */
const MARKDOWN = /^[ \t]*(?:\||:?-+:? *\|)/m;

/** The lines around a table of Markdown are no rows. */
const markdownRows = (lines: string): readonly (readonly string[])[] =>
  lines.split("\n").map((line) => {
    if (!line.includes("|")) return [];
    const cells = line
      .trim()
      .replace(/^\||(?<!\\)\|$/g, "")
      .split(/(?<!\\)\|/);
    return cells.map((cell) => cell.replaceAll("\\|", "|"));
  });

function csvRows(lines: string, findings: CostFindings): readonly (readonly string[])[] {
  const marks = /^.*\S.*$/m.exec(lines)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const delimiter = ["\t", ";", ",", "|"].find((mark) => marks.includes(mark)) ?? ",";
  const { data, errors } = papaparse.parse(lines, { delimiter, newline: "\n" });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) findings.fail("open-quote", { row: Number(broken.row) + 1 });
  return data;
}

/** True for a row of a Zap, and not for a heading of months, whose 2026-09 is not a number of steps. */
const isZap = ([, steps = "", runs = ""]: readonly string[]): boolean =>
  readSteps(steps).problem === undefined && readRuns(runs).problem === undefined;

interface Column {
  readonly index: number;
  readonly heading: string;
  readonly kind: Kind | undefined;
  readonly unit: Unit | undefined;
}

function findColumns(headings: readonly string[], findings: CostFindings) {
  const all = headings.map((heading, index): Column => ({ index, heading, ...meaningOf(heading) }));
  /** The column of the first of these meanings that any column has, if it is the only one. */
  const only = (...meanings: readonly ((column: Column) => boolean)[]) => {
    const found = meanings.map((is) => all.filter(is)).find(({ length }) => length > 0);
    return found?.length === 1 ? found[0] : undefined;
  };
  const is = (kind: Kind) => (column: Column) => column.kind === kind;
  const isMonthly = ({ unit }: Column) => unit === undefined || unit.times === 1;
  const runs = only(
    // Zapier's own count beats steps times runs. A plain "Tasks" beside runs may mean tasks per run.
    is("tasks used"),
    (column) => column.kind === "runs" && isMonthly(column),
    is("runs"),
    is("tasks"),
  );
  const isTasks = runs?.kind === "tasks used" || runs?.kind === "tasks";
  const steps = only(is("action steps"), is("steps"));
  if (!runs || !(steps || isTasks)) return findings.fail("no-columns", { headings });
  if (isTasks) findings.add("read-as/tasks", { heading: runs.heading });
  const columns = { name: only(is("name")), status: only(is("status")), steps, runs };
  const read: readonly unknown[] = Object.values(columns);
  const others = all.filter((column) => !read.includes(column)).map(({ heading }) => heading);
  const named = others.filter((heading) => heading !== "");
  if (named.length > 0) findings.add("read-as", { headings: named });
  return { ...columns, isTasks, width: headings.length };
}

type Columns = ReturnType<typeof findColumns>;

/** The kinds of columns, by the words of a heading that tell them; "steps" may count the trigger too. */
const KINDS = [
  ["name", /^(?:zap|name|title|automation|workflow(?: name)?)$/],
  ["status", /^(?:status|state|(?:is )?on|on off|enabled|active|live|published)$/],
  [
    "action steps",
    /^(?:(?:action steps?|actions?)(?: run| count)?|steps that do something|tasks run)$/,
  ],
  ["steps", /^steps?(?: run| count)?$/],
  ["runs", /^(?:runs|run count|times|frequency|how often)$/],
  ["tasks used", /^(?:tasks used|used tasks|task usage)$/],
  ["tasks", /^tasks$/],
] as const;

type Kind = (typeof KINDS)[number][0];

/** The kind of a column, and the unit in its heading. */
function meaningOf(heading: string): Pick<Column, "kind" | "unit"> {
  const words = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, " ")
    .replace(/\b30 ?d(?:ays)?\b/, "month")
    .trim()
    .split(" ");
  const unit = words.map(unitOf).find((found) => found !== undefined);
  const telling = words.filter((word) => !unitOf(word) && !FILLERS.has(word)).join(" ");
  const text = telling.replace(/^zap (?=.)|(?<=.) zap$/, "");
  return { kind: KINDS.find(([, pattern]) => pattern.test(text))?.[0], unit };
}

const FILLERS = new Set(
  "number of the a each every per in last average avg est estimated total".split(" "),
);

/** Reads the cells of a row. Tasks that Zapier counted are runs of one step. */
function readRow({ row, cells: all }: ReturnType<typeof parseRows>[number], columns: Columns) {
  const isTooLong = all.slice(columns.width).some((cell) => cell !== "");
  const textOf = (column: Column | undefined) => plainText(all[column?.index ?? -1] ?? "");
  const numberOf = (column: Column | undefined) => (isTooLong ? "" : textOf(column));
  const status = all[columns.status?.index ?? -1] ?? "";
  const isOn = columns.status ? readStatus(status) : true;
  const given = numberOf(columns.steps);
  const steps = readSteps(columns.isTasks ? "1" : given);
  const runs = readRuns(numberOf(columns.runs), columns.runs.unit);
  const name = textOf(columns.name);
  const problem = isOn === undefined ? "must be on or off" : undefined;
  return {
    row,
    all,
    name,
    isOn,
    steps,
    runs,
    isTooLong,
    isBlank: name + given + runs.text === "" && !isTooLong,
    hasSteps: given !== "",
    cells: { status: { text: status, problem }, "action steps": steps, "runs a month": runs },
  };
}

type TableRow = ReturnType<typeof readRow>;

/** Whether the last row has no action steps, and the sum of at least three above it. */
function isSum(last: TableRow, all: readonly TableRow[]): boolean {
  if (last !== all.at(-1) || last.hasSteps) return false;
  const others = all.slice(0, -1).filter(({ name }) => !isTotal(name));
  const sumOf = (rows: readonly TableRow[], figure: (row: TableRow) => number) =>
    rows.reduce((sum, row) => sum + figure(row), 0);
  const billed = others.filter(({ isOn }) => isOn !== false);
  const sums = [others, billed].flatMap((rows) => [
    sumOf(rows, ({ runs }) => runs.value),
    sumOf(rows, ({ steps, runs }) => steps.value * runs.value),
  ]);
  return others.length >= 3 && last.runs.value > 0 && sums.includes(last.runs.value);
}
