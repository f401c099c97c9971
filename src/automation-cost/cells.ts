import { actionStepsSchema, runsPerMonthSchema } from "../../schemas/automation-cost.ts";
import { findProblem } from "../issues.ts";

export interface Unit {
  readonly name: string;
  /** How many there are in the longest month: 31 days, 23 weekdays, parts of 5 weeks. */
  readonly times: number;
  readonly words: RegExp;
}

const UNITS: readonly Unit[] = [
  { name: "minute", times: 44_640, words: /^(?:mins?|minutes?)$/ },
  { name: "hour", times: 744, words: /^(?:h|hrs?|hours?|hourly)$/ },
  { name: "day", times: 31, words: /^(?:d|days?|daily)$/ },
  { name: "weekday", times: 23, words: /^(?:week|work)days?$/ },
  { name: "week", times: 5, words: /^(?:w|wk|weeks?|weekly)$/ },
  { name: "month", times: 1, words: /^(?:mo|months?|monthly)$/ },
];

/** Finds the unit of a word: "daily" is a day. */
export const findUnit = (word: string): Unit | undefined =>
  UNITS.find(({ words }) => words.test(word));

/** The number in a cell. */
export interface Cell {
  readonly text: string;
  readonly value: number;
  /** The unit of a rate, such as 15/day. */
  readonly unit?: Unit | undefined;
  /** Continues the name of the column: "must not be blank". */
  readonly problem?: string | undefined;
}

/** Reads action steps: `2` or `**2**`. */
export function readSteps(cell: string): Cell {
  const { text, number, unit } = parseCellNumber(cell);
  const value = unit ? Number.NaN : number;
  return checkCell({ text, value }, actionStepsSchema, "must be a whole number, such as 2");
}

/**
 * Reads runs a month: `1,200`, `1.2k`, `2 million`, `~20`, or a rate: `15/day`, `twice a week`,
 * `hourly` or `every 15 minutes`.
 *
 * @param heading the unit of the column, for a number without a unit.
 */
export function readRuns(cell: string, heading?: Unit): Cell {
  const { text, number, unit } = parseCellNumber(cell, heading);
  const { times } = unit ?? { times: 1 };
  const runs = roundToSixDecimals(number * times);
  const cellValue = times > 1 ? { text, value: Math.ceil(runs), unit } : { text, value: runs };
  return checkCell(
    cellValue,
    runsPerMonthSchema,
    "must be a whole number or a rate, such as 1,200 or 15/day",
  );
}

function checkCell(cell: Cell, schema: Parameters<typeof findProblem>[0], wrong: string): Cell {
  if (Number.isInteger(cell.value)) return { ...cell, problem: findProblem(schema, cell.value) };
  return { ...cell, problem: cell.text === "" ? "must not be blank" : wrong };
}

/** Removes the errors of binary fractions: 1.1 times 50 is 55. */
const roundToSixDecimals = (value: number): number => Number(value.toFixed(6));

function parseCellNumber(cell: string, heading?: Unit) {
  const text = plainText(cell);
  const words = text.toLowerCase().replace(/\s+/g, " ");
  const [, interval, period = ""] = INTERVAL.exec(words) ?? [];
  const each = findUnit(period);
  if (each) return { text, unit: each, number: 1 / Number(interval) };
  const [, minus = "", digits, scale, rest = ""] =
    NUMBER_WITH_UNIT.exec(words.replace(/^once\b/, "1").replace(/^twice\b/, "2")) ?? [];
  const [isRead, word = ""] = RATE_SUFFIX.exec(rest) ?? [];
  const own = findUnit(word);
  const unit = own ?? heading;
  const isAverage = scale !== undefined || (unit !== undefined && unit.times > 1);
  const count = digits === undefined ? own && 1 : parseDigits(digits, isAverage);
  if (count === undefined || isRead === undefined || (word !== "" && !own))
    return { text, unit, number: Number.NaN };
  const scaled = roundToSixDecimals(count * (SCALES[scale ?? ""] ?? 1));
  return { text, unit, number: minus ? -scaled : scaled };
}

/** "every 2 hours", also without "every": "15 min" means every 15 minutes. */
const INTERVAL = /^(?:every )?(\d{1,4}) ?((?<=^every .*)[a-z]+|min|minute|hr|hour|[a-z]+s)$/;

const NUMBER_WITH_UNIT = /^[~≈]? ?([-−])?(\d(?:[\d .,'’]*\d)?)?(?: ?(k|million)(?![a-z]))? ?(.*)$/;

const SCALES: Readonly<Record<string, number>> = { k: 1_000, million: 1_000_000 };

/** The rest after a number: nothing, "runs", "/day", "runs per day" or "x weekly". */
const RATE_SUFFIX = /^(?:x|times|runs?|tasks?)? ?(?:(?:\/|per|an?|each|every)? ?([a-z]+))?$/;

/** Reads `1200`, `1,200` with any mark for thousands, and in an average `4.3`. Others give NaN. */
function parseDigits(digits: string, isAverage: boolean): number {
  const [, mark] = /^[1-9]\d{0,2}([ .,'’])\d{3}(?:\1\d{3}){0,2}$/.exec(digits) ?? [];
  // A dot before three digits may be a decimal mark in an average.
  if (mark) return isAverage && mark === "." ? Number.NaN : Number(digits.replace(/\D/g, ""));
  const isRead = isAverage ? /^\d{1,12}(?:[.,]\d{1,9})?$/ : /^\d{1,12}(?:\.0{1,2})?$/;
  return isRead.test(digits) ? Number(digits.replace(",", ".")) : Number.NaN;
}

/** Whether a status means on; undefined if it is unclear. A struck-out On is off. */
export function readStatus(cell: string): boolean | undefined {
  const words = plainText(cell)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  if (words === "") return STATUS_SYMBOLS.find(([symbols]) => symbols.test(cell))?.[1];
  const isOff = OFF_WORDS.has(words) || OFF_WORDS.has(words.split(" ")[0] ?? "");
  if (cell.includes("~~")) return ON_WORDS.has(words) ? false : undefined;
  return ON_WORDS.has(words) || (isOff ? false : undefined);
}

const ON_WORDS = new Set(
  "on,turned on,active,enabled,live,published,running,true,yes,checked,x,1".split(","),
);
const OFF_WORDS = new Set(
  "off,turned off,paused,draft,disabled,inactive,stopped,unpublished,false,no,0".split(","),
);
const STATUS_SYMBOLS = [
  [/[✅✔✓☑🟢]/u, true],
  [/[❌✖✗⏸⏹🔴⛔]/u, false],
] as const;

/** Whether a row is a total, by its whole name: "Grand total". */
export function isTotal(name: string): boolean {
  const words = plainText(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");
  const telling = words.replace(/\b(?:grand|monthly|per month|tasks)\b/g, "").trim();
  return /^(?:totals?|sub ?total|sum|average|overall|all +zaps)$/.test(telling);
}

/** Removes the Markdown around a cell. */
export function plainText(cell: string): string {
  const text = cell.trim();
  // The patterns take quadratic time, and no name or number is this long.
  if (text.length > 1_000) return `${text.slice(0, 1_000)}…`;
  const isMarked = /^([*_`~]).*\1$/s.test(text);
  const inner = isMarked ? text.replace(/^[*_`~]+|[*_`~]+$/g, "") : text;
  return inner.replace(/^\[([^\]]*)\]\([^)]*\)$/, "$1");
}
