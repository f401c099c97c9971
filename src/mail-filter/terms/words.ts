import type { Findings, Path } from "../../issues.ts";
import { type Condition, remarkOnState } from "../gmail.ts";
import {
  allGroups,
  bareWord,
  findEmptyTerm,
  type Group,
  isGroup,
  parseExpression,
  type Term,
  unquotedWords,
  writeGroup,
  writeTerm,
} from "./expression.ts";
import { straightenQuotes } from "./normalise.ts";
import { type ListTerm, literal } from "./text.ts";

/**
 * Remarks on unquoted words of `has_words` that Gmail may not read as their author does.
 *
 * @param joiners the lower-case words that look like an OR or AND where these words stand.
 */
function remarkOnWords(
  words: readonly string[],
  joiners: readonly string[],
  path: Path,
  findings: Findings,
): void {
  if (words.includes("NOT")) {
    findings.warn(
      "not-operator",
      path,
      'Gmail has no NOT and searches it as a word; write -word or -"a phrase"',
    );
  }
  if (words.some((word) => joiners.includes(word))) {
    findings.info(
      "lower-case-operator",
      path,
      'lower-case "or" and "and" are searched as words; write OR or AND to join alternatives',
    );
  }
  if (words.some((word) => word.includes("*"))) {
    findings.info(
      "operator-taken-literally",
      path,
      "* stands for nothing here: Gmail has no wildcards and finds whole words only",
    );
  }
  if (words.includes("AROUND")) {
    findings.info(
      "operator-taken-literally",
      path,
      "AROUND is taken literally here; write it between two terms with a number, as in a AROUND 5 b",
    );
  }
  const minus = words.find((word) => /^--?[^-]/.test(word));
  if (minus !== undefined) {
    findings.info(
      "operator-taken-literally",
      path,
      `the - of ${minus} is taken literally here; write one minus and a word to keep mail out`,
    );
  }
}

/** Remarks on what Gmail reads differently from what the author of an expression may mean. */
function remarkOnExpression(expression: Group, path: Path, findings: Findings): void {
  const groups = allGroups(expression);
  const conditions = new Map(
    conditionsOf(expression, false).map((condition) => [JSON.stringify(condition), condition]),
  );
  for (const condition of conditions.values()) remarkOnState(condition, path, findings);

  const spaced = groups.flatMap((group) => group.terms).find((term) => term.spaced);
  if (spaced) {
    findings.warn(
      "space-after-operator",
      path,
      `write ${spaced.operator}: without a space after it`,
    );
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(expression)) {
    findings.info(
      "unquoted-words",
      path,
      'words without quotes are looked for one by one; put a phrase in quotes, as in "out of office"',
    );
  }
  if (isOnlyExclusions(expression)) {
    findings.info("only-excludes", path, "only keeps mail out; does_not_have is meant for that");
  }
  const words = unquotedWords(expression);
  if (words.some((word) => word.includes("!"))) {
    findings.warn("exclamation-mark", path, "Gmail may read ! as a minus; put the text in quotes");
  }
  remarkOnWords(words, ["or", "and"], path, findings);
}

/** Every `operator:value`, and whether the minuses around it keep its mail out. */
const conditionsOf = (group: Group, excluded: boolean): readonly Condition[] =>
  group.terms.flatMap(({ negated, operator, operand }) => {
    const keptOut = negated !== excluded;
    if (operator === undefined) return isGroup(operand) ? conditionsOf(operand, keptOut) : [];
    const value = isGroup(operand) ? writeGroup(operand) : operand.text;
    return [{ operator, value, excluded: keptOut }];
  });

/** `out of office OR vacation`: Gmail does not take the words beside an OR together. */
const hasUnquotedPhrase = ({ terms, joiners }: Group): boolean =>
  joiners.includes("OR") &&
  terms.some((term, index) => {
    const next = terms[index + 1];
    return joiners[index] === "" && next && isBare(term) && isBare(next);
  });

/** `Invoice (copy)`: a text in which brackets are no more than punctuation. */
const isTextWithBrackets = (expression: Group): boolean =>
  expression.terms.some(isBare) &&
  allGroups(expression).every(
    ({ bracket, terms, joiners }) =>
      bracket !== "{" &&
      joiners.every((joiner) => joiner === "") &&
      terms.every((term) => isBare(term) || isBareGroup(term)),
  );

const isBare = (term: Term): boolean => bareWord(term) !== undefined;

const isBareGroup = ({ negated, operator, operand }: Term): boolean =>
  !negated && operator === undefined && isGroup(operand);

const isOnlyExclusions = ({ terms, joiners }: Group): boolean =>
  terms.every(({ negated }) => negated) && !joiners.includes("OR");

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
