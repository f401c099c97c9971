import type { Findings, Path } from "../issues.ts";
import { findEmptyTerm } from "./empty-term.ts";
import {
  bareWord,
  type Group,
  isGroup,
  unquotedWords,
  writeGroup,
  writeTerm,
} from "./expression.ts";
import { remarkOnExpression } from "./expression-remarks.ts";
import { literal } from "./literal.ts";
import { parseExpression } from "./parse-expression.ts";
import { straightenQuotes } from "./straighten-quotes.ts";
import type { ListTerm } from "./text-term.ts";
import { remarkOnWords } from "./words-remarks.ts";

/** One term of `has_words`; all of them are required. */
export interface WordsTerm extends ListTerm {
  /** What Gmail reads; undefined for a word or a phrase. */
  readonly expression: Group | undefined;
}

/**
 * The search term of one normalised item of `has_words`: a phrase for plain words, the item
 * itself for an expression, in brackets where an operator could reach over to its neighbours.
 *
 * @returns undefined when it had to be refused.
 */
export function wordsTerm(item: string, path: Path, findings: Findings): WordsTerm | undefined {
  const text = straightenQuotes(item, path, findings);
  const parsed = parseExpression(text);
  if ("fault" in parsed) {
    findings.refuse(path, parsed.fault);
    return undefined;
  }
  const { expression } = parsed;
  if (isPlain(expression) || isPhrase(expression)) {
    remarkOnWords(unquotedWords(expression), ["or"], path, findings);
    const phrase = literal(text, path, findings);
    return phrase === undefined
      ? undefined
      : { text: phrase, key: phrase.toLowerCase(), expression: undefined };
  }
  const empty = findEmptyTerm(expression);
  if (empty) {
    findings.refuse(path, `has nothing to search for in ${writeTerm(empty)}`);
    return undefined;
  }
  remarkOnExpression(expression, path, findings);
  return {
    text: reachesOut(expression) ? `(${text})` : text,
    key: writeGroup(expression, (word) => word.toLowerCase()),
    expression,
  };
}

/** Nothing but words; brackets glued to one, as in `f(x)`, belong to it. */
const isPlain = ({ terms, joiners }: Group): boolean =>
  joiners.every((joiner) => joiner === "") &&
  terms.every((term) => bareWord(term) !== undefined || isPlainBracket(term));

const isPlainBracket = ({ glued, operand }: Group["terms"][number]): boolean =>
  glued && isGroup(operand) && isPlain(operand);

const isPhrase = ({ terms: [term, ...others] }: Group): boolean =>
  others.length === 0 && term !== undefined && /^"/.test(writeTerm(term));

/** Whether an operator could take in what stands before or after the expression. */
const reachesOut = ({ terms, joiners }: Group): boolean =>
  joiners.some((joiner) => joiner === "OR" || joiner.startsWith("AROUND")) ||
  terms.some((term) => /^AROUND$|[-!]$/.test(bareWord(term) ?? ""));
