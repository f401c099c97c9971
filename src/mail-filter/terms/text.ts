import type { ItemDiagnostics } from "../diagnostics.ts";
import type { ListField } from "../fields.ts";
import { readOperator } from "../gmail.ts";
import { collapseSpaces, isSearchable, removeInvisible, toAsciiPattern } from "./normalise.ts";

/**
 * The search term for a text in a field where operators have no meaning. Warns about what looks
 * like an operator.
 *
 * @returns undefined when it was rejected.
 */
export function textTerm(text: string, diagnostics: ItemDiagnostics): string | undefined {
  const plain = plainTerm(text);
  if (plain !== undefined) return plain;
  const term = literal(text, diagnostics);
  const lookAlike = term === undefined ? undefined : findLookAlike(text);
  if (lookAlike) {
    diagnostics.info(
      "operator-taken-literally",
      `${lookAlike.written} is taken literally here; ${lookAlike.advice}`,
    );
  }
  return term;
}

/**
 * The search term for one normalised item of `subject`.
 *
 * @returns undefined when it was rejected.
 */
export function subjectTerm(text: string, diagnostics: ItemDiagnostics): string | undefined {
  const negated = /^[-!]("[^"]*"|[^\s\-!"]\S*)/.exec(text);
  if (negated) {
    diagnostics.reject(
      `must not start with ${text.charAt(0)}; to keep mail out, use \`does_not_have\`, as in ${example("subject", negated[1])}`,
    );
    return undefined;
  }
  warnAboutMinus(text, "subject", diagnostics);
  return textTerm(text, diagnostics);
}

/** Warns about - or ! before a later word of a text, which Gmail's search would exclude. */
export function warnAboutMinus(
  text: string,
  operator: ListField,
  diagnostics: ItemDiagnostics,
): void {
  const found = /\s[-!]/.test(text) ? Array.from(text.matchAll(PHRASE_OR_MINUS)) : [];
  const [, sign = "", word = ""] =
    found.find(([, , excluded = ""]) => isSearchable(excluded)) ?? [];
  if (word !== "") {
    diagnostics.warn(
      "operator-taken-literally",
      `the ${sign} of ${sign}${word} is taken literally here; to keep mail out, use \`does_not_have\`, as in ${example(operator, word)}`,
    );
  }
}

/** A phrase, or a word or phrase with a sign before it. */
const PHRASE_OR_MINUS = /"[^"]*"|\s([-!])("[^"]*"|[^\s\-!"][^\s"]*)/g;

/** An item of `does_not_have` for what was written after a sign; of brackets, an example. */
function example(operator: ListField, written = ""): string {
  if (/["(){}]/.test(written.replace(/^"[^"]+"$/, ""))) return `${operator}:"a b"`;
  const other = readOperator(written);
  if (other !== undefined) return written === `${other}:` ? `${written}"a b"` : written;
  const isPlain = /^(?:[a-z0-9@][\wé.@+/-]*|".*")$/i.test(toAsciiPattern(written));
  return `${operator}:${isPlain ? written : quote(written)}`;
}

/** The term for plain words, which most texts are: nothing in them can be misread. */
export const plainTerm = (text: string): string | undefined => {
  if (!/^_*[a-z0-9]\w*(?: \w+)*$/i.test(text) || /\b(?:or|and|not|around)\b/i.test(text))
    return undefined;
  return text.includes(" ") ? quote(text) : text;
};

/**
 * The search term that means exactly this text: a word as it is, anything else as a phrase.
 * Gmail knows no escape for a quotation mark inside a phrase and reads it as a space
 * (gmailctl #66), so it becomes one.
 *
 * @returns undefined when it was rejected.
 */
export function literal(text: string, diagnostics: ItemDiagnostics): string | undefined {
  const wrapped = /^(?:"([^"]*)"|“([^“”]*)”)$/.exec(text);
  const content = wrapped ? (wrapped[1] ?? wrapped[2] ?? "") : text;
  // A joiner joins nothing once the quotation mark or bracket before it is gone.
  const phrase = collapseSpaces(removeInvisible(content.replaceAll('"', " ")));
  if (!isSearchable(phrase)) {
    diagnostics.reject("must contain a letter or a digit");
    return undefined;
  }
  if (content.includes('"')) {
    diagnostics.warn(
      "quote-removed",
      `Gmail cannot search for a quotation mark; it looks for ${quote(phrase)}`,
    );
  }
  return wrapped || !isPlainWord(phrase) ? quote(phrase) : phrase;
}

/** A word that Gmail reads as nothing but a word: no quotes needed. */
const isPlainWord = (text: string): boolean =>
  /^[\wé]+$/.test(toAsciiPattern(text)) && !/^(?:or|and|not|around)$/i.test(text);

/** Puts a text in quotes, which make every operator and bracket in it inert. */
export const quote = (text: string): string => `"${text}"`;

/** A part of a text that may be meant as an operator, and what to write instead. */
interface LookAlike {
  readonly written: string;
  readonly advice: string;
}

/** Finds the first part of a text that looks like an operator, in a field other than has_words. */
function findLookAlike(text: string): LookAlike | undefined {
  const unquoted = text.replace(/"[^"]*"|“[^“”]*”/g, "");
  const word = /(?:^|\s)(OR|AND|AROUND)(?=\s|$)/.exec(unquoted)?.[1];
  if (word) return { written: word, advice: word === "OR" ? OWN_ITEM : ONLY_IN_WORDS };
  if (unquoted.includes("|")) return { written: "|", advice: OWN_ITEM };
  if (/^[-!]/.test(unquoted)) {
    return { written: unquoted.charAt(0), advice: "to keep mail out, use `does_not_have`" };
  }
  if (/^\(.*\)$/.test(unquoted)) return { written: "()", advice: ONLY_IN_WORDS };
  if (/^\{.*\}$/.test(unquoted)) return { written: "{}", advice: OWN_ITEM };
  if (unquoted.includes("*")) {
    return { written: "*", advice: "Gmail has no wildcards and finds whole words only" };
  }
  const exact = /(?:^|\s)\+[({]*\p{L}/u.test(unquoted);
  if (exact) return { written: "+", advice: ONLY_IN_WORDS };
  const operator = readOperator(unquoted);
  return operator ? { written: `${operator}:`, advice: ONLY_IN_WORDS } : undefined;
}

const OWN_ITEM = 'for "any of them" give each its own item';

const ONLY_IN_WORDS = "operators work in `has_words` only";
