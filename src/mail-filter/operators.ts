/** The operators of Gmail's search (support.google.com/mail/answer/7190), lower case. */
export const OPERATORS = [
  ...["from", "to", "cc", "bcc", "deliveredto", "subject", "list", "filename", "rfc822msgid"],
  ...["has", "is", "in", "label", "category", "size", "larger", "smaller"],
  ...["after", "before", "older", "newer", "older_than", "newer_than"],
] as const;

/** The operator that a text starts with, as it is written: `From` for `From:bob`. */
export const operatorOf = (text: string): string | undefined => PREFIX.exec(text)?.[1];

const PREFIX = new RegExp(`^(${OPERATORS.join("|")}):`, "i");
