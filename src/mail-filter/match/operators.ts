import { DAY_MS, readAge, readDay, sizeBounds } from "../terms/operator-values.ts";
import type { MatchOptions } from "./mail-message.ts";
import { type Matcher, prepareFindings, unknownMatcher } from "./matcher.ts";
import { findInText, type WantedWord } from "./wanted-word.ts";

/**
 * Matches mail above or below a size in bytes. How Gmail counts a mail is not known to the octet, so
 * near the bound the answer is unknown.
 *
 * @param low the least that the bound can mean, and `high` the most.
 */
export function boundMatcher(term: string, low: number, high = low): Matcher {
  const { yes, no, unknown } = prepareFindings(
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

/** Matches a size: `larger:5M`. */
export function sizeMatcher(term: string, value: string): Matcher {
  const size = sizeBounds(value);
  return size
    ? boundMatcher(term, size.low, size.high)
    : unknownMatcher(term, "is not a size that Gmail documents");
}

/** Matches mail with an attachment. Inline images count (Gmail's help 7190); of a part without a name it is not known. */
export function attachmentMatcher(term: string): Matcher {
  const { yes, no, unknown } = prepareFindings(
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

/** Matches the name of an attachment, or its extension: `filename:report.pdf`, `filename:pdf` (help 7190). */
export function fileNameMatcher(term: string, word: WantedWord): Matcher {
  const wanted: WantedWord = { ...word, address: undefined, isExact: true };
  const { yes, no, unknown } = prepareFindings(
    term,
    "is the name of an attachment",
    "is not the name of an attachment",
    "may be the name of an attachment",
  );
  return (mail) => {
    const names = mail.text("attachments");
    if (!names) return unknown;
    const verdict = findInText(names, wanted);
    if (verdict !== "no") return verdict === "yes" ? yes : unknown;
    return mail.message.attachments?.some(({ name }) => name === undefined) ? unknown : no;
  };
}

/** Matches mail by its folder: of mail that arrives, only whether it is spam may be open. */
export function folderMatcher(term: string, folder: string): Matcher {
  if (folder === "anywhere") return () => ({ term, verdict: "yes", reason: "is true of all mail" });
  const { no, unknown } = prepareFindings(
    term,
    "",
    "is not true of mail that arrives",
    "asks for what only Gmail knows",
  );
  const isOfSpam = folder === "spam";
  return ({ message: { labels = [] } }) => (isOfSpam && labels.some(isSpam) ? unknown : no);
}

/** True for the label of spam, in any language of Gmail. */
export const isSpam = (label: string): boolean => SPAM.test(label);

const SPAM =
  /^(?:spam|nevyžádan.*|rämpsp.*|roskaposti?|skräppost|søppelpost|neželena.*|нежелана.*|спам|ανεπιθύμητ.*|迷惑メール|垃圾(?:邮件|郵件)|스팸함?|غير المرغوب.*|الرسائل غير المرغوب.*|ספאם|דואר זבל|สแปม|จดหมายขยะ|thư rác|स्पैम)$/i;

/**
 * Matches a date or an age: `after:2026/01/31`, `older_than:3d`. The sender sets the Date header, so
 * within a day of the bound the answer is unknown.
 */
export function dateMatcher(
  term: string,
  operator: string,
  value: string,
  { now }: MatchOptions,
): Matcher {
  const isAge = operator.endsWith("_than");
  const range = isAge ? readAge(value) : readDay(value);
  if (!range) return unknownMatcher(term, "is not a date that Gmail documents");
  if (isAge && now === undefined) return unknownMatcher(term, "depends on the time");
  const end = Date.parse(now ?? "");
  const bound = isAge ? { low: end - range.high * DAY_MS, high: end - range.low * DAY_MS } : range;
  const {
    yes,
    no,
    unknown: near,
  } = prepareFindings(
    term,
    "matches its date",
    "does not match its date",
    "is too close to its date, or its date is unknown",
  );
  const [later, earlier] = /^(?:after|newer)/.test(operator) ? [yes, no] : [no, yes];
  return ({ message: { date } }) => {
    const at = date === undefined ? Number.NaN : Date.parse(date);
    if (at > bound.high + DAY_MS) return later;
    return at < bound.low - DAY_MS ? earlier : near;
  };
}
