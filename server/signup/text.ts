/**
 * A text that the databases can store, listmonk's as well: U+FFFD replaces U+0000, which PostgreSQL
 * lacks, and lone surrogates, which none has.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Marks that turn the direction of writing. Joiners, which Persian names have, do not. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A dot within a word and before two letters, of any kind that browsers take for one in a host. */
const DOT_IN_WORD = /(?<=\S)([.\u3002\uff0e\uff61])(?=[\p{L}\p{M}\p{N}-]{2})/gu;

/** A name as mails may show it: mail programs make a link of `a.bc`, and none of `a. bc`. */
export const nameForMail = (name: string): string =>
  storableText(name).replace(BIDI, "").trim().replace(DOT_IN_WORD, "$1 ");
