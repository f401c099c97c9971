import type { ItemDiagnostics } from "./diagnostics.ts";

/**
 * Gmail stops taking filters reliably at about 1,470 characters (3b-mailbox measured 1,469,
 * others up to 1,488); this leaves room. Counted in UTF-16 units of the search string.
 */
export const MAX_SEARCH_LENGTH = 1400;

/** The most filters that Gmail keeps in an account (API reference, filters.create). */
export const MAX_FILTERS = 1000;

/** The operators of Gmail's search (support.google.com/mail/answer/7190), lower case. */
export const OPERATORS = [
  ...["from", "to", "cc", "bcc", "deliveredto", "subject", "list", "filename", "rfc822msgid"],
  ...["has", "is", "in", "label", "category", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
] as const;

/** The operator that a text starts with, as it is written: `From` for `From:bob`. */
export const operatorOf = (text: string): string | undefined =>
  text.includes(":") ? PREFIX.exec(text)?.[1] : undefined;

const PREFIX = new RegExp(`^(${OPERATORS.join("|")}):`, "i");

/** Whether a word without its colon is an operator. */
export const isOperator = (word: string): boolean => operatorOf(`${word}:`) !== undefined;

/**
 * The word before a colon at the start of a text that looks like an operator and is none, as in
 * `sender:boss@x.com`; undefined for what is often written so, as in `https://x.com` or `Re:hello`.
 */
export const unknownOperatorOf = (text: string): string | undefined => {
  const word = text.includes(":") ? LIKE_AN_OPERATOR.exec(text)?.slice(1).find(Boolean) : undefined;
  return word === undefined || isOperator(word) || COMMON_BEFORE_COLON.test(word)
    ? undefined
    : word;
};

/** In other scripts, where a colon stands in many texts, only before an address: `от:boss@x.com`. */
const LIKE_AN_OPERATOR = /^-?(?:([a-z]{2,}(?:_[a-z]+)*):[\w@"']|(\p{L}{2,}):\S*@)/iu;

const COMMON_BEFORE_COLON = /^(?:re|fw|fwd|aw|wg|sv|tr|https?|ftp|mailto|tel|urn|file|ref)$/i;

/** What is wrong with a value that Gmail takes for an operator of its own, to be read after its path. */
export const reservedValue = (operator: string, value: string): string | undefined =>
  /^(?:OR|AND)$/.test(value)
    ? `has ${value} as the value of ${operator}:, which Gmail reads as an operator; write ${operator}:"${value}"`
    : undefined;

/** A condition of the form `operator:value`. */
export interface Condition {
  readonly operator: string;
  readonly value: string;
  /** Mail that meets it is kept out. */
  readonly excluded: boolean;
}

/** Warns about a condition that is judged when the mail arrives. */
export function warnAboutState(condition: Condition, diagnostics: ItemDiagnostics): void {
  if (!isStateCondition(condition)) return;
  const { operator, value, excluded } = condition;
  const written = `${excluded ? "-" : ""}${operator}:${value}`;
  const holds = excluded !== isTrueOfNewMail(condition);
  if (holds) {
    diagnostics.info(
      "judged-at-delivery",
      `${written} nearly always holds when a mail arrives, so it may change nothing`,
    );
  } else {
    diagnostics.warn(
      "judged-at-delivery",
      `${written} rarely holds when a mail arrives; filters that use it seldom match`,
    );
  }
}

/** Mail that arrives is new, has no label, and is somewhere. */
const isTrueOfNewMail = ({ operator, value }: Condition): boolean =>
  /^(?:after|newer|newer_than)$/i.test(operator) || /\b(?:nouserlabels|anywhere)\b/i.test(value);

/** Whether a condition asks for a state that a mail does not have yet when it arrives. */
const isStateCondition = ({ operator, value }: Condition): boolean =>
  mayAskForState(operator) && (operator.toLowerCase() !== "has" || STATE_VALUE.test(value));

/** Whether some value of an operator is a state. */
export const mayAskForState = (operator: string): boolean =>
  STATE_OPERATORS.includes(operator.toLowerCase());

/** These ask for something that is unknown, or always the same, when a mail arrives; has: only with some values. */
const STATE_OPERATORS = [
  ...["is", "in", "label", "has", "after", "before", "older", "newer", "older_than", "newer_than"],
];

const STATE_VALUE =
  /\b(?:userlabels|nouserlabels|[a-z]+-(?:star|bang|check|info|guillemet|question))\b/i;
