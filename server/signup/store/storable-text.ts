/**
 * A text as both databases can keep it. PostgreSQL knows no U+0000 and neither knows lone
 * surrogates: U+FFFD stands in their place.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");
