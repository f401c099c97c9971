/**
 * A text that the databases can store, listmonk's as well: U+FFFD replaces U+0000, which PostgreSQL
 * lacks, and lone surrogates, which none has.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");
