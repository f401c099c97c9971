import { actionStepsSchema, runsPerMonthSchema } from "../../schemas/automation-cost.ts";
import { findProblem } from "../issues.ts";

/** A unit of time, and how often it is in the longest month. */
export interface Unit {
  readonly name: string;
  readonly times: number;
  readonly words: RegExp;
}

/** The longest month: 31 days, 23 weekdays and the beginning of 5 weeks. */
const UNITS: readonly Unit[] = [
  { name: "minute", times: 44_640, words: /^min(?:ute)?s?$/ },
  { name: "hour", times: 744, words: /^(?:h|hrs?|hours?|hourly)$/ },
  { name: "day", times: 31, words: /^(?:d|days?|daily)$/ },
  { name: "weekday", times: 23, words: /^(?:week|work)days?$/ },
  { name: "week", times: 5, words: /^(?:w|wk|weeks?|weekly)$/ },
  { name: "month", times: 1, words: /^(?:mo|months?|monthly)$/ },
];

/** The unit that a word names: "daily" is a day. */
export const unitOf = (word: string): Unit | undefined =>
  UNITS.find(({ words }) => words.test(word));

/** A cell as a number, and its unit where it is a rate; or why it is none, to be read after its name. */
interface Cell {
  readonly text: string;
  readonly value: number;
  readonly unit: Unit | undefined;
  readonly problem: string | undefined;
}

/** Reads the action steps of a Zap: `2` or `**2**`. */
export function readSteps(cell: string): Cell {
  const { text, value, unit } = readNumber(cell);
  const isCount = unit === undefined && Number.isInteger(value);
  const wrong = text === "" ? BLANK : "must be a whole number, such as 2";
  return { text, value, unit, problem: isCount ? findProblem(actionStepsSchema, value) : wrong };
}

/**
 * Reads the runs of a Zap: `1,200`, `1.2k` or `~20` a month, or a rate such as `15/day`, `2 a week`,
 * `hourly` or `every 15 minutes`.
 *
 * @param heading the unit of a number without one.
 */
export function readRuns(cell: string, heading?: Unit): Cell {
  const { text, value: number, every, unit } = readNumber(cell, heading);
  const times = unit?.times ?? 1;
  const isRate = times > 1;
  const runs = rounded((number * times) / every);
  const value = isRate ? Math.ceil(runs) : runs;
  const wrong = text === "" ? BLANK : "must be a number, such as 1,200 or 15/day";
  const problem = Number.isInteger(value) ? findProblem(runsPerMonthSchema, value) : wrong;
  return { text, value, unit: isRate ? unit : undefined, problem };
}

const BLANK = "must not be blank";

/** Without the errors of binary fractions: 1.1 times 50 is 55. */
const rounded = (value: number): number => Number(value.toFixed(6));

function readNumber(cell: string, heading?: Unit) {
  const text = plainText(cell);
  const short = text.length > MAX_LENGTH ? "" : text.toLowerCase().replace(/\s+/g, " ");
  const [, digits, k, rest = ""] = NUMBER.exec(short) ?? [];
  const [, every = "1", word = ""] = RATE.exec(rest) ?? [];
  const own = unitOf(word);
  const unit = own ?? heading;
  const isRead = rest === "" || own !== undefined || (digits !== undefined && NOUN.test(rest));
  const isCount = !k && (unit?.times ?? 1) === 1;
  const number = digits === undefined ? (own ? 1 : Number.NaN) : parseDigits(digits, isCount);
  const value = isRead ? rounded(number * (k ? 1_000 : 1)) : Number.NaN;
  return { text, value, unit, every: Number(every) };
}

const NUMBER = /^[~≈]? ?(\d(?:[\d .,'’]*\d)?)?(?: ?(k)(?![a-z]))? ?(.*)$/;

/** What follows the number of a rate: "/day", "runs per day", "x weekly" or, without one, "every 2 hours". */
const RATE = /^(?:x|times|runs?|tasks?)? ?(?:\/|per|an?|each|every)? ?(\d{1,2} )?([a-z]+)$/;

const NOUN = /^(?:x|times|runs?|tasks?)$/;

/** `1200`, or `1,200` with any mark for thousands; in a rate also `4.3` and `4,3`. NaN for other digits. */
function parseDigits(digits: string, isCount: boolean): number {
  if (/^\d{1,12}$/.test(digits)) return Number(digits);
  const fraction = isCount ? /^\d{1,9}\.0{1,2}$/ : /^\d{1,9}[.,]\d{1,2}$|^0[.,]\d{3,9}$/;
  if (fraction.test(digits)) return Number(digits.replace(",", "."));
  const [, mark] = /^[1-9]\d{0,2}([ .,'’])\d{3}(?:\1\d{3}){0,2}$/.exec(digits) ?? [];
  // A dot before three digits may be a decimal mark in an average.
  const isUnsure = mark === "." && !isCount && digits.split(".").length === 2;
  return mark && !isUnsure ? Number(digits.replace(/\D/g, "")) : Number.NaN;
}

/** Whether a status says on; undefined for one that says neither. A struck out On is off. */
export function readStatus(cell: string): boolean | undefined {
  const words = plainText(cell)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  if (words === "") return SYMBOLS.find(([symbols]) => symbols.test(cell))?.[1];
  const isOff = OFF.has(words) || OFF.has(words.split(" ")[0] ?? "");
  if (cell.includes("~~")) return ON.has(words) ? false : undefined;
  return ON.has(words) || (isOff ? false : undefined);
}

const ON = new Set(
  "on,turned on,active,enabled,live,published,running,true,yes,checked,x,1".split(","),
);
const OFF = new Set(
  "off,turned off,paused,draft,disabled,inactive,stopped,unpublished,false,no,0".split(","),
);
const SYMBOLS = [
  [/[✅✔✓☑🟢]/u, true],
  [/[❌✖✗⏸⏹🔴⛔]/u, false],
] as const;

/** Whether a name says that its row adds up others: the whole of it, as in "Grand total". */
export function isTotal(name: string): boolean {
  const words = plainText(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ");
  const telling = words.replace(/\b(?:grand|monthly|per month|tasks)\b/g, "").trim();
  return TOTALS.has(telling.replace(/\s+/g, " "));
}

const TOTALS = new Set("total,totals,subtotal,sub total,sum,average,overall,all zaps".split(","));

/** A cell without the marks of Markdown around it. */
export function plainText(cell: string): string {
  const text = cell.trim();
  if (text.length > MAX_LENGTH) return text;
  const isMarked = /^([*_`~]).*\1$/s.test(text);
  const inner = isMarked ? text.replace(/^[*_`~]+|[*_`~]+$/g, "") : text;
  return inner.replace(/^\[([^\]]*)\]\([^)]*\)$/, "$1");
}

/** No number and no mark is longer: the time for a long text would grow with its square. */
const MAX_LENGTH = 1_000;
