import type { Findings, Path } from "../../issues.ts";

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
const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The first character that XML cannot carry. */
const findNotXml = (text: string): string | undefined => NOT_XML.exec(text)?.[0];

const removeNotXml = (text: string): string => text.replace(new RegExp(NOT_XML, "gu"), "");

/** Most texts are plain, and an engine takes longer to compile a Unicode class than to match it. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Removes what shows nothing and changes nothing that shows. */
const removeInvisible = (text: string): string =>
  isPlain(text)
    ? text
    : text
        .replace(INVISIBLE, (character) => (MODIFIER.test(character) ? character : ""))
        .replace(MODIFIES_NOTHING, "");

/** The text as the eye compares it: no joiners or variants either. */
export const visibleText = (text: string): string =>
  isPlain(text) ? text : text.replace(INVISIBLE, "");

/**
 * The text with `x` for the letters and digits of any script and `é` for their marks, so that
 * a pattern of ASCII fits it.
 */
export const shapeOf = (text: string): string =>
  isPlain(text) ? text : text.replace(/[\p{L}\p{N}]/gu, "x").replace(/\p{M}/gu, "é");

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  text.replace(/\p{White_Space}+/gu, " ").trim();

/** Gmail finds words only, so a text needs a letter or a digit to be found. */
export const isSearchable = (text: string): boolean => /[a-z0-9]/i.test(shapeOf(visibleText(text)));

/**
 * Brings a text to the form in which Gmail would compare it: single spaces, nothing invisible.
 *
 * @returns undefined when it had to be refused.
 */
export function normalise(text: string, path: Path, findings: Findings): string | undefined {
  const forbidden = findNotXml(text);
  if (forbidden !== undefined) {
    findings.refuse(path, `must not contain ${codePointName(forbidden)}, which XML cannot carry`);
    return undefined;
  }
  const visible = withoutInvisible(text, path, findings);
  if (visible === "") {
    findings.refuse(path, "must not be blank");
    return undefined;
  }
  return visible;
}

/** The same for a text to search for, which needs a letter or a digit. */
export function normaliseSearchText(
  text: string,
  path: Path,
  findings: Findings,
): string | undefined {
  const normal = normalise(text, path, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  findings.refuse(path, "must contain a letter or a digit: Gmail does not search for punctuation");
  return undefined;
}

/** Names are only comments, so what XML cannot carry is removed from them rather than refused. */
export function normaliseName(name: string, path: Path, findings: Findings): string {
  const carried = removeNotXml(name);
  if (carried !== name) {
    findings.warn(
      "characters-removed",
      path,
      "characters that XML cannot carry were removed from the name",
    );
  }
  return withoutInvisible(carried, path, findings);
}

function withoutInvisible(text: string, path: Path, findings: Findings): string {
  const visible = removeInvisible(text);
  if (visible !== text) {
    findings.warn("invisible-removed", path, "invisible characters were removed");
  }
  return collapseSpaces(visible);
}

/** A pair around a phrase, English or German; a single curly quote is a character like others. */
const CURLY_PAIR = /[“„‟]([^“”„‟"]*)[”“]/gu;

/** Straightens curly quotes, which mean nothing to Gmail, and says so. */
export function straightenQuotes(text: string, path: Path, findings: Findings): string {
  const straight = text.replace(CURLY_PAIR, '"$1"');
  if (straight !== text) {
    findings.info("curly-quotes", path, "curly quotes are read as quotation marks");
  }
  return straight;
}
