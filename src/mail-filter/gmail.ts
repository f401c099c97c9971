import { GMAIL_LIMITS, MAX_MESSAGE_MB } from "../../schemas/mail-filter.ts";

/**
 * In UTF-16 units. Gmail rejects searches from about 1,470 characters on (3b-mailbox measured 1,469,
 * others up to 1,488).
 */
export const MAX_SEARCH_LENGTH = GMAIL_LIMITS.itemLength;

/** The maximum of a Gmail account (API reference, filters.create). */
export const MAX_FILTERS = GMAIL_LIMITS.filters;

/** According to Google's filter guide, 10 MB are 10,485,760 bytes. */
export const BYTES_PER_MB = 1_048_576;

/** Returns the range of bytes that `5M` can mean: no source says whether M is 1,000,000 or 1,048,576. */
export function sizeBounds(value: string): { low: number; high: number } | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([mk]?)b?$/.exec(value.toLowerCase()) ?? [];
  const [low = 1, high = 1] = { m: [1e6, BYTES_PER_MB], k: [1000, 1024] }[unit] ?? [];
  return number === undefined
    ? undefined
    : { low: Number(number) * low, high: Number(number) * high };
}

export const exceedsMaxMessageSize = (bytes: number): boolean =>
  bytes >= MAX_MESSAGE_MB * BYTES_PER_MB;

type OperatorKind = keyof typeof OPERATORS_BY_KIND;

/** The operators of Gmail's search (support.google.com/mail/answer/7190). */
const OPERATORS_BY_KIND = {
  // Gmail accepts replyto, although the help does not mention it (gmailctl #199).
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

/** A pattern of all operators, without the colon. */
export const OPERATOR_NAMES = [...OPERATOR_KINDS.keys()].join("|");

export const operatorKind = (operator: string | undefined): OperatorKind | undefined =>
  operator === undefined ? undefined : OPERATOR_KINDS.get(operator.toLowerCase());

/** Returns the operator at the start, as it is written: `From` for `From:bob`. */
export const readOperator = (text: string): string | undefined =>
  text.includes(":") ? OPERATOR_PREFIX.exec(text)?.[1] : undefined;

const OPERATOR_PREFIX = new RegExp(`^(${OPERATOR_NAMES}):`, "i");

export const isOperator = (word: string): boolean => operatorKind(word) !== undefined;

/**
 * Returns a word that looks like an operator but is not, as in `sender:boss@x.com`. Ignores words that
 * often precede a colon, as in `https://x.com`.
 */
export const findUnknownOperator = (text: string): string | undefined => {
  if (!text.includes(":")) return undefined;
  const word = LOOKS_LIKE_OPERATOR.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return word === undefined || isOperator(word) || COMMON_BEFORE_COLON.test(word)
    ? undefined
    : word;
};

const LOOKS_LIKE_OPERATOR = [
  /^-?([a-z]{2,}|[a-z]+(?:[_-][a-z]+)+):[\w@"'({<]/i,
  // Colons are common in other scripts, so only before an address: `от:boss@x.com`.
  /^-?(\p{L}{2,}):\S*@/iu,
  // Before a space, only the operators of other mail programs: `sender: boss`.
  /^-?(sender|list-?id|recipients?|hasattachments?):(?:\s|$)/i,
];

const COMMON_BEFORE_COLON = /^(?:re|fw|fwd|aw|wg|sv|tr|https?|ftp|mailto|tel|urn|file|ref)$/i;

/** Gmail has no wildcards, so `*@x.com`, `*x.com` and `*.x.com` become `@x.com`. */
export const removeWildcard = (word: string): string =>
  word.replace(/^\*\.?(?=[^*@\s]+\.)|^\*@/, "@");

/** Also turns `.ru`, `*.ru` and `*@*.ru` into `@ru`. */
export const asDomain = (word: string): string =>
  removeWildcard(word.replace(/^(?:\*@)?\*?\.(?=[^@*\s]+$)/, "@"));

/** Returns the ending if the whole value is one that many domains share: `co.uk` for `@co.uk`. */
export const broadEnding = (text: string): string | undefined => {
  const ending = text.replace(/^@/, "");
  return DOMAIN_ENDING.test(ending) || /^@[^.@\s]+$/.test(text) ? ending : undefined;
};

/** Endings of domains that anyone can register, unlike `gov.uk`. */
const DOMAIN_ENDING = /^(?:(?:com?|net|org|ltd|ne|or)\.[a-z]{2}|com|net|org)$/i;

/** Whether Gmail reads the value of an operator as another operator. */
export const isReservedValue = (value: string): boolean => /^(?:OR|AND)$/.test(value);
