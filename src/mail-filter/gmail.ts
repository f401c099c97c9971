import { GMAIL_LIMITS, MAX_MESSAGE_MB } from "../../schemas/mail-filter.ts";

/**
 * Gmail stops accepting filters reliably at about 1,470 characters (3b-mailbox measured 1,469,
 * others up to 1,488); this leaves room. Counted in UTF-16 units of the search string.
 */
export const MAX_SEARCH_LENGTH = GMAIL_LIMITS.itemLength;

/** The most filters that Gmail keeps in an account (API reference, filters.create). */
export const MAX_FILTERS = GMAIL_LIMITS.filters;

/** Google's filter guide equates 10 MB and 10,485,760 bytes. */
export const BYTES_PER_MB = 1_048_576;

/** `5M`, as the fewest and the most bytes. Whether M means 1,000,000 in a search is not known, nor whether K means 1,000. */
export function sizeBounds(value: string): { low: number; high: number } | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([mk]?)b?$/.exec(value.toLowerCase()) ?? [];
  const [low = 1, high = 1] = { m: [1e6, BYTES_PER_MB], k: [1000, 1024] }[unit] ?? [];
  return number === undefined
    ? undefined
    : { low: Number(number) * low, high: Number(number) * high };
}

/** True for a size in bytes that no mail in Gmail has. */
export const exceedsMaxMessageSize = (bytes: number): boolean =>
  bytes >= MAX_MESSAGE_MB * BYTES_PER_MB;

type OperatorKind = keyof typeof OPERATORS_BY_KIND;

/** The operators of the Gmail search (support.google.com/mail/answer/7190), lower case. */
const OPERATORS_BY_KIND = {
  // replyto is not in the help, but Gmail accepts it (gmailctl #199).
  address: ["from", "to", "cc", "bcc", "deliveredto", "replyto"],
  list: ["list"],
  content: ["subject", "filename", "rfc822msgid", "category"],
  state: ["has", "is", "in", "label"],
  size: ["size", "larger", "smaller"],
  since: ["after", "newer", "newer_than"],
  until: ["before", "older", "older_than"],
} as const;

const OPERATOR_KINDS: ReadonlyMap<string, OperatorKind> = new Map(
  Object.entries(OPERATORS_BY_KIND).flatMap(([kind, operators]) =>
    operators.map((operator) => [operator, kind as OperatorKind]),
  ),
);

/** A pattern of all operators, without their colon. */
export const OPERATORS = [...OPERATOR_KINDS.keys()].join("|");

/** The kind of an operator, in any case; undefined for a word that is no operator. */
export const operatorKind = (operator: string | undefined): OperatorKind | undefined =>
  operator === undefined ? undefined : OPERATOR_KINDS.get(operator.toLowerCase());

/** The operator that a text starts with, as it is written: `From` for `From:bob`. */
export const readOperator = (text: string): string | undefined =>
  text.includes(":") ? OPERATOR_PREFIX.exec(text)?.[1] : undefined;

const OPERATOR_PREFIX = new RegExp(`^(${OPERATORS}):`, "i");

/** True for an operator without its colon. */
export const isOperator = (word: string): boolean => operatorKind(word) !== undefined;

/**
 * The word before a colon at the start of a text, where it looks like an operator and is not one,
 * as in `sender:boss@x.com`; undefined for a word that often has a colon, as in `https://x.com`.
 */
export const findUnknownOperator = (text: string): string | undefined => {
  if (!text.includes(":")) return undefined;
  const word = LOOKS_LIKE_OPERATOR.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return word === undefined || isOperator(word) || COMMON_BEFORE_COLON.test(word)
    ? undefined
    : word;
};

/** Words that look like an operator by what follows their colon. */
const LOOKS_LIKE_OPERATOR = [
  /^-?([a-z]{2,}|[a-z]+(?:[_-][a-z]+)+):[\w@"'({<]/i,
  // In other scripts, where many texts have a colon, only before an address: `от:boss@x.com`.
  /^-?(\p{L}{2,}):\S*@/iu,
  // Before a space only what other mail programs have as an operator: `sender: boss`.
  /^-?(sender|list-?id|recipients?|hasattachments?):(?:\s|$)/i,
];

const COMMON_BEFORE_COLON = /^(?:re|fw|fwd|aw|wg|sv|tr|https?|ftp|mailto|tel|urn|file|ref)$/i;

/** A word without a star before a domain: Gmail has no wildcards, so `*@x.com`, `*x.com` and `*.x.com` are `@x.com`. */
export const removeWildcard = (word: string): string =>
  word.replace(/^\*\.?(?=[^*@\s]+\.)|^\*@/, "@");

/** As `withoutStar()`, and `@ru` for `.ru`, `*.ru` and `*@*.ru`, which among people are no mere words. */
export const asDomain = (word: string): string =>
  removeWildcard(word.replace(/^(?:\*@)?\*?\.(?=[^@*\s]+$)/, "@"));

/** The ending of very many domains that a text consists of: `co.uk` for `@co.uk`. */
export const broadEnding = (text: string): string | undefined => {
  const ending = text.replace(/^@/, "");
  return ENDING.test(ending) || /^@[^.@\s]+$/.test(text) ? ending : undefined;
};

/** The endings of very many domains of anyone, unlike those of a country's offices and schools (`gov.uk`). */
const ENDING = /^(?:(?:com?|net|org|ltd|ne|or)\.[a-z]{2}|com|net|org)$/i;

/** True for the value of an operator that Gmail reads as another operator. */
export const isReservedValue = (value: string): boolean => /^(?:OR|AND)$/.test(value);
