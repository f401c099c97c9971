import type { ItemFindings } from "../findings.ts";
import { isOperator } from "../gmail.ts";

/**
 * Writes a text as Gmail compares it: with single spaces, and without invisible characters.
 *
 * @returns undefined when it was rejected.
 */
function normalise(text: string, findings: ItemFindings): string | undefined {
  if (isTidy(text)) return text;
  const forbidden = NOT_XML.exec(text)?.[0];
  if (forbidden !== undefined) {
    findings.add("not-xml", { character: codePointName(forbidden) });
    return undefined;
  }
  const visible = tidyText(text, findings);
  if (visible === "") {
    findings.add("blank");
    return undefined;
  }
  return visible;
}

/**
 * A label as it was typed, its spaces included, since for Gmail `A / B` and `A/B` are different
 * labels. White space of other kinds becomes spaces.
 *
 * @returns undefined when it was rejected.
 */
export function normaliseLabel(text: string, findings: ItemFindings): string | undefined {
  if (normalise(text, findings) === undefined) return undefined;
  const typed = isTidy(text) ? text : removeInvisible(text).replace(/\p{White_Space}/gu, " ");
  const tidy = tidyLabel(typed);
  if (typed !== tidy) findings.add("label-spaces", { tidy });
  return typed;
}

const tidyLabel = (label: string): string =>
  collapseSpaces(label)
    .split("/")
    .map((segment) => segment.trim())
    .join("/");

/** Normalises a text to search for, which needs a letter or a digit. */
export function normaliseSearchText(text: string, findings: ItemFindings): string | undefined {
  const normal = normalise(text, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  findings.add("not-searchable");
  return undefined;
}

/** Normalises a name. It is only a comment, so characters that XML cannot carry are removed. */
export function normaliseName(name: string, findings: ItemFindings): string {
  if (isTidy(name)) return name;
  const carried = name.replace(new RegExp(NOT_XML, "gu"), "");
  if (carried !== name) findings.add("read-as/carried");
  return tidyText(carried, findings);
}

/** Printable ASCII with single spaces between words: most texts, and nothing to normalise. */
const isTidy = (text: string): boolean => /^[!-~]+(?: [!-~]+)*$/.test(text);

/** `U+0007`, for messages: the character itself would not show. */
const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * Characters that XML 1.0 cannot carry in any form, not even as a reference:
 * most controls, lone surrogates, U+FFFE and U+FFFF (XML 1.0, production 2, Char).
 */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function tidyText(text: string, findings: ItemFindings): string {
  const visible = removeInvisible(text);
  if (visible !== text) findings.add("read-as/visible");
  return collapseSpaces(visible);
}

/** Removes the invisible characters that change nothing visible. */
export const removeInvisible = (text: string): string =>
  isPrintableAscii(text)
    ? text
    : text
        .replace(INVISIBLE, (character) => (MODIFIER.test(character) ? character : ""))
        .replace(MODIFIES_NOTHING, "");

/** Invisible characters, which can hide a difference between two texts. */
const INVISIBLE = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** The invisible characters that emoji and some scripts need: joiners, variation selectors, tags. */
const MODIFIER = /[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]/u;

const MODIFIES_NOTHING = new RegExp(String.raw`(?<=^|\p{White_Space})${MODIFIER.source}+`, "gu");

/** The text without any invisible character, joiners and variation selectors included. */
export const removeAllInvisible = (text: string): string =>
  isPrintableAscii(text) ? text : text.replace(INVISIBLE, "");

/** Gmail finds words only, so a text needs a letter or a digit to be found. */
export const isSearchable = (text: string): boolean =>
  /[a-z0-9]/i.test(text) ||
  (!isPrintableAscii(text) && /[\p{L}\p{N}]/u.test(removeAllInvisible(text)));

/**
 * The text with `x` for the letters and digits of any script and `é` for their marks, so that
 * a pattern of ASCII fits it.
 */
export const toAsciiPattern = (text: string): string =>
  isPrintableAscii(text) ? text : text.replace(/[\p{L}\p{N}]/gu, "x").replace(/\p{M}/gu, "é");

/** Most texts are plain ASCII; for those the Unicode classes below need not be compiled. */
const isPrintableAscii = (text: string): boolean => !/[^ -~]/.test(text);

/** One plain space for each run of white space of any kind, none at the ends. */
export const collapseSpaces = (text: string): string =>
  isTidy(text) ? text : text.replace(/\p{White_Space}+/gu, " ").trim();

/** Reads `from：x`, or a `from:` with an invisible character in it, as the operator that it looks like. */
export function straightenOperators(text: string, findings: ItemFindings): string {
  if (isPrintableAscii(text)) return text;
  const straight = text.replace(BEFORE_COLON, (written: string, word: string | undefined) => {
    const plain = word === undefined ? "" : removeAllInvisible(word).normalize("NFKC");
    return isOperator(plain.replace(/^-/, "")) ? `${plain}:` : written;
  });
  if (straight !== text) findings.add("read-as", { term: straight });
  return straight;
}

/** A phrase, which stays as it is, or a word and a colon of any width. */
const BEFORE_COLON = /"[^"]*"|([^\s"(){}|:：﹕︓]+)[:：﹕︓]/gu;

/** Straightens curly quotes, which mean nothing to Gmail, with an info. */
export function straightenQuotes(text: string, findings: ItemFindings): string {
  if (isPrintableAscii(text)) return text;
  const straight = text.replace(CURLY_PAIR, (written: string, phrase: string | undefined) =>
    phrase === undefined ? written : `"${phrase}"`,
  );
  if (straight !== text) findings.add("read-as/quotes");
  return straight;
}

/**
 * A phrase in straight quotes, which stays as it is, or a pair around one, English or German. A
 * single curly quote stays as it is too.
 */
const CURLY_PAIR = /"[^"]*"|[“„‟]([^“”„‟"]*)[”“]/gu;
