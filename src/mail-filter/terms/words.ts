import type { ListField } from "../fields.ts";
import type { filterFindings, ItemFindings } from "../findings.ts";
import {
  BYTES_PER_MB,
  findUnknownOperator,
  isAboveAnyMail,
  isReservedValue,
  operatorKind,
  readOperator,
} from "../gmail.ts";
import {
  allGroups,
  bareWord,
  collapseSpaces,
  findEmptyTerm,
  type Group,
  hasPrefix,
  isGroup,
  isPlainGroup,
  isSearchable,
  parseExpression,
  removeInvisible,
  straightenOperators,
  straightenQuotes,
  type Term,
  toAsciiPattern,
  unquotedWords,
  writeGroup,
  writeTerm,
} from "./read.ts";
import {
  type FoundLeaf,
  groupToSearch,
  hasExclamation,
  listLeaves,
  parseListTerm,
  type Search,
  type SearchLeaf,
} from "./search.ts";

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
export function wordsTerm(item: string, findings: ItemFindings): WordsTerm | undefined {
  const plain = plainTerm(item);
  if (plain !== undefined) return phraseWords(item, plain, findings);
  const text = straightenOperators(straightenQuotes(item, findings), findings);
  const parsed = parseExpression(text);
  if ("problem" in parsed) {
    findings.add("syntax", parsed);
    return undefined;
  }
  const { expression } = parsed;
  if (hasOnlyWords(expression) || isPhrase(expression)) {
    warnAboutWords(unquotedWords(expression), ["or"], findings);
    warnAboutExclamation(expression, findings);
    const phrase = literal(text, findings);
    if (phrase === undefined) return undefined;
    return isPhrase(expression) ? textWords(phrase) : phraseWords(text, phrase, findings);
  }
  const empty = findEmptyTerm(expression);
  if (empty) {
    findings.add("empty-term", { written: writeTerm(empty) });
    return undefined;
  }
  const reserved = findReservedValue(expression);
  if (reserved) {
    findings.add("reserved-value", reserved);
    return undefined;
  }
  const search = groupToSearch(expression);
  warnAboutExpression(expression, search, findings);
  return {
    text: reachesOut(expression) ? `(${text})` : text,
    key: writeGroup(expression, (word) => word.toLowerCase()),
    search,
    isExpression: true,
  };
}

/** The term for words that are written without quotes, which says that they are one phrase. */
function phraseWords(written: string, phrase: string, findings: ItemFindings): WordsTerm {
  if (written.includes(" ")) findings.add("read-as/phrase", { phrase });
  return textWords(phrase);
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

/** The first operator whose value Gmail would read as another operator. */
const findReservedValue = (expression: Group) =>
  allGroups(expression)
    .flatMap(({ terms }) => terms)
    .flatMap(({ operator, operand }) =>
      operator === undefined || isGroup(operand) || operand.quoted
        ? []
        : { operator, value: operand.text },
    )
    .find(({ value }) => isReservedValue(value));

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
  findings: ItemFindings,
): void {
  const unknown = words.map(findUnknownOperator).find((word) => word !== undefined);
  if (unknown !== undefined) findings.add("unknown-operator", { word: unknown });
  warnAboutNot(words, findings);
  if (words.some((word) => joiners.includes(word))) {
    findings.add("lower-case-operator");
  }
  if (words.some((word) => word.includes("*"))) {
    findings.add("operator-taken-literally/star");
  }
  if (words.includes("AROUND")) {
    findings.add("operator-taken-literally/around");
  }
  const minus = words.find((word) => /^--?[^-]/.test(word));
  if (minus !== undefined) findings.add("operator-taken-literally/minus", { word: minus });
}

