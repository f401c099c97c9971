import papaparse from "papaparse";
import type { ZapInput } from "../../schemas/automation-cost.ts";
import {
  type Cell,
  findUnit,
  isTotal,
  plainText,
  readRuns,
  readStatus,
  readSteps,
  type Unit,
} from "./cells.ts";
import { type CostFindings, describeRow } from "./cost-findings.ts";

/**
 * Reads a table of Zaps. Columns are found by their headings; without headings, they are the name, the
 * action steps and the runs.
 *
 * @param stepsIncludeTrigger whether a column "Steps" includes the trigger, which is not a task.
 * @throws {InvalidInputError} if it is not such a table.
 */
export function parseZapTable(text: string, findings: CostFindings, stepsIncludeTrigger?: boolean) {
  const rows = parseRows(text, findings);
  const hasHeadings = !rows[0] || !isZap(rows[0].cells);
  const headings = hasHeadings ? (rows[0]?.cells ?? []) : ["Zap", "Action steps", "Runs"];
  const columns = findColumns(headings, findings);
  const all = rows
    .slice(hasHeadings ? 1 : 0)
    .map((row) => readRow(row, columns))
    .filter(({ isBlank }) => !isBlank);
  const kind = columns.isTasks ? undefined : columns.steps?.kind;
  const triggers = Number(
    kind === "steps and trigger" || (kind === "steps" && stepsIncludeTrigger === true),
  );
  const zaps: ZapInput[] = [];
  const runs_texts: string[] = [];
  const skipped_rows: SkippedRow[] = [];
  const rates = new Map<Unit, Cell>();
  const rowsByName = new Map<string, number>();
  for (const found of all) {
    const { name, place, isOn, steps, runs } = found;
    const action_steps = steps.value - triggers;
    if (isTotal(name) || isSum(found, all)) findings.add("zap-not-billed/total", { place });
    else if (isOn === false) findings.add("zap-not-billed", { place });
    else if (action_steps === 0 && steps.value === 1) {
      findings.add("zap-not-billed/no-task", { place });
    } else if (Object.values(found.cells).some(({ problem }) => problem)) {
      findings.add("row-skipped", found);
      // The page has no field for a status, so it asks for the runs instead.
      const runs_per_month = isOn === undefined ? "" : formatCell(runs.value, runs.text);
      const cells = { name, action_steps: formatCell(action_steps, steps.text), runs_per_month };
      skipped_rows.push({ ...cells, index: zaps.length });
    } else {
      if (runs.unit && !rates.has(runs.unit)) rates.set(runs.unit, runs);
      const earlier = name === "" ? undefined : rowsByName.get(name);
      if (earlier) findings.at("zaps", zaps.length).add("duplicate-zap-name", { row: earlier });
      rowsByName.set(name, found.row);
      zaps.push({ ...(name !== "" && { name }), action_steps, runs_per_month: runs.value });
      runs_texts.push(runs.text);
    }
  }
  if (rates.size > 0) findings.add("read-as/rate", { rates: [...rates.values()] });
  // Every Zap has at least one action, so a single step proves that the trigger is not included.
  const isAsked = kind === "steps" && stepsIncludeTrigger === undefined;
  const isAmbiguous = isAsked && zaps.every(({ action_steps }) => action_steps > 1);
  return {
    zaps,
    runs_texts,
    skipped_rows,
    ...(isAmbiguous && { ambiguous_steps_heading: columns.steps?.heading }),
  };
}

const formatCell = (value: number, text: string): string =>
  Number.isNaN(value) ? text : String(value);

/** A row with a cell that cannot be read. */
export interface SkippedRow extends Readonly<Record<keyof ZapInput, string>> {
  /** How many Zaps precede it. */
  readonly index: number;
}

/** Skips blank rows, but counts them in the row numbers, which start at 1. */
function parseRows(text: string, findings: CostFindings) {
  const lines = text.replace(/\r\n?/g, "\n");
  return (MARKDOWN_ROW.test(lines) ? parseMarkdownRows(lines) : parseCsvRows(lines, findings))
    .map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
}

/** Matches a line that starts with a bar, or the rule below the headings. */
const MARKDOWN_ROW = /^[ \t]*(?:\||:?-+:? *\|)/m;

/** Lines without a bar are prose around the table. */
const parseMarkdownRows = (lines: string): readonly (readonly string[])[] =>
  lines.split("\n").map((line) => {
    if (!line.includes("|")) return [];
    const cells = line
      .trim()
      .replace(/^\||(?<!\\)\|$/g, "")
      .split(/(?<!\\)\|/);
    return cells.map((cell) => cell.replaceAll("\\|", "|"));
  });

function parseCsvRows(lines: string, findings: CostFindings): readonly (readonly string[])[] {
  const marks = /^.*\S.*$/m.exec(lines)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const delimiter = ["\t", ";", ",", "|"].find((mark) => marks.includes(mark)) ?? ",";
  const { data, errors } = papaparse.parse(lines, { delimiter, newline: "\n" });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) findings.fail("open-quote", { row: Number(broken.row) + 1 });
  return data;
}

/** Whether the first row is a Zap. A heading with months, such as 2026-09, is not. */
const isZap = ([, steps = "", runs = ""]: readonly string[]): boolean =>
  readSteps(steps).problem === undefined && readRuns(runs).problem === undefined;

