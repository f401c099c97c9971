import type { ItemDiagnostics } from "../diagnostics.ts";
import { findUnknownOperator, reservedValue } from "../gmail.ts";
import {
  allGroups,
  bareWord,
  findEmptyTerm,
  type Group,
  hasPrefix,
  isGroup,
  isPlainGroup,
  parseExpression,
  type Term,
  unquotedWords,
  writeGroup,
  writeTerm,
} from "./expression.ts";
import { straightenOperators, straightenQuotes } from "./normalise.ts";
import { warnAboutValue } from "./operator-values.ts";
import {
  anyOf,
  groupToSearch,
  hasExclamation,
  listLeaves,
  OR,
  parseListTerm,
  type Search,
} from "./search.ts";
import { literal, plainTerm } from "./text.ts";

/** A term of a list: a part of the search that the list is written as. */
export interface ListTerm {
  readonly text: string;
  /** Equal for terms of a list that differ in case alone. */
  readonly key: string;
  readonly search: Search;
}

/** One term of `has_words`; all of them are required. */
export interface WordsTerm extends ListTerm {
  /** False for a word or a phrase. */
  readonly isExpression: boolean;
}

/**
 * The search term of one normalised item of `has_words`: a phrase for plain words, the item
 * itself for an expression, in brackets where an operator could reach over to its neighbours.
 *
 * @returns undefined when it was rejected.
 */
export function wordsTerm(item: string, diagnostics: ItemDiagnostics): WordsTerm | undefined {
  const plain = plainTerm(item);
  if (plain !== undefined) return textWords(plain);
  const text = straightenOperators(straightenQuotes(item, diagnostics), diagnostics);
  const parsed = parseExpression(text);
  if ("problem" in parsed) {
    diagnostics.reject(parsed.problem);
    return undefined;
  }
  const { expression } = parsed;
  if (hasOnlyWords(expression) || isPhrase(expression)) {
    warnAboutWords(unquotedWords(expression), ["or"], diagnostics);
    warnAboutExclamation(expression, diagnostics);
    const phrase = literal(text, diagnostics);
    return phrase === undefined ? undefined : textWords(phrase);
  }
  const empty = findEmptyTerm(expression);
  if (empty) {
    diagnostics.reject(`has nothing to search for in ${writeTerm(empty)}`);
    return undefined;
  }
  const reserved = findReservedValue(expression);
  if (reserved !== undefined) {
    diagnostics.reject(reserved);
    return undefined;
  }
  const search = groupToSearch(expression);
  warnAboutExpression(expression, search, diagnostics);
  return {
    text: reachesOut(expression) ? `(${text})` : text,
    key: writeGroup(expression, (word) => word.toLowerCase()),
    search,
    isExpression: true,
  };
}

/**
 * The alternatives of a term that is nothing but a list of them, as `(a OR b)`, `{a b}` or `from:(a|b)`:
 * each alone is a part of what the term finds. None for any other term.
 */
export function listAlternatives({ text, search }: WordsTerm): readonly ListTerm[] {
  const parsed = parseExpression(text);
  // A search of another kind may be read in several ways, which its parts would not keep.
  if ("problem" in parsed || search.kind !== "any") return [];
  const terms = findAlternatives(parsed.expression) ?? [];
  return terms.map((term) => {
    const written = writeTerm(term);
    return { text: written, key: written.toLowerCase(), search: groupToSearch(groupOf(term)) };
  });
}

function findAlternatives({ bracket, terms, joiners }: Group): readonly Term[] | undefined {
  const [only, ...others] = terms;
  if (only && others.length === 0) {
    const { negated, exact, operator, operand } = only;
    if (negated || exact || !isGroup(operand)) return undefined;
    const inner = findAlternatives(operand);
    if (operator === undefined) return inner;
    return inner?.every((term) => !hasPrefix(term) && !isGroup(term.operand))
      ? inner.map((term) => ({ ...term, operator }))
      : undefined;
  }
  const joins = bracket === "{" ? ["OR", ""] : ["OR"];
  const areApart = terms.every(({ glued }) => !glued);
  return areApart && joiners.slice(0, -1).every((joiner) => joins.includes(joiner))
    ? terms
    : undefined;
}

const groupOf = (term: Term): Group => ({
  bracket: "",
  terms: [term],
  joiners: [""],
  hasWord: true,
});

/** One term for any of the alternatives. */
export function joinAlternatives(alternatives: readonly ListTerm[]): WordsTerm {
  const text = `(${alternatives.map((alternative) => alternative.text).join(OR)})`;
  const search = anyOf(alternatives.map((alternative) => alternative.search));
  return { text, key: text.toLowerCase(), search, isExpression: true };
}

const textWords = (text: string): WordsTerm => ({
  text,
  key: text.toLowerCase(),
  search: parseListTerm(text),
  isExpression: false,
});

/** True for nothing but words; brackets glued to one, as in `f(x)`, belong to it. */
export const hasOnlyWords = ({ terms, joiners }: Group): boolean =>
  joiners.every((joiner) => joiner === "") &&
  terms.every((term) => bareWord(term) !== undefined || isPlainBracket(term));

const isPlainBracket = ({ glued, exact, operand }: Term): boolean =>
  glued && !exact && isGroup(operand) && hasOnlyWords(operand);

const isPhrase = ({ terms: [term, ...others] }: Group): boolean =>
  others.length === 0 &&
  term !== undefined &&
  !hasPrefix(term) &&
  !isGroup(term.operand) &&
  term.operand.quoted;

