import type { ItemFindings, LiteralAdvice } from "../filter-findings.ts";
import {
  asDomain,
  broadEnding,
  exceedsMaxMessageSize,
  findUnknownOperator,
  isReservedValue,
  operatorKind,
  readOperator,
  removeWildcard,
  sizeBounds,
} from "../gmail.ts";
import {
  allGroups,
  bareWord,
  collapseSpaces,
  findEmptyTerm,
  hasPrefix,
  isGroup,
  isPlainGroup,
  isSearchable,
  parseExpression,
  removeInvisible,
  replaceLookAlikes,
  type SearchGroup,
  type Term,
  toAsciiPattern,
  wordText,
  writeTerm,
} from "./parse-search.ts";
import {
  groupToSearch,
  hasExclamation,
  type LeafInContext,
  parseListTerm,
  type Search,
  type SearchLeaf,
  searchKey,
} from "./search-tree.ts";

/** One alternative in a list field, such as one sender of `from`. */
export interface ListTerm {
  readonly text: string;
  /** Two terms with the same key find the same messages. */
  readonly key: string;
  readonly search: Search;
}

/** One item of `has_words`. A message must match every item. */
export interface WordsTerm extends ListTerm {
  /** Whether the item uses operators, brackets or OR. */
  readonly isExpression: boolean;
}

/**
 * Turns an item of `has_words` into a search term. Plain words become a phrase. An expression stays the
 * same, in brackets if one of its operators could bind to the next item.
 */
export function parseHasWordsItem(item: string, findings: ItemFindings): WordsTerm | undefined {
  const plain = toPlainTerm(item);
  if (plain !== undefined) return phraseTerm(item, plain, findings);
  const text = replaceLookAlikes(item, findings);
  const parsed = parseExpression(text);
  if ("problem" in parsed) return findings.add("syntax", parsed);
  const { expression } = parsed;
  const [only, ...others] = expression.terms;
  const isPhrase = only && others.length === 0 && !isGroup(only.operand) && only.operand.isQuoted;
  if (hasOnlyWords(expression) || (isPhrase && !hasPrefix(only))) {
    warnAboutWords(expression, ["or"], findings);
    warnAboutSign(text, "a minus", findings);
    const phrase = quoteIfNeeded(text, findings);
    return phrase === undefined ? undefined : phraseTerm(isPhrase ? "" : text, phrase, findings);
  }
  const empty = findEmptyTerm(expression);
  if (empty) return findings.add("empty-term", { written: writeTerm(empty) });
  for (const { operator, operand } of allGroups(expression).flatMap(({ terms }) => terms)) {
    const value = wordText(operand);
    if (operator && isReservedValue(value)) {
      return findings.add("reserved-value", { operator, value });
    }
  }
  const search = groupToSearch(expression);
  warnAboutExpression(expression, findings);
  return {
    text: couldJoinNeighbour(expression) ? `(${text})` : text,
    key: searchKey(search),
    search,
    isExpression: true,
  };
}

/** Reports words without quotes, which become a phrase. */
function phraseTerm(originalText: string, text: string, findings: ItemFindings): WordsTerm {
  if (originalText.includes(" ")) findings.add("read-as/phrase", { phrase: text });
  return { text, key: text.toLowerCase(), search: parseListTerm(text), isExpression: false };
}

/** Whether the group has only words. Brackets that touch a word, as in `f(x)`, belong to it. */
export const hasOnlyWords = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.every((joiner) => joiner === "") &&
  terms.every(
    (term) =>
      isBare(term) ||
      (term.isGlued && !term.isExact && isGroup(term.operand) && hasOnlyWords(term.operand)),
  );

const isBare = (term: Term): boolean => bareWord(term) !== undefined;

/** Whether an operator at either end could bind to the neighbouring item. */
const couldJoinNeighbour = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.some((joiner) => joiner === "OR" || joiner.startsWith("AROUND")) ||
  terms.some((term) => /^AROUND$|[-!]$/.test(bareWord({ ...term, isExact: false }) ?? ""));

