/** The operators of Gmail's search (support.google.com/mail/answer/7190), lower case. */
const OPERATORS = [
  ...["from", "to", "cc", "bcc", "deliveredto", "subject", "list", "filename", "rfc822msgid"],
  ...["has", "is", "in", "label", "category", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
] as const;

/** What these say of a mail is not known, or always the same, when a filter looks at it. */
const JUDGED_AT_DELIVERY = [
  ...["is", "in", "label", "after", "before", "older", "newer", "older_than", "newer_than"],
];

const STATE_VALUES =
  /^has:(?:nouserlabels|userlabels|[a-z]+-(?:star|bang|check|info|guillemet|question))$/i;

const OPERATOR_PREFIX = new RegExp(`^-?(${OPERATORS.join("|")}):`, "i");

/** The operator that a token starts with, such as `from` for `-From:bob`. */
export const operatorOf = (token: string): string | undefined =>
  OPERATOR_PREFIX.exec(token)?.[1]?.toLowerCase();

/** Whether a token asks for a state that a mail does not have yet when it arrives. */
export const isJudgedAtDelivery = (token: string): boolean =>
  JUDGED_AT_DELIVERY.includes(operatorOf(token) ?? "") || STATE_VALUES.test(token);

/** One bare operator that may stand among words to exclude: `from:boss@x.com`, `list:"a b"`. */
export const isExcludableOperator = (text: string): boolean =>
  /^(?:from|to|cc|subject|list|filename|has|deliveredto|category):(?:[\p{L}\p{N}@][\p{L}\p{M}\p{N}_.@+-]*|"[^"]*[\p{L}\p{N}][^"]*")$/iu.test(
    text,
  );

/** What in a literal text could have been meant as an operator, in words. */
export function operatorLookAlike(text: string): string | undefined {
  const word = /(?:^|\s)(OR|AND|NOT|AROUND)(?=\s|$)/.exec(text)?.[1];
  if (word) return word;
  if (text.includes("|")) return "|";
  if (/^[-!]/.test(text)) return text.charAt(0);
  if (/^(?:\(.*\)|\{.*\})$/.test(text)) return `${text.charAt(0)}${text.at(-1)}`;
  if (text.includes("*")) return "*";
  const operator = operatorOf(text);
  return operator && `${operator}:`;
}
