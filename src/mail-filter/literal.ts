import type { Findings, Path } from "../issues.ts";
import { collapseSpaces, isSearchable, shapeOf } from "./characters.ts";

/** A word that Gmail reads as nothing but a word: no quotes needed. */
const isPlainWord = (text: string): boolean =>
  /^[\wé]+$/.test(shapeOf(text)) && !/^(?:or|and|not|around)$/i.test(text);

/** Puts a text in quotes, which make every operator and bracket in it inert. */
export const quote = (text: string): string => `"${text}"`;

/**
 * The search term that means exactly this text: a word as it is, anything else as a phrase.
 * Gmail knows no escape for a quotation mark inside a phrase and reads it as a space
 * (gmailctl #66), so it becomes one.
 *
 * @returns undefined when it had to be refused.
 */
export function literal(text: string, path: Path, findings: Findings): string | undefined {
  const wrapped = /^(?:"([^"]*)"|“([^“”]*)”)$/.exec(text);
  const content = wrapped ? (wrapped[1] ?? wrapped[2] ?? "") : text;
  const phrase = collapseSpaces(content.replaceAll('"', " "));
  if (!isSearchable(phrase)) {
    findings.refuse(path, "must contain a letter or a digit");
    return undefined;
  }
  if (content.includes('"')) {
    findings.warn(
      "quote-removed",
      path,
      `Gmail cannot search for a quotation mark; it looks for ${quote(phrase)}`,
    );
  }
  return wrapped || !isPlainWord(phrase) ? quote(phrase) : phrase;
}
