import type { ItemFindings } from "../findings.ts";
import { BYTES_PER_MB, isAboveAnyMail, operatorKind } from "../gmail.ts";
import type { FoundLeaf, SearchLeaf } from "./search.ts";

/** Warns about an operator that Gmail judges when the mail arrives, or whose value Gmail does not document. */
export function warnAboutValue(leaf: FoundLeaf, findings: ItemFindings): void {
  const { operator, text, excluded } = leaf;
  if (operator === undefined) return;
  const wanted = wantedValue(operator, text);
  const isTooLarge =
    operator === "larger" && !excluded && isAboveAnyMail(sizeBounds(text)?.high ?? 0);
  if (wanted === undefined && !isTooLarge && !isState(leaf)) return;
  const written = `${excluded ? "-" : ""}${operator}:${text}`;
  if (wanted !== undefined) {
    findings.add("unknown-value", { written, wanted });
  } else if (isTooLarge) {
    findings.add("larger-than-any-mail", { written });
  } else {
    const isTrue = excluded !== isTrueOfNewMail(leaf);
    findings.add(isTrue ? "judged-at-delivery/true" : "judged-at-delivery", { written });
  }
}

/** New mail is new, has no label and is `in:anywhere`. */
const isTrueOfNewMail = ({ operator, text }: SearchLeaf): boolean =>
  operatorKind(operator) === "since" || /^(?:nouserlabels|anywhere)$/i.test(text);

/**
 * True for `is:`, `in:`, `label:`, dates, and `has:` with a star or labels: Gmail decides them at
 * delivery, so a filter on them hardly ever works as meant.
 */
function isState({ operator, text }: SearchLeaf): boolean {
  const kind = operatorKind(operator);
  if (operator === "has") return !FILES.includes(text.toLowerCase());
  return kind === "state" || kind === "since" || kind === "until";
}

/** True for a leaf that asks for a date, or for what Gmail or other filters may change. */
export const asksForState = (leaf: SearchLeaf): boolean =>
  isState(leaf) || leaf.operator === "category";

/** The least and the most that a value can mean. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** `5M`, in bytes. Whether M means 1,000,000 in a search is not known, nor whether K means 1,000. */
export function sizeBounds(value: string): Range | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([mk]?)b?$/i.exec(value) ?? [];
  if (number === undefined) return undefined;
  const [low, high] = BYTES[unit.toLowerCase()] ?? [1, 1];
  return { low: Number(number) * low, high: Number(number) * high };
}

/** The least and the most bytes of a unit. */
const BYTES: Readonly<Record<string, readonly [number, number]>> = {
  m: [1e6, BYTES_PER_MB],
  k: [1000, 1024],
};

export const DAY_MS = 86_400_000;

/**
 * A day, in milliseconds since 1970. Help 7190 writes 2004/04/16 and 04/16/2004; the API's guide has
 * seconds since 1970 too.
 */
export function readDay(value: string): Range | undefined {
  if (/^\d{9,10}$/.test(value)) return { low: Number(value) * 1000, high: Number(value) * 1000 };
  const [, year, month, day] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(value) ??
    /^(?=\d+[-/]\d+[-/](\d{4})$)(\d{1,2})[-/](\d{1,2})/.exec(value) ??
    [];
  const low = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // A 13th month or a 31st of February would count on into the next.
  const isDay = new Date(low).getUTCMonth() + 1 === Number(month) && Number(day) > 0;
  return isDay ? { low, high: low + DAY_MS } : undefined;
}

/** `3d`, `2m` or `1y`, in days. */
export function readAge(value: string): Range | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([dmy])$/i.exec(value) ?? [];
  if (count === undefined) return undefined;
  const [low, high] = DAYS[unit.toLowerCase()] ?? [1, 1];
  return { low: Number(count) * low, high: Number(count) * high };
}

/** The least and the most days of a unit. */
const DAYS: Readonly<Record<string, readonly [number, number]>> = {
  m: [28, 31],
  y: [365, 366],
};

/** A reader of values in lower case, which gives undefined for any other text; and the form of the values. */
type Values = readonly [read: (value: string) => unknown, form: string];

const SIZE: Values = [sizeBounds, "a number of bytes, or one with K or M, as in 5M"];
const DAY: Values = [readDay, "a day, as in 2026/01/31"];
const AGE: Values = [readAge, "a number with d, m or y, as in 30d"];

const oneOf = (known: readonly string[], more = /^$/): Values => [
  (value) => known.find((name) => name === value) ?? more.exec(value) ?? undefined,
  `one of ${known.join(", ")}`,
];

const STARS = /^[a-z]+-(?:star|bang|check|info|guillemet|question)$/;
const FILES = ["attachment", "drive", "document", "spreadsheet", "presentation", "youtube"];
const TABS = ["primary", "social", "promotions", "updates", "forums", "reservations", "purchases"];

/** The operators whose values Gmail documents (help 7190); others take any text. */
const VALUES: ReadonlyMap<string, Values> = new Map([
  ...["size", "larger", "smaller"].map((operator) => [operator, SIZE] as const),
  ...["after", "before", "newer", "older"].map((operator) => [operator, DAY] as const),
  ...["newer_than", "older_than"].map((operator) => [operator, AGE] as const),
  ["has", oneOf([...FILES, "userlabels", "nouserlabels"], STARS)],
  ["is", oneOf(["important", "starred", "unread", "read", "muted", "snoozed", "chat"])],
  ["category", oneOf(TABS)],
]);

/** The form of the values that an operator takes, for a value that Gmail does not document. */
const wantedValue = (operator: string, value: string): string | undefined => {
  const [read, form] = VALUES.get(operator) ?? [];
  return read?.(value.toLowerCase()) === undefined ? form : undefined;
};