/** The problem of the first operator whose value Gmail would read as another operator. */
const findReservedValue = (expression: Group): string | undefined =>
  allGroups(expression)
    .flatMap(({ terms }) => terms)
    .map(({ operator, operand }) =>
      operator === undefined || isGroup(operand) || operand.quoted
        ? undefined
        : reservedValue(operator, operand.text),
    )
    .find((problem) => problem !== undefined);

/** True when an operator could join the text before or after the expression. */
const reachesOut = ({ terms, joiners }: Group): boolean =>
  joiners.some((joiner) => joiner === "OR" || joiner.startsWith("AROUND")) ||
  terms.some((term) => /^AROUND$|[-!]$/.test(bareWord({ ...term, exact: false }) ?? ""));

/**
 * Warns about unquoted words of `has_words` that Gmail may not read as their author does.
 *
 * @param joiners the lower-case words that may be meant as OR or AND here.
 */
function warnAboutWords(
  words: readonly string[],
  joiners: readonly string[],
  diagnostics: ItemDiagnostics,
): void {
  const unknown = words.map(findUnknownOperator).find((word) => word !== undefined);
  if (unknown !== undefined) {
    diagnostics.warn(
      "unknown-operator",
      `${unknown}: is not a Gmail operator and is searched as text`,
    );
  }
  warnAboutNot(words, diagnostics);
  if (words.some((word) => joiners.includes(word))) {
    diagnostics.info(
      "lower-case-operator",
      'lower-case "or" and "and" are searched as words; write OR or AND to join alternatives',
    );
  }
  if (words.some((word) => word.includes("*"))) {
    diagnostics.info(
      "operator-taken-literally",
      "* has no meaning here: Gmail has no wildcards and finds whole words only",
    );
  }
  if (words.includes("AROUND")) {
    diagnostics.info(
      "operator-taken-literally",
      "AROUND is taken literally here; write it between two terms with a number, as in a AROUND 5 b",
    );
  }
  const minus = words.find((word) => /^--?[^-]/.test(word));
  if (minus !== undefined) {
    diagnostics.info(
      "operator-taken-literally",
      `the - of ${minus} is taken literally here; write one minus and a word to keep mail out`,
    );
  }
}

/** Warns about a ! that may be meant as a minus, as in `a !b` and `a !(b c)`, where it is a text. */
function warnAboutExclamation({ terms }: Group, diagnostics: ItemDiagnostics): void {
  const index = terms.findIndex((term, at) => {
    const word = bareWord(term) ?? "";
    return /^!.*[\p{L}\p{N}]/u.test(word) || (/^!+$/.test(word) && terms[at + 1]?.glued);
  });
  const term = terms[index];
  const next = terms[index + 1];
  if (!term) return;
  const excluded = writeTerm(term) + (next?.glued ? writeTerm(next) : "");
  diagnostics.warn(
    "operator-taken-literally",
    `the ! of ${excluded} is taken literally here; write a minus before a word, a phrase or a bracket to keep mail out`,
  );
}

function warnAboutNot(words: readonly string[], diagnostics: ItemDiagnostics): void {
  if (words.includes("NOT")) {
    diagnostics.warn(
      "not-operator",
      'Gmail has no NOT and searches it as a word; write -word or -"a phrase"',
    );
  }
}

/** Warns about what Gmail reads differently from what the author of an expression may mean. */
function warnAboutExpression(
  expression: Group,
  search: Search,
  diagnostics: ItemDiagnostics,
): void {
  const groups = allGroups(expression);
  const words = unquotedWords(expression);
  // Only the first warning of an item is reported, and this one changes its meaning most.
  warnAboutNot(words, diagnostics);
  for (const leaf of listLeaves(search)) if (leaf.operator) warnAboutValue(leaf, diagnostics);

  const spaced = groups.flatMap((group) => group.terms).find((term) => term.spaced);
  if (spaced) {
    diagnostics.warn("space-after-operator", `write ${spaced.operator}: without a space after it`);
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(expression)) {
    diagnostics.info(
      "unquoted-words",
      'words without quotes are searched one by one; put a phrase in quotes, as in "out of office"',
    );
  }
  if (groups.some(hasExclamation)) {
    diagnostics.warn("exclamation-mark", "Gmail may read ! as a minus; put the text in quotes");
  }
  warnAboutWords(words, findJoiners(expression), diagnostics);
}

/** Lower-case words that may be meant as joiners: subjects often have an "and" of their own. */
const findJoiners = ({ terms }: Group): readonly string[] =>
  terms.every(({ operator }) => operator?.toLowerCase() === "subject") ? ["or"] : ["or", "and"];

/** True for `out of office OR vacation`: Gmail does not keep the words next to an OR together. */
const hasUnquotedPhrase = ({ terms, joiners }: Group): boolean =>
  joiners.includes("OR") &&
  terms.some((term, index) => {
    const next = terms[index + 1];
    return joiners[index] === "" && next && isBare(term) && isBare(next);
  });

/** True for `Invoice (copy)`, a text whose brackets are mere punctuation. */
const isTextWithBrackets = (expression: Group): boolean =>
  expression.terms.some(isBare) &&
  allGroups(expression).every(
    ({ bracket, terms, joiners }) =>
      bracket !== "{" &&
      joiners.every((joiner) => joiner === "") &&
      terms.every((term) => isBare(term) || isPlainGroup(term)),
  );

const isBare = (term: Term): boolean => bareWord(term) !== undefined;