/**
 * Warns about unquoted words that Gmail may not interpret as intended.
 *
 * @param joiners lower-case words that the author may have meant as OR or AND.
 */
function warnAboutWords(
  expression: SearchGroup,
  joiners: readonly string[],
  findings: ItemFindings,
): void {
  const groups = allGroups(expression);
  const words = groups.flatMap(({ terms }) => terms.map(({ operand }) => wordText(operand)));
  const unknown = groups.flatMap(findUnknownOperators).at(0);
  if (unknown !== undefined) findings.add("unknown-operator", { word: `${unknown}:` });
  if (words.some((word, index) => word === "NOT" && !/^do$/i.test(words[index - 1] ?? ""))) {
    findings.add("unknown-operator", { word: "NOT" });
  }
  const joiner = words.find((word) => joiners.includes(word));
  if (joiner !== undefined) findings.add("unknown-operator/joiner", { word: joiner });
  if (words.includes("AROUND")) {
    findings.add("operator-taken-literally", { written: "AROUND", advice: "around" });
  }
}

/** Also finds unknown operators before a bracket or a quotation mark: `body:{a b}`. */
const findUnknownOperators = ({ terms }: SearchGroup): readonly string[] =>
  terms.flatMap(({ operand }, index) => {
    const next = terms[index + 1]?.isGlued ? '"' : "";
    return findUnknownOperator(wordText(operand) + next) ?? [];
  });

/** Warns about parts of an expression that Gmail may not interpret as intended. */
function warnAboutExpression(expression: SearchGroup, findings: ItemFindings): void {
  const groups = allGroups(expression);
  // "and" is common in subjects, so there it is not a mistyped AND.
  const isOfSubjects = expression.terms.every(
    ({ operator }) => operator?.toLowerCase() === "subject",
  );
  warnAboutWords(expression, isOfSubjects ? ["or"] : ["or", "and"], findings);
  const spaced = groups.flatMap(({ terms }) => terms).find((term) => term.hasSpaceAfterColon);
  if (spaced?.operator !== undefined) {
    findings.add("space-after-operator", { operator: spaced.operator });
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(groups)) findings.add("unquoted-words");
  if (groups.some(hasExclamation)) findings.add("exclamation-mark");
}

/** Whether OR follows several unquoted words, as in `out of office OR vacation`. */
const hasUnquotedPhrase = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.includes("OR") &&
  terms.some((term, index) => {
    const next = terms[index + 1];
    return joiners[index] === "" && next && isBare(term) && isBare(next);
  });

/** Whether the brackets are only punctuation, as in `Invoice (copy)`. */
const isTextWithBrackets = (groups: readonly SearchGroup[]): boolean =>
  groups[0]?.terms.some(isBare) === true &&
  groups.every(
    ({ bracket, terms, joiners }) =>
      bracket !== "{" &&
      joiners.every((joiner) => joiner === "") &&
      terms.every((term) => isBare(term) || isPlainGroup(term)),
  );

/** Creates the term for a field without operators. Warns if the value looks like it has one. */
export function toLiteralTerm(text: string, findings: ItemFindings): string | undefined {
  const term = toPlainTerm(text) ?? quoteIfNeeded(text, findings);
  const lookAlike = term === undefined ? undefined : findLookAlike(withoutPhrases(text));
  if (lookAlike) {
    findings.add("operator-taken-literally", { written: lookAlike[0], advice: lookAlike[1] });
  }
  return term;
}

const withoutPhrases = (text: string): string => text.replace(/"[^"]*"|“[^“”]*”/g, '""');

