import { BYTES_PER_MB } from "../gmail.ts";
import { type Condition, findings, unknown } from "./condition.ts";
import type { MatchOptions } from "./mail-message.ts";
import { phraseOf, wordsIn } from "./search-text.ts";

/**
 * A size in bytes, more or less than which a mail must have. How Gmail counts a mail is not known to
 * the octet, so near the bound nothing is.
 *
 * @param low the least that the bound can mean, and `high` the most.
 */
export function sizeCondition(term: string, low: number, high = low): Condition {
  const { yes, no, unknown } = findings(
    term,
    "matches its size",
    "does not match its size",
    "is too close to its size, or its size is unknown",
  );
  const [above, below] = term.toLowerCase().startsWith("smaller") ? [no, yes] : [yes, no];
  return ({ message: { bytes } }) => {
    if (bytes === undefined) return unknown;
    if (bytes > high * (1 + NEAR)) return above;
    return bytes < low * (1 - NEAR) ? below : unknown;
  };
}

const NEAR = 0.03;

/** `larger:5M`. Whether M means 1,000,000 in a search is not known, nor whether K means 1,000. */
export function sizeSearch(term: string, value: string): Condition {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([mk]?)b?$/i.exec(value) ?? [];
  if (number === undefined) return unknown(term, "is not a size that Gmail documents");
  const [low, high] = UNITS[unit.toLowerCase()] ?? [1, 1];
  return sizeCondition(term, Number(number) * low, Number(number) * high);
}

/** The least and the most bytes that a unit can mean. */
const UNITS: Readonly<Record<string, readonly [number, number]>> = {
  m: [1e6, BYTES_PER_MB],
  k: [1000, 1024],
};

/** Gmail's help 7190: inline images count. Of a part without a name it is not known. */
export function hasAttachment(term: string): Condition {
  const { yes, no, unknown } = findings(
    term,
    "finds an attachment",
    "finds no attachment",
    "may find an attachment that Gmail does not count",
  );
  return ({ message: { attachments } }) => {
    if (attachments?.length === 0) return no;
    return attachments?.some(({ name }) => name !== undefined) ? yes : unknown;
  };
}

/** `filename:report.pdf` by its words, `filename:pdf` by its extension (help 7190). */
export function fileName(term: string, value: string): Condition {
  const phrase = phraseOf(wordsIn(value));
  const { yes, no, unknown } = findings(
    term,
    "is the name of an attachment",
    "is not the name of an attachment",
    "may be the name of an attachment",
  );
  return (mail) => {
    const names = mail.text("attachments");
    if (!names) return unknown;
    const verdict = names.find(phrase);
    if (verdict !== "no") return verdict === "yes" ? yes : unknown;
    return mail.message.attachments?.some(({ name }) => name === undefined) ? unknown : no;
  };
}

const DAY = 86_400_000;

/** `after:2026/01/31`, `older_than:3d`. The mail's date is its sender's, so a day nothing is known. */
export function dateCondition(
  term: string,
  operator: string,
  value: string,
  { now }: MatchOptions,
): Condition {
  const bound = operator.endsWith("_than") ? daysBefore(now, value) : dayOf(value);
  if (!bound) {
    const isRelative = operator.endsWith("_than") && now === undefined;
    return unknown(term, isRelative ? "depends on the time" : "is not a date that Gmail documents");
  }
  const {
    yes,
    no,
    unknown: near,
  } = findings(
    term,
    "matches its date",
    "does not match its date",
    "is too close to its date, or its date is unknown",
  );
  const [later, earlier] = /^(?:after|newer)/.test(operator) ? [yes, no] : [no, yes];
  return ({ message: { date } }) => {
    const at = date === undefined ? Number.NaN : Date.parse(date);
    if (at > bound.last + DAY) return later;
    return at < bound.first - DAY ? earlier : near;
  };
}

/** The first and the last moment that a bound can mean. */
interface Bound {
  readonly first: number;
  readonly last: number;
}

/** Help 7190 writes 2004/04/16 and 04/16/2004; the API's guide has seconds since 1970 too. */
function dayOf(value: string): Bound | undefined {
  if (/^\d{9,10}$/.test(value)) {
    return { first: Number(value) * 1000, last: Number(value) * 1000 };
  }
  const [, year, month = "", day = ""] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(value) ??
    /^(?=\d+[-/]\d+[-/](\d{4})$)(\d{1,2})[-/](\d{1,2})/.exec(value) ??
    [];
  if (year === undefined) return undefined;
  const first = Date.parse(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00Z`);
  return Number.isNaN(first) ? undefined : { first, last: first + DAY };
}

/** The time that lies so many days, months or years before another. */
function daysBefore(now: string | undefined, value: string): Bound | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([dmy])$/i.exec(value) ?? [];
  if (now === undefined || count === undefined) return undefined;
  const [least, most] = DAYS[unit.toLowerCase()] ?? [1, 1];
  const at = Date.parse(now);
  return { first: at - Number(count) * most * DAY, last: at - Number(count) * least * DAY };
}

/** The least and the most days of a unit. */
const DAYS: Readonly<Record<string, readonly [number, number]>> = {
  m: [28, 31],
  y: [365, 366],
};