function findColumns(headings: readonly string[], findings: CostFindings) {
  const all = headings.map((heading, index) => ({ index, heading, ...readHeading(heading) }));
  /** Finds the first of these kinds that occurs, and returns its column if there is only one. */
  const only = (...kinds: readonly ColumnKind[]) => {
    const first = kinds.find((one) => all.some(({ kind }) => kind === one));
    const [found, second] = first ? all.filter(({ kind }) => kind === first) : [];
    return second ? undefined : found;
  };
  const steps = only("action steps", "steps and trigger", "steps");
  // Zapier's own count beats steps times runs. A plain "Tasks" beside runs may mean tasks per run.
  const runs = steps
    ? only("tasks used", "runs", "rates", "task rates", "tasks")
    : only("tasks used", "task rates", "runs", "rates", "tasks");
  const isTasks = runs?.kind?.startsWith("task") ?? false;
  if (!runs || !(steps || isTasks)) return findings.fail("no-columns", { headings });
  if (isTasks) findings.add("read-as/tasks", { heading: runs.heading });
  else if (steps?.kind === "steps and trigger")
    findings.add("read-as/trigger", { heading: steps.heading });
  const columns = { name: only("name"), status: only("status"), steps, runs };
  const usedColumns: readonly unknown[] = Object.values(columns);
  const others = all.filter((column) => column.heading !== "" && !usedColumns.includes(column));
  if (others.length > 0)
    findings.add("read-as", { headings: others.map(({ heading }) => heading) });
  return { ...columns, isTasks, width: headings.length };
}

type Columns = ReturnType<typeof findColumns>;

/** Finds the kind of a column by its heading. "steps" may include the trigger. */
const COLUMN_HEADINGS = [
  ["name", /^(?:zap|name|title|automation|workflow(?: name)?)$/],
  ["status", /^(?:status|state|(?:is )?on|on off|enabled|active|live|published)$/],
  ["action steps", /^(?:(?:action steps?|actions?)(?: run| count)?|tasks run)$/],
  ["action steps", /^steps? (?:excl|excluding|without|no) triggers?$/],
  ["steps and trigger", /^steps? (?:(?:incl|including|with|and) )?triggers?(?: included)?$/],
  ["steps", /^steps?(?: run| count)?$/],
  ["runs", /^(?:runs|run count|times|frequency|how often)$/],
  ["tasks used", /^(?:tasks used|used tasks|task usage)$/],
  ["tasks", /^tasks$/],
] as const;

type ColumnKind = (typeof COLUMN_HEADINGS)[number][0] | "rates" | "task rates";

function readHeading(heading: string): { kind: ColumnKind | undefined; unit: Unit | undefined } {
  const words = heading
    .toLowerCase()
    // "Min" means minimum in "Min runs", and minute in "Runs/min".
    .replace(/(?<!(?:\/|per) ?)\bmin\b/, "minimum")
    .replace(/[^\p{L}\p{N}%]+/gu, " ")
    .replace(/\b30 ?d(?:ays)?\b/, "month")
    .trim()
    .split(" ");
  const unit = words.map(findUnit).find((found) => found !== undefined);
  const telling = words.filter((word) => !findUnit(word) && !IGNORED_WORDS.has(word)).join(" ");
  const text = telling.replace(/^zap (?=.)|(?<=.) zap$/, "");
  const kind = COLUMN_HEADINGS.find(([, pattern]) => pattern.test(text))?.[0];
  if (kind === "tasks" && unit) return { kind: "task rates", unit };
  return { kind: kind === "runs" && unit && unit.times > 1 ? "rates" : kind, unit };
}

const IGNORED_WORDS = new Set(
  "number of the a each every per in last average avg est estimated total zapier".split(" "),
);

/** Tasks that Zapier counted are read as runs of a Zap with one step. */
function readRow({ row, cells: all }: ReturnType<typeof parseRows>[number], columns: Columns) {
  const isTooLong = all.slice(columns.width).some((cell) => cell !== "");
  const cellOf = (column: { readonly index: number } | undefined) => all[column?.index ?? -1] ?? "";
  // With an extra cell, we cannot know which column each cell belongs to.
  const given = isTooLong ? "" : cellOf(columns.steps);
  const steps = readSteps(columns.isTasks ? "1" : given);
  const runs = readRuns(isTooLong ? "" : cellOf(columns.runs), columns.runs.unit);
  const name = plainText(cellOf(columns.name));
  const text = cellOf(columns.status);
  const isOn = columns.status ? readStatus(text) : true;
  const status = { text, problem: isOn === undefined ? "must be on or off" : undefined };
  return {
    name,
    row,
    place: describeRow(name, row),
    isOn,
    steps,
    runs,
    extra: isTooLong ? { count: all.length, width: columns.width } : undefined,
    isBlank: name + given + runs.text === "" && !isTooLong,
    hasSteps: given !== "",
    cells: { status, "action steps": steps, "runs a month": runs },
  };
}

type TableRow = ReturnType<typeof readRow>;

/** Whether the last row has no action steps, and is the sum of at least three rows above it. */
function isSum(last: TableRow, all: readonly TableRow[]): boolean {
  if (last !== all.at(-1) || last.hasSteps) return false;
  const others = all.slice(0, -1).filter(({ name }) => !isTotal(name));
  const sumOf = (figure: (row: TableRow) => number) =>
    others.reduce((sum, row) => sum + (figure(row) || 0), 0);
  const sums = [sumOf(({ runs }) => runs.value), sumOf((row) => row.steps.value * row.runs.value)];
  return others.length >= 3 && last.runs.value > 0 && sums.includes(last.runs.value);
}
