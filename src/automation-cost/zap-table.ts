import papaparse from "papaparse";
import {
  actionStepsSchema,
  runsPerMonthSchema,
  type ZapInput,
} from "../../schemas/automation-cost.ts";
import { findProblem } from "../issues.ts";
import type { CostFindings } from "./findings.ts";

/**
 * Reads a table of Zaps: separated by commas, semicolons or tabs, or in Markdown, with or without a
 * heading. It takes only what the text says for sure, because a wrong number gives a wrong price.
 *
 * @param stepsIncludeTrigger whether a column "Steps" counts the trigger, which is no task.
 * @returns the Zaps, the rows that may be Zaps too, and the heading of steps that may count the trigger.
 * @throws {InvalidInputError} for a text that is not such a table.
 */
export function readZapTable(text: string, findings: CostFindings, stepsIncludeTrigger?: boolean) {
  const { rows, separator } = parseRows(text, findings);
  const hasHeading = !rows[0] || !isData(rows[0]);
  const headings = hasHeading ? (rows[0]?.cells ?? []) : ["Zap", "Action steps", "Runs"];
  const columns = findColumns(headings, findings);
  const zaps: ZapInput[] = [];
  const unread: UnreadZap[] = [];
  const rowsByName = new Map<string, number>();
  for (const row of rows.slice(hasHeading ? 1 : 0)) {
    const zap = readRow(row, columns, separator, stepsIncludeTrigger === true, findings);
    if (!zap) {
      const last = findings.warnings.at(-1);
      if (last?.code === "row-unread") unread.push(cellsOf(row, columns, last.message));
      continue;
    }
    const { name = "" } = zap;
    const earlier = name === "" ? undefined : rowsByName.get(name);
    if (earlier) findings.at("zaps", zaps.length).add("title-repeated", { row: earlier });
    rowsByName.set(name, row.row);
    zaps.push(zap);
  }
  if (zaps.length === 0) {
    findings.fail("no-rows", { reasons: findings.warnings.map(({ message }) => message) });
  }
  const isAsked = columns.steps === "steps" && !isTasks(columns.runs);
  if (!isAsked || stepsIncludeTrigger !== undefined) return { zaps, unread };
  const heading = headings[columns.kinds.indexOf("steps")] ?? "";
  findings.add("read-as/steps", { heading });
  return { zaps, unread, unsure_steps: heading };
}

/** A row that may be a Zap, as its cells say it; blank where a cell is not for sure what it is taken for. */
export interface UnreadZap {
  readonly name: string;
  readonly action_steps: string;
  readonly runs_per_month: string;
  /** Why it is left out, in a sentence. */
  readonly reason: string;
}

function cellsOf({ cells }: Row, { kinds, steps, runs }: Columns, reason: string): UnreadZap {
  const isWhole = cells.length === kinds.length;
  const cell = (kind: Kind) => cells[kinds.indexOf(kind)] ?? "";
  return {
    name: cell("name"),
    action_steps: isWhole && steps ? cell(steps) : "",
    runs_per_month: isWhole && !READINGS[runs] ? cell(runs) : "",
    reason,
  };
}

interface Row {
  /** Counted from 1, with blank rows. */
  readonly row: number;
  /** The cells, without outer spaces. */
  readonly cells: readonly string[];
}

function parseRows(text: string, findings: CostFindings) {
  const marks = /^.*\S.*$/m.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const separator = ["\t", ";", ",", "|"].find((mark) => marks.includes(mark)) ?? ",";
  const lines = text.replace(/\r\n?/g, "\n");
  const { data, errors } = papaparse.parse(lines, { delimiter: separator, newline: "\n" });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) findings.fail("open-quote", { row: Number(broken.row) + 1 });
  const rows = data
    .map((cells, index): Row => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => !cells.every((cell) => /^:?-*:?$/.test(cell)));
  return { rows, separator };
}

/** True for a row of a Zap, and not for a heading of months, whose 2026-09 is not a number of steps. */
const isData = ({ cells: [, steps, runs = ""] }: Row): boolean =>
  findProblem(actionStepsSchema, Number(steps)) === undefined && /^\d/.test(runs);

function findColumns(headings: readonly string[], findings: CostFindings) {
  const kinds = headings.map((heading) => KINDS.get(keyOf(heading)));
  const only = (...wanted: readonly Kind[]) => {
    const kind = wanted.find((one) => kinds.includes(one));
    return kind && kinds.indexOf(kind) === kinds.lastIndexOf(kind) ? kind : undefined;
  };
  const steps = only("action steps", "steps");
  // What Zapier counted is better than steps times runs; tasks beside runs may be those of one run.
  const runs = only("tasks used", "runs", "runs a week", "runs a day", "tasks");
  if (!runs || !(steps || isTasks(runs))) return findings.fail("no-columns", { headings });
  const meaning = READINGS[runs]?.meaning;
  const heading = headings[kinds.indexOf(runs)] ?? "";
  if (meaning) findings.add("read-as", { heading, meaning });
  return { kinds, steps, runs };
}

