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
  unquotedText,
  writeTerm,
} from "./parse-search.ts";
import {
  type FoundLeaf,
  groupToSearch,
  hasExclamation,
  parseListTerm,
  type Search,
  type SearchLeaf,
  searchKey,
} from "./search-tree.ts";

/** A term of a list: a part of the search that the list is written as. */
export interface ListTerm {
  readonly text: string;
  /** Equal for terms of a list that find the same mail. */
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
 */
export function parseHasWordsItem(item: string, findings: ItemFindings): WordsTerm | undefined {
  const plain = toPlainTerm(item);
  if (plain !== undefined) return phraseTerm(item, plain, findings);
  const text = replaceLookAlikes(item, findings);
  const parsed = parseExpression(text);
  if ("problem" in parsed) return findings.add("syntax", parsed);
  const { expression } = parsed;
  const [only, ...others] = expression.terms;
  const isPhrase = only && others.length === 0 && !isGroup(only.operand) && only.operand.quoted;
  if (hasOnlyWords(expression) || (isPhrase && !hasPrefix(only))) {
    warnAboutWords(expression, ["or"], findings);
    warnAboutSign(text, "a minus", findings);
    const phrase = quoteIfNeeded(text, findings);
    return phrase === undefined ? undefined : phraseTerm(isPhrase ? "" : text, phrase, findings);
  }
  const empty = findEmptyTerm(expression);
  if (empty) return findings.add("empty-term", { written: writeTerm(empty) });
  for (const { operator, operand } of allGroups(expression).flatMap(({ terms }) => terms)) {
    const value = unquotedText(operand);
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

/** The term for words, which were written without quotes if there is a space in them. */
function phraseTerm(written: string, text: string, findings: ItemFindings): WordsTerm {
  if (written.includes(" ")) findings.add("read-as/phrase", { phrase: text });
  return { text, key: text.toLowerCase(), search: parseListTerm(text), isExpression: false };
}

/** True for nothing but words; brackets glued to one, as in `f(x)`, belong to it. */
export const hasOnlyWords = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.every((joiner) => joiner === "") &&
  terms.every(
    (term) =>
      isBare(term) ||
      (term.glued && !term.exact && isGroup(term.operand) && hasOnlyWords(term.operand)),
  );

const isBare = (term: Term): boolean => bareWord(term) !== undefined;

/** True when an operator could join the text before or after the expression. */
const couldJoinNeighbour = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.some((joiner) => joiner === "OR" || joiner.startsWith("AROUND")) ||
  terms.some((term) => /^AROUND$|[-!]$/.test(bareWord({ ...term, exact: false }) ?? ""));

/**
 * Warns about unquoted words of `has_words` that Gmail may not read as their author does.
 *
 * @param joiners the lower-case words that may be meant as OR or AND here.
 */
function warnAboutWords(
  expression: SearchGroup,
  joiners: readonly string[],
  findings: ItemFindings,
): void {
  const groups = allGroups(expression);
  const words = groups.flatMap(({ terms }) => terms.map(({ operand }) => unquotedText(operand)));
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

/** The unknown operators of a group's own terms, as before a bracket or a quotation mark: `body:{a b}`. */
const findUnknownOperators = ({ terms }: SearchGroup): readonly string[] =>
  terms.flatMap(({ operand }, index) => {
    const next = terms[index + 1]?.glued ? '"' : "";
    return findUnknownOperator(unquotedText(operand) + next) ?? [];
  });

/** Warns about what Gmail reads differently from what the author of an expression may mean. */
function warnAboutExpression(expression: SearchGroup, findings: ItemFindings): void {
  const groups = allGroups(expression);
  // Subjects often have an "and" of their own.
  const isOfSubjects = expression.terms.every(
    ({ operator }) => operator?.toLowerCase() === "subject",
  );
  warnAboutWords(expression, isOfSubjects ? ["or"] : ["or", "and"], findings);
  const spaced = groups.flatMap(({ terms }) => terms).find((term) => term.spaced);
  if (spaced?.operator !== undefined) {
    findings.add("space-after-operator", { operator: spaced.operator });
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(groups)) findings.add("unquoted-words");
  if (groups.some(hasExclamation)) findings.add("exclamation-mark");
}

/** True for `out of office OR vacation`: Gmail does not keep the words next to an OR together. */
const hasUnquotedPhrase = ({ terms, joiners }: SearchGroup): boolean =>
  joiners.includes("OR") &&
  terms.some((term, index) => {
    const next = terms[index + 1];
    return joiners[index] === "" && next && isBare(term) && isBare(next);
  });

/** True for `Invoice (copy)`, a text whose brackets are mere punctuation. */
const isTextWithBrackets = (groups: readonly SearchGroup[]): boolean =>
  groups[0]?.terms.some(isBare) === true &&
  groups.every(
    ({ bracket, terms, joiners }) =>
      bracket !== "{" &&
      joiners.every((joiner) => joiner === "") &&
      terms.every((term) => isBare(term) || isPlainGroup(term)),
  );

/**
 * The search term for a text in a field where operators have no meaning. Warns about what looks
 * like an operator.
 */
export function toLiteralTerm(text: string, findings: ItemFindings): string | undefined {
  const term = toPlainTerm(text) ?? quoteIfNeeded(text, findings);
  const lookAlike = term === undefined ? undefined : findLookAlike(withoutPhrases(text));
  if (lookAlike) {
    findings.add("operator-taken-literally", { written: lookAlike[0], advice: lookAlike[1] });
  }
  return term;
}

const withoutPhrases = (text: string): string => text.replace(/"[^"]*"|“[^“”]*”/g, '""');

/** The first part of a text that looks like an operator, and what to write instead of it. */
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

/** The search term for one normalised item of `subject`. */
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

/** Warns about - or ! before a word, and about NOT: at the start it looks most like an exclusion. */
export function warnAboutSign(text: string, advice: LiteralAdvice, findings: ItemFindings): void {
  const written = withoutPhrases(text);
  const sign = /(?:^|\s)([-!])(?![-!])\S*["xé\w]/.exec(toAsciiPattern(written))?.[1];
  const negation = NEGATION.exec(written);
  const found = sign ?? (negation?.index === 0 ? "NOT" : undefined);
  if (found !== undefined)
    findings.add("operator-taken-literally/sign", { written: found, advice });
  else if (negation) findings.add("operator-taken-literally", { written: "NOT", advice });
}

/** NOT before what is not in capitals itself, but for "do NOT reply". */
const NEGATION = /(?<!\b[Dd]o )\bNOT (?=["(]|\S*[\p{Ll}@])/u;

/** The term for plain words, which most texts are: nothing in them can be misread. */
export const toPlainTerm = (text: string): string | undefined => {
  const isPlain = /^(?!.*\b(?:or|and|not|around)\b)_*[a-z0-9]\w*(?: \w+)*$/i.test(text);
  return isPlain && text.includes(" ") ? quotePhrase(text) : isPlain ? text : undefined;
};

/**
 * The search term that means exactly this text: a word as it is, anything else as a phrase.
 * Gmail knows no escape for a quotation mark inside a phrase and reads it as a space
 * (gmailctl #66), so it becomes one.
 */
export function quoteIfNeeded(text: string, findings: ItemFindings): string | undefined {
  const wrapped = /^(?:"([^"]*)"|“([^“”]*)”)$/.exec(text);
  const content = wrapped ? (wrapped[1] ?? wrapped[2] ?? "") : text;
  // A joiner joins nothing once the quotation mark or bracket before it is gone.
  const phrase = collapseSpaces(removeInvisible(content.replaceAll('"', " ")));
  if (!isSearchable(phrase)) return findings.add("empty-term", { written: text });
  if (content.includes('"')) findings.add("read-as", { term: quotePhrase(phrase) });
  return wrapped || !isPlainWord(phrase) ? quotePhrase(phrase) : phrase;
}

/** A word that Gmail reads as nothing but a word: no quotes needed. */
const isPlainWord = (text: string): boolean =>
  /^[\wé]+$/.test(toAsciiPattern(text)) && !/^(?:or|and|not|around)$/i.test(text);

/** Puts a text in quotes, which make every operator and bracket in it inert. */
export const quotePhrase = (text: string): string => `"${text}"`;

/**
 * Warns about a word or phrase that finds more or less than it seems to: a star, the ending of very many
 * domains, an operator that Gmail judges when the mail arrives, or whose value Gmail does not document.
 */
export function warnAboutLeaf(leaf: FoundLeaf, findings: ItemFindings): void {
  const { operator, text, excluded } = leaf;
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
  const written = `${excluded ? "-" : ""}${operator}:${text}`;
  const wanted = describeAllowedValue(operator, text);
  if (wanted !== undefined) findings.add("unknown-value", { written, wanted });
  else if (
    operator === "larger" &&
    !excluded &&
    exceedsMaxMessageSize(sizeBounds(text)?.high ?? 0)
  ) {
    findings.add("larger-than-any-message", { written: `${written} ` });
  } else if (isState(leaf)) {
    // New mail is new, has no label and is in:anywhere.
    const isTrueOfNewMail =
      operatorKind(operator) === "since" || /^(?:nouserlabels|anywhere)$/i.test(text);
    const isTrue = excluded !== isTrueOfNewMail;
    findings.add(isTrue ? "evaluated-at-delivery/true" : "evaluated-at-delivery", { written });
  }
}

/** A star that may be meant for any letters; several are decoration, as in `*** SALE ***`. */
const SINGLE_STAR = /(?<!\*)\*(?!\*)/;

/**
 * True for `is:`, `in:`, `label:`, dates, and `has:` with a star or labels: Gmail decides them at
 * delivery, so a filter on them hardly ever works as meant.
 */
function isState({ operator, text }: SearchLeaf): boolean {
  const kind = operatorKind(operator);
  if (operator === "has") return !HAS_FILE_VALUES.includes(text.toLowerCase());
  return kind === "state" || kind === "since" || kind === "until";
}

/** True for a leaf that asks for a date, or for what Gmail or other filters may change. */
export const asksForState = (leaf: SearchLeaf): boolean =>
  isState(leaf) || leaf.operator === "category";

/** Help 7190 writes 2004/04/16 and 04/16/2004; the API's guide has seconds since 1970 too. */
const DATE = /^(?:\d{4}([-/])\d\d?\1\d\d?|\d\d?([-/])\d\d?\2\d{4}|\d{9,10})$/;

/** What to write in place of a value that Gmail does not document (help 7190); others may be any text. */
function describeAllowedValue(operator: string, value: string): string | undefined {
  const kind = operatorKind(operator);
  if (kind === "size") {
    return sizeBounds(value) ? undefined : "a number of bytes, or one with K or M, as in 5M";
  }
  if (kind === "since" || kind === "until") {
    if (!operator.endsWith("_than"))
      return DATE.test(value) ? undefined : "a day, as in 2026/01/31";
    return /^\d{1,5}[dmy]$/i.test(value) ? undefined : "a number with d, m or y, as in 30d";
  }
  const names = ALLOWED_VALUES[operator];
  const name = value.toLowerCase();
  return !names || names.includes(name) || (operator === "has" && STARS.test(name))
    ? undefined
    : `one of ${names.join(", ")}`;
}

const STARS = /^[a-z]+-(?:star|bang|check|info|guillemet|question)$/;
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
