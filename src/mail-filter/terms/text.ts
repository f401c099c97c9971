import type { Findings, Path } from "../../issues.ts";
import { operatorOf } from "../gmail.ts";
import { collapseSpaces, isSearchable, shapeOf } from "./normalise.ts";

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

const OWN_ITEM = 'for "any of them" give each its own item';
const ONLY_IN_WORDS = "operators work in has_words only";

/** What in a literal text could have been meant as an operator, and what to do instead. */
interface LookAlike {
  readonly written: string;
  readonly advice: string;
}

/** Finds the first thing in a text of any field but has_words that looks like an operator. */
function findLookAlike(text: string): LookAlike | undefined {
  const unquoted = text.replace(/"[^"]*"|“[^“”]*”/g, "");
  const word = /(?:^|\s)(OR|AND|AROUND)(?=\s|$)/.exec(unquoted)?.[1];
  if (word) return { written: word, advice: word === "OR" ? OWN_ITEM : ONLY_IN_WORDS };
  if (unquoted.includes("|")) return { written: "|", advice: OWN_ITEM };
  if (/^[-!]/.test(unquoted)) {
    return { written: unquoted.charAt(0), advice: "to keep mail out, use does_not_have" };
  }
  if (/^\(.*\)$/.test(unquoted)) return { written: "()", advice: ONLY_IN_WORDS };
  if (/^\{.*\}$/.test(unquoted)) return { written: "{}", advice: OWN_ITEM };
  if (unquoted.includes("*")) {
    return { written: "*", advice: "Gmail has no wildcards and finds whole words only" };
  }
  const operator = operatorOf(unquoted);
  return operator ? { written: `${operator}:`, advice: ONLY_IN_WORDS } : undefined;
}

/** A search term that an item of a list became. */
export interface ListTerm {
  readonly text: string;
  /** The same for terms that find the same mail. */
  readonly key: string;
}

/**
 * The search term for a text in a field where operators have no meaning, with a remark on what
 * looks like one.
 *
 * @returns undefined when it had to be refused.
 */
export function textTerm(text: string, path: Path, findings: Findings): string | undefined {
  const term = literal(text, path, findings);
  const lookAlike = term === undefined ? undefined : findLookAlike(text);
  if (lookAlike) {
    findings.info(
      "operator-taken-literally",
      path,
      `${lookAlike.written} is taken literally here; ${lookAlike.advice}`,
    );
  }
  return term;
}