type Columns = ReturnType<typeof findColumns>;

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
    "tasks run",
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
const READINGS: Partial<Record<Kind, { readonly times: number; readonly meaning: string }>> = {
  "runs a week": { times: 52 / 12, meaning: "runs a month: times 52 / 12" },
  "runs a day": { times: 30, meaning: "runs a month: times 30" },
  "tasks used": TASKS,
  tasks: TASKS,
};

const isTasks = (kind: Kind): boolean => READINGS[kind] === TASKS;

/** The words of a heading in any order, without those that make no difference. */
function keyOf(heading: string): string {
  const words = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, " ")
    .replace(/\b(?:monthly|mo|30 ?d(?:ays)?)\b/, "month")
    .replace(/\bweekly\b/, "week")
    .replace(/\bdaily\b/, "day")
    .trim()
    .split(" ");
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).sort().join(" ");
}

const FILLERS = new Set(
  "zap number of the a each every per in last average avg estimated est".split(" "),
);

const KINDS = new Map(
  Object.entries(HEADINGS).flatMap(([kind, headings]) =>
    headings.map((heading) => [keyOf(heading), kind as Kind]),
  ),
);

/** A row as a Zap; undefined for one that is not billed, or not one for sure. */
function readRow(
  { row, cells }: Row,
  { kinds, steps, runs }: Columns,
  separator: string,
  stepsIncludeTrigger: boolean,
  findings: CostFindings,
): ZapInput | undefined {
  const [width, count] = [kinds.length, cells.length];
  const cell = (kind: Kind) => cells[kinds.indexOf(kind)] ?? "";
  const name = cell("name");
  const place = { name, row };
  if (count !== width) return findings.add("row-unread/cells", { ...place, count, width });
  if (TOTAL.test(name)) return findings.add("zap-not-billed/total", place);
  const [isOn, isOff] = [ON, OFF].map((state) => state.test(cell("status")));
  if (isOff || ON.test(cell("paused"))) return findings.add("zap-not-billed", place);
  if (kinds.includes("status") && !isOn) return findings.add("row-unread", place);
  if (kinds.includes("name") && name === "") return findings.add("row-unread/name", place);

  const given = steps ? parseNumber(cell(steps), separator) : 1;
  const action_steps = steps === "steps" && stepsIncludeTrigger ? given - 1 : given;
  if (action_steps === 0 && given === 1) return findings.add("zap-not-billed/no-task", place);
  const times = READINGS[runs]?.times ?? 1;
  const number = parseNumber(cell(runs), separator, times > 1);
  const runs_per_month = Math.ceil(isTasks(runs) ? number / action_steps : number * times);
  for (const [kind, number, field, schema] of [
    [steps, action_steps, "action steps", actionStepsSchema],
    [runs, runs_per_month, "runs a month", runsPerMonthSchema],
  ] as const) {
    const problem = findProblem(schema, number);
    if (problem === undefined) continue;
    return Number.isNaN(number)
      ? findings.add("row-unread/number", { ...place, cell: kind ? cell(kind) : "", field })
      : findings.add("row-unread/range", { ...place, number, field, problem });
  }
  return { ...(name !== "" && { name }), action_steps, runs_per_month };
}

const ON = /^(?:on|turned on|active|enabled|live|published|running|true|yes|checked|x|1)$/i;
const OFF = /^(?:(?:turned )?off|paused|draft|disabled|inactive|stopped|unpublished|false|no|0)\b/i;

const TOTAL = /^(?:(?:grand|sub)[ -]?)?(?:total|sum|average|gesamt|summe)s?(?: ?[:(].*)?$/i;

/**
 * A whole number, with or without thousands separators; NaN for another text. A dot or a comma before
 * three digits may be a decimal mark as well: where it is a comma, spreadsheets separate cells by semicolons.
 *
 * @param isAverage true for a number that may have a fraction, such as 4.3 runs a day.
 */
function parseNumber(cell: string, separator: string, isAverage = false): number {
  const decimalMark = separator === ";" ? "," : ".";
  if (isAverage && /^\d{1,9}[.,]\d{1,2}$/.test(cell)) return Number(cell.replace(",", "."));
  const [whole = ""] = cell.split(/\.0{1,2}$/);
  const found = /^\d{1,12}$|^[1-9]\d{0,2}(?:([\s.,'’])\d{3})(?:\1\d{3}){0,2}$/.exec(whole);
  const mark = found?.[1] ?? "";
  const isDecimalMark = mark === decimalMark || (isAverage && /[.,]/.test(mark));
  const isUnsure = isDecimalMark && whole.split(mark).length === 2;
  return found && !isUnsure ? Number(whole.replace(/\D/g, "")) : Number.NaN;
}
