/**
 * Characters that XML 1.0 cannot carry in any form, not even as a reference:
 * most controls, lone surrogates, U+FFFE and U+FFFF (XML 1.0, production 2, Char).
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/**
 * Characters that show nothing and can hide a difference: C1 controls, soft hyphen, zero-width
 * spaces and joins, bidi controls, the byte order mark. U+200C and U+200D stay, because emoji
 * and several scripts need them.
 */
const INVISIBLE =
  /[\u{7F}-\u{84}\u{86}-\u{9F}\u{AD}\u{61C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2064}\u{2066}-\u{2069}\u{FEFF}]/u;

const all = (pattern: RegExp) => new RegExp(pattern.source, "gu");

/** `U+0007`, for messages: the character itself would not show. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The first character that XML cannot carry. */
export const findNotXml = (text: string): string | undefined => NOT_XML.exec(text)?.[0];

export const removeNotXml = (text: string): string => text.replace(all(NOT_XML), "");

export const removeInvisible = (text: string): string => text.replace(all(INVISIBLE), "");

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  text.replace(/\p{White_Space}+/gu, " ").trim();

/** Gmail finds words only, so a text needs a letter or a digit to be found. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