/** Warns about a ! that may be meant as a minus, as in `a !b` and `a !(b c)`, where it is a text. */
function warnAboutExclamation({ terms }: Group, findings: ItemFindings): void {
  const index = terms.findIndex((term, at) => {
    const word = bareWord(term) ?? "";
    return /^!.*[\p{L}\p{N}]/u.test(word) || (/^!+$/.test(word) && terms[at + 1]?.glued);
  });
  const term = terms[index];
  const next = terms[index + 1];
  if (!term) return;
  const written = writeTerm(term) + (next?.glued ? writeTerm(next) : "");
  findings.add("operator-taken-literally/exclamation", { written });
}

function warnAboutNot(words: readonly string[], findings: ItemFindings): void {
  if (words.includes("NOT")) findings.add("not-operator");
}

/** Warns about what Gmail reads differently from what the author of an expression may mean. */
function warnAboutExpression(expression: Group, search: Search, findings: ItemFindings): void {
  const groups = allGroups(expression);
  const words = unquotedWords(expression);
  // Only the first warning of an item is reported, and this one changes its meaning most.
  warnAboutNot(words, findings);
  for (const leaf of listLeaves(search)) if (leaf.operator) warnAboutValue(leaf, findings);

  const spaced = groups.flatMap((group) => group.terms).find((term) => term.spaced);
  if (spaced?.operator !== undefined) {
    findings.add("space-after-operator", { operator: spaced.operator });
  }
  if (groups.some(hasUnquotedPhrase) || isTextWithBrackets(expression)) {
    findings.add("unquoted-words");
  }
  if (groups.some(hasExclamation)) findings.add("exclamation-mark");
  warnAboutWords(words, findJoiners(expression), findings);
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

/**
 * The search term for a text in a field where operators have no meaning. Warns about what looks
 * like an operator.
 *
 * @returns undefined when it was rejected.
 */
export function textTerm(text: string, findings: ItemFindings): string | undefined {
  const plain = plainTerm(text);
  if (plain !== undefined) return plain;
  const term = literal(text, findings);
  const lookAlike = term === undefined ? undefined : findLookAlike(text);
  if (lookAlike) findings.add("operator-taken-literally", lookAlike);
  return term;
}

/**
 * The search term for one normalised item of `subject`.
 *
 * @returns undefined when it was rejected.
 */
export function subjectTerm(text: string, findings: ItemFindings): string | undefined {
  const negated = /^[-!]("[^"]*"|[^\s\-!"]\S*)/.exec(text);
  if (negated) {
    findings.add("signed-item", {
      sign: text.charAt(0),
      example: example("subject", negated[1]),
    });
    return undefined;
  }
  warnAboutMinus(text, "subject", findings);
  return textTerm(text, findings);
}

/** Warns about - or ! before a later word of a text, which Gmail's search would exclude. */
export function warnAboutMinus(text: string, operator: ListField, findings: ItemFindings): void {
  if (!/\s[-!]/.test(text)) return;
  for (const [, sign, word] of text.matchAll(PHRASE_OR_MINUS)) {
    if (sign === undefined || word === undefined || !isSearchable(word)) continue;
    const advice = example(operator, word);
    findings.add("operator-taken-literally/sign", { sign, word, example: advice });
    return;
  }
}

/** A phrase, or a word or phrase with a sign before it. */
const PHRASE_OR_MINUS = /"[^"]*"|\s([-!])("[^"]*"|[^\s\-!"][^\s"]*)/g;

/** An item of `does_not_have` for what was written after a sign; for brackets and signs, an example. */
function example(operator: ListField, written = ""): string {
  const other = readOperator(written);
  const value = other === undefined ? written : written.slice(other.length + 1);
  const isHardToRead = /["(){}]/.test(value.replace(/^"[^"]+"$/, "")) || !isSearchable(value);
  if (isHardToRead) return `${other ?? operator}:"a b"`;
  if (other !== undefined) return written;
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
export function literal(text: string, findings: ItemFindings): string | undefined {
  const wrapped = /^(?:"([^"]*)"|“([^“”]*)”)$/.exec(text);
  const content = wrapped ? (wrapped[1] ?? wrapped[2] ?? "") : text;
  // A joiner joins nothing once the quotation mark or bracket before it is gone.
  const phrase = collapseSpaces(removeInvisible(content.replaceAll('"', " ")));
  if (!isSearchable(phrase)) {
    findings.add("not-searchable/phrase");
    return undefined;
  }
  if (content.includes('"')) {
    findings.add("read-as/without-quote", { phrase: quote(phrase) });
  }
  return wrapped || !isPlainWord(phrase) ? quote(phrase) : phrase;
}

