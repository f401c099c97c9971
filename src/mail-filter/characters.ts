/**
 * Characters that XML 1.0 cannot carry in any form, not even as a reference:
 * most controls, lone surrogates, U+FFFE and U+FFFF (XML 1.0, production 2, Char).
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Characters that show nothing of themselves and can hide a difference. */
const INVISIBLE = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Of those, what emoji and several scripts need after a character: joiners, variants, tags. */
const MODIFIER = /[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]/u;
const MODIFIES_NOTHING = new RegExp(String.raw`(?<=^|\p{White_Space})${MODIFIER.source}+`, "gu");

/** `U+0007`, for messages: the character itself would not show. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The first character that XML cannot carry. */
export const findNotXml = (text: string): string | undefined => NOT_XML.exec(text)?.[0];

export const removeNotXml = (text: string): string => text.replace(new RegExp(NOT_XML, "gu"), "");

/** Removes what shows nothing and changes nothing that shows. */
export const removeInvisible = (text: string): string =>
  text
    .replace(INVISIBLE, (character) => (MODIFIER.test(character) ? character : ""))
    .replace(MODIFIES_NOTHING, "");

/** The text as the eye compares it: no joiners or variants either. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, "");

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  text.replace(/\p{White_Space}+/gu, " ").trim();

/** Gmail finds words only, so a text needs a letter or a digit to be found. */
export const isSearchable = (text: string): boolean => /[\p{L}\p{N}]/u.test(visibleText(text));