/** Finds the first thing that looks like an operator, and what to write instead. */
function findLookAlike(
  text: string,
): readonly [written: string, advice: LiteralAdvice] | undefined {
  const joiner = /(?:^|\s)(OR|AND|AROUND)(?=\s|$)/.exec(text)?.[1];
  if (joiner) return [joiner, joiner === "OR" ? "own item" : "only in words"];
  if (text.includes("|")) return ["|", "own item"];
  if (/^\(.*\)$/.test(text)) return ["()", "only in words"];
  if (/^\{.*\}$/.test(text)) return ["{}", "own item"];
  if (/(?:^|\s)\+[({]*\p{L}/u.test(text)) return ["+", "only in words"];
  const operator = readOperator(text);
  return operator === undefined ? undefined : [`${operator}:`, "only in words"];
}

export function parseSubjectItem(
  text: string,
  findings: ItemFindings,
): readonly string[] | undefined {
  const plain = toPlainTerm(text);
  if (plain !== undefined) return [plain];
  if (/^[-!](?:"[^"]*"|[^\s\-!"])/.test(text)) return findings.add("signed-item");
  warnAboutSign(text, "does_not_have", findings);
  const term = toLiteralTerm(text, findings);
  return term === undefined ? undefined : [term];
}

/** Warns about -, ! and NOT before a word. At the start, NOT is most likely meant as an exclusion. */
export function warnAboutSign(text: string, advice: LiteralAdvice, findings: ItemFindings): void {
  const unquoted = withoutPhrases(text);
  const sign = /(?:^|\s)([-!])(?![-!])\S*["xé\w]/.exec(toAsciiPattern(unquoted))?.[1];
  const negation = NEGATION.exec(unquoted);
  const found = sign ?? (negation?.index === 0 ? "NOT" : undefined);
  if (found !== undefined)
    findings.add("operator-taken-literally/sign", { written: found, advice });
  else if (negation) findings.add("operator-taken-literally", { written: "NOT", advice });
}

/** NOT before words that are not in capitals, except in "do NOT reply". */
const NEGATION = /(?<!\b[Dd]o )\bNOT (?=["(]|\S*[\p{Ll}@])/u;

/** A fast path: returns the term if the value has only plain ASCII words. */
export const toPlainTerm = (text: string): string | undefined => {
  const isPlain = /^(?!.*\b(?:or|and|not|around)\b)_*[a-z0-9]\w*(?: \w+)*$/i.test(text);
  return isPlain && text.includes(" ") ? quotePhrase(text) : isPlain ? text : undefined;
};

/**
 * Returns a term that searches for exactly this value: a single word, or a quoted phrase. Gmail has no
 * escape for a quotation mark in a phrase and reads it as a space (gmailctl #66), so we write a space.
 */
export function quoteIfNeeded(text: string, findings: ItemFindings): string | undefined {
  const wrapped = /^(?:"([^"]*)"|“([^“”]*)”)$/.exec(text);
  const content = wrapped ? (wrapped[1] ?? wrapped[2] ?? "") : text;
  // Without its quotation mark or bracket, a zero-width joiner would be useless.
  const phrase = collapseSpaces(removeInvisible(content.replaceAll('"', " ")));
  if (!isSearchable(phrase)) return findings.add("empty-term", { written: text });
  if (content.includes('"')) findings.add("read-as", { term: quotePhrase(phrase) });
  return wrapped || !isPlainWord(phrase) ? quotePhrase(phrase) : phrase;
}

/** Whether Gmail needs no quotes to search for the value as one word. */
const isPlainWord = (text: string): boolean =>
  /^[\wé]+$/.test(toAsciiPattern(text)) && !/^(?:or|and|not|around)$/i.test(text);

/** Gmail ignores operators and brackets inside quotes. */
export const quotePhrase = (text: string): string => `"${text}"`;

/**
 * Warns about a term that finds more or less than it seems to: a star, an ending that many domains share, a
 * condition that depends on the moment of delivery, or a value that Gmail does not document.
 */
export function warnAboutLeaf(leaf: LeafInContext, findings: ItemFindings): void {
  const { operator, text, isExcluded } = leaf;
  if (SINGLE_STAR.test(text) && removeWildcard(text) === text) {
    findings.add("operator-taken-literally", { written: "*", advice: "no wildcards" });
  }
  const isAddress = operatorKind(operator) === "address";
  const domain =
    isAddress || operator === undefined
      ? broadEnding(isAddress ? asDomain(text) : text)
      : undefined;
  if (domain !== undefined) findings.add("broad-address", { domain });
  if (operator === undefined) return;
  const term = `${isExcluded ? "-" : ""}${operator}:${text}`;
  const wanted = describeAllowedValue(operator, text);
  if (wanted !== undefined) findings.add("unknown-value", { written: term, wanted });
  else if (
    operator === "larger" &&
    !isExcluded &&
    exceedsMaxMessageSize(sizeBounds(text)?.high ?? 0)
  ) {
    findings.add("larger-than-any-message", { written: `${term} ` });
  } else if (isState(leaf)) {
    // A new message is newer than any date, has no label and is in:anywhere.
    const isTrueWhenNew =
      operatorKind(operator) === "since" || /^(?:nouserlabels|anywhere)$/i.test(text);
    const isTrue = isExcluded !== isTrueWhenNew;
    findings.add(isTrue ? "evaluated-at-delivery/true" : "evaluated-at-delivery", {
      written: term,
    });
  }
}

/** A star that may be meant as a wildcard. Several are decoration, as in `*** SALE ***`. */
const SINGLE_STAR = /(?<!\*)\*(?!\*)/;

/**
 * Whether the term tests a state: `is:`, `in:`, `label:`, a date, or `has:` with a star or labels. Gmail
 * evaluates these at delivery, so such filters rarely work as intended.
 */
function isState({ operator, text }: SearchLeaf): boolean {
  const kind = operatorKind(operator);
  if (operator === "has") return !HAS_FILE_VALUES.includes(text.toLowerCase());
  return kind === "state" || kind === "since" || kind === "until";
}

/** Whether the term tests a date, or a state that Gmail or another filter can change. */
export const dependsOnState = (leaf: SearchLeaf): boolean =>
  isState(leaf) || leaf.operator === "category";

/** Gmail's help (7190) has 2004/04/16 and 04/16/2004. The API guide also has seconds since 1970. */
const DATE_VALUE = /^(?:\d{4}([-/])\d\d?\1\d\d?|\d\d?([-/])\d\d?\2\d{4}|\d{9,10})$/;

/** Describes the documented values (help 7190). Returns undefined if the value is one, or any is allowed. */
function describeAllowedValue(operator: string, value: string): string | undefined {
  const kind = operatorKind(operator);
  if (kind === "size") {
    return sizeBounds(value) ? undefined : "a number of bytes, or one with K or M, as in 5M";
  }
  if (kind === "since" || kind === "until") {
    if (!operator.endsWith("_than"))
      return DATE_VALUE.test(value) ? undefined : "a day, as in 2026/01/31";
    return /^\d{1,5}[dmy]$/i.test(value) ? undefined : "a number with d, m or y, as in 30d";
  }
  const names = ALLOWED_VALUES[operator];
  const name = value.toLowerCase();
  return !names || names.includes(name) || (operator === "has" && STAR_NAME.test(name))
    ? undefined
    : `one of ${names.join(", ")}`;
}

const STAR_NAME = /^[a-z]+-(?:star|bang|check|info|guillemet|question)$/;
const HAS_FILE_VALUES = [
  "attachment",
  "drive",
  "document",
  "spreadsheet",
  "presentation",
  "youtube",
];

const ALLOWED_VALUES: Readonly<Record<string, readonly string[]>> = {
  has: [...HAS_FILE_VALUES, "userlabels", "nouserlabels"],
  is: ["important", "starred", "unread", "read", "muted", "snoozed", "chat"],
  category: ["primary", "social", "promotions", "updates", "forums", "reservations", "purchases"],
};