/** A word that Gmail reads as nothing but a word: no quotes needed. */
const isPlainWord = (text: string): boolean =>
  /^[\wé]+$/.test(toAsciiPattern(text)) && !/^(?:or|and|not|around)$/i.test(text);

/** Puts a text in quotes, which make every operator and bracket in it inert. */
export const quote = (text: string): string => `"${text}"`;

/** A part of a text that may be meant as an operator, and what to write instead. */
type LookAlike = Parameters<(typeof filterFindings)["operator-taken-literally"]["message"]>[0];

/** Finds the first part of a text that looks like an operator, in a field other than has_words. */
function findLookAlike(text: string): LookAlike | undefined {
  const unquoted = text.replace(/"[^"]*"|“[^“”]*”/g, "");
  const word = /(?:^|\s)(OR|AND|AROUND)(?=\s|$)/.exec(unquoted)?.[1];
  if (word) return { written: word, advice: word === "OR" ? "own item" : "only in words" };
  if (unquoted.includes("|")) return { written: "|", advice: "own item" };
  if (/^[-!]/.test(unquoted)) {
    return { written: unquoted.charAt(0), advice: "keep out" };
  }
  if (/^\(.*\)$/.test(unquoted)) return { written: "()", advice: "only in words" };
  if (/^\{.*\}$/.test(unquoted)) return { written: "{}", advice: "own item" };
  if (unquoted.includes("*")) return { written: "*", advice: "no wildcards" };
  const exact = /(?:^|\s)\+[({]*\p{L}/u.test(unquoted);
  if (exact) return { written: "+", advice: "only in words" };
  const operator = readOperator(unquoted);
  return operator ? { written: `${operator}:`, advice: "only in words" } : undefined;
}

/** Warns about an operator that Gmail judges when the mail arrives, or whose value Gmail does not document. */
export function warnAboutValue(leaf: FoundLeaf, findings: ItemFindings): void {
  const { operator, text, excluded } = leaf;
  if (operator === undefined) return;
  const wanted = wantedValue(operator, text);
  const isTooLarge =
    operator === "larger" && !excluded && isAboveAnyMail(sizeBounds(text)?.high ?? 0);
  if (wanted === undefined && !isTooLarge && !isState(leaf)) return;
  const written = `${excluded ? "-" : ""}${operator}:${text}`;
  if (wanted !== undefined) {
    findings.add("unknown-value", { written, wanted });
  } else if (isTooLarge) {
    findings.add("larger-than-any-mail", { written });
  } else {
    const isTrue = excluded !== isTrueOfNewMail(leaf);
    findings.add(isTrue ? "judged-at-delivery/true" : "judged-at-delivery", { written });
  }
}

/** New mail is new, has no label and is `in:anywhere`. */
const isTrueOfNewMail = ({ operator, text }: SearchLeaf): boolean =>
  operatorKind(operator) === "since" || /^(?:nouserlabels|anywhere)$/i.test(text);

/**
 * True for `is:`, `in:`, `label:`, dates, and `has:` with a star or labels: Gmail decides them at
 * delivery, so a filter on them hardly ever works as meant.
 */
function isState({ operator, text }: SearchLeaf): boolean {
  const kind = operatorKind(operator);
  if (operator === "has") return !FILES.includes(text.toLowerCase());
  return kind === "state" || kind === "since" || kind === "until";
}

/** True for a leaf that asks for a date, or for what Gmail or other filters may change. */
export const asksForState = (leaf: SearchLeaf): boolean =>
  isState(leaf) || leaf.operator === "category";

/** The least and the most that a value can mean. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** `5M`, in bytes. Whether M means 1,000,000 in a search is not known, nor whether K means 1,000. */
export function sizeBounds(value: string): Range | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([mk]?)b?$/i.exec(value) ?? [];
  if (number === undefined) return undefined;
  const [low, high] = BYTES[unit.toLowerCase()] ?? [1, 1];
  return { low: Number(number) * low, high: Number(number) * high };
}

/** The least and the most bytes of a unit. */
const BYTES: Readonly<Record<string, readonly [number, number]>> = {
  m: [1e6, BYTES_PER_MB],
  k: [1000, 1024],
};

const DAY_MS = 86_400_000;

/**
 * A day, in milliseconds since 1970. Help 7190 writes 2004/04/16 and 04/16/2004; the API's guide has
 * seconds since 1970 too.
 */
function readDay(value: string): Range | undefined {
  if (/^\d{9,10}$/.test(value)) return { low: Number(value) * 1000, high: Number(value) * 1000 };
  const [, year, month, day] =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(value) ??
    /^(?=\d+[-/]\d+[-/](\d{4})$)(\d{1,2})[-/](\d{1,2})/.exec(value) ??
    [];
  const low = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // A 13th month or a 31st of February would count on into the next.
  const isDay = new Date(low).getUTCMonth() + 1 === Number(month) && Number(day) > 0;
  return isDay ? { low, high: low + DAY_MS } : undefined;
}

/** `3d`, `2m` or `1y`, in days. */
function readAge(value: string): Range | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([dmy])$/i.exec(value) ?? [];
  if (count === undefined) return undefined;
  const [low, high] = DAYS[unit.toLowerCase()] ?? [1, 1];
  return { low: Number(count) * low, high: Number(count) * high };
}

/** The least and the most days of a unit. */
const DAYS: Readonly<Record<string, readonly [number, number]>> = {
  m: [28, 31],
  y: [365, 366],
};

/** A reader of values in lower case, which gives undefined for any other text; and the form of the values. */
type Values = readonly [read: (value: string) => unknown, form: string];

const SIZE: Values = [sizeBounds, "a number of bytes, or one with K or M, as in 5M"];
const DAY: Values = [readDay, "a day, as in 2026/01/31"];
const AGE: Values = [readAge, "a number with d, m or y, as in 30d"];

const oneOf = (known: readonly string[], more = /^$/): Values => [
  (value) => known.find((name) => name === value) ?? more.exec(value) ?? undefined,
  `one of ${known.join(", ")}`,
];

const STARS = /^[a-z]+-(?:star|bang|check|info|guillemet|question)$/;
const FILES = ["attachment", "drive", "document", "spreadsheet", "presentation", "youtube"];
const TABS = ["primary", "social", "promotions", "updates", "forums", "reservations", "purchases"];

/** The operators whose values Gmail documents (help 7190); others take any text. */
const VALUES: ReadonlyMap<string, Values> = new Map([
  ...["size", "larger", "smaller"].map((operator) => [operator, SIZE] as const),
  ...["after", "before", "newer", "older"].map((operator) => [operator, DAY] as const),
  ...["newer_than", "older_than"].map((operator) => [operator, AGE] as const),
  ["has", oneOf([...FILES, "userlabels", "nouserlabels"], STARS)],
  ["is", oneOf(["important", "starred", "unread", "read", "muted", "snoozed", "chat"])],
  ["category", oneOf(TABS)],
]);

/** The form of the values that an operator takes, for a value that Gmail does not document. */
const wantedValue = (operator: string, value: string): string | undefined => {
  const [read, form] = VALUES.get(operator) ?? [];
  return read?.(value.toLowerCase()) === undefined ? form : undefined;
};
