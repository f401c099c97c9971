import { asDomain, operatorKind, readOperator, sizeBounds } from "../gmail.ts";
import {
  collapseSpaces,
  hasWord,
  isGroup,
  isSearchable,
  parseExpression,
  removeAllInvisible,
  type SearchGroup,
  splitAtJoiners,
  type Term,
  wordText,
  writeGroup,
} from "./parse-search.ts";

/** Separates alternatives in Gmail's exports. */
export const OR = " OR ";

/** The meaning of a search as Gmail documents it, for matching, comparing and warnings. */
export type Search =
  | SearchLeaf
  | { readonly kind: "not"; readonly of: Search }
  | { readonly kind: "all" | "any"; readonly parts: readonly Search[] }
  | AmbiguousSearch;

/** A word or phrase, after an operator or without one. */
export interface SearchLeaf {
  readonly kind: "leaf";
  /** In lower case. */
  readonly operator: string | undefined;
  /** The word or phrase without quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** Whether it has a plus, so that Gmail finds no other forms of the word. */
  readonly isExact: boolean;
  /** Why we do not know how Gmail reads it, as for `from: bob`. */
  readonly ambiguity: string | undefined;
}

/** Gmail may read it in several ways. If there is only one reading, Gmail requires at least that. */
interface AmbiguousSearch {
  readonly kind: "ambiguous";
  readonly readings: readonly Search[];
  readonly sourceText: string;
  readonly reason: string;
}

export const searchLeaf = (operator: string | undefined, text: string, isQuoted = false) =>
  ({ kind: "leaf", operator, text, isQuoted, isExact: false, ambiguity: undefined }) as const;

export const allOf = (parts: readonly Search[]): Search => combine("all", parts);

export const anyOf = (parts: readonly Search[]): Search => combine("any", parts);

export const not = (of: Search): Search => ({ kind: "not", of });

const combine = (kind: "all" | "any", parts: readonly Search[]): Search => {
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : { kind, parts };
};

/** The operator before a group, and why it is unclear. Each part of the group inherits both. */
type GroupContext = Partial<Pick<SearchLeaf, "operator" | "ambiguity">>;

/** @param context the operator that applies to the group, such as `from` for senders. */
export function groupToSearch(group: SearchGroup, context: GroupContext = {}): Search {
  const { parts, joiners } = toPartsAndJoiners(group, context);
  const isOr = (joiner: string) => joiner === "OR" || (group.bracket === "{" && joiner === "");
  if (joiners.every(isOr)) return anyOf(parts);
  if (!joiners.some(isOr) && group.bracket !== "{") return allOf(parts);
  // Gmail does not document whether `a b OR c` is `(a b) OR c`, nor what AND means in braces.
  const cut = (splits: (joiner: string) => boolean) => splitAtJoiners(parts, joiners, splits);
  return {
    kind: "ambiguous",
    readings: [
      ...(group.bracket === "{" ? [anyOf(parts)] : []),
      anyOf(cut(isOr).map(allOf)),
      allOf(cut((joiner) => !isOr(joiner)).map(anyOf)),
    ],
    sourceText: writeGroup(group),
    reason: "can be read in two ways with different results",
  };
}

/** Skips terms without a word. The two sides of AROUND are one part. */
function toPartsAndJoiners({ terms, joiners: written }: SearchGroup, context: GroupContext) {
  const parts: Search[] = [];
  const joiners: string[] = [];
  for (const [index, term] of terms.entries()) {
    if (!hasWord(term.operand)) continue;
    const found = termToSearch(term, context);
    const part = followsExclamation(terms, index) ? withAmbiguousMinus(found) : found;
    const joiner = written[index - 1] ?? "";
    const before = joiner.startsWith("AROUND") ? parts.pop() : undefined;
    if (parts.length > 0 && !before) joiners.push(joiner);
    parts.push(before ? around(before, joiner, part) : part);
  }
  return { parts, joiners };
}

/** Both sides of AROUND are required. Gmail does not document how it counts the words between them. */
const around = (before: Search, joiner: string, after: Search): AmbiguousSearch => ({
  kind: "ambiguous",
  readings: [allOf([before, after])],
  sourceText: `${formatSearch(before)} ${joiner} ${formatSearch(after)}`,
  reason: COUNTS_WORDS,
});

const COUNTS_WORDS = "counts words in a way that Gmail does not document";

/** Gmail may read a ! as a minus before the next term. */
const withAmbiguousMinus = (excluded: Search): AmbiguousSearch => ({
  kind: "ambiguous",
  readings: [excluded, not(excluded)],
  sourceText: `!${formatSearch(excluded)}`,
  reason: MAY_BE_MINUS,
});

const MAY_BE_MINUS = "has a !, which Gmail may read as a minus";

/** Whether a ! precedes the term, alone or at the end of a word: `!(a b)`. */
const followsExclamation = (terms: readonly Term[], index: number): boolean => {
  const before = terms[index - 1];
  const word = before ? wordText(before.operand) : "";
  return word.endsWith("!") && (terms[index]?.isGlued === true || /^!+$/.test(word));
};

/** Whether Gmail may read a ! as a minus that excludes one of the terms. */
export const hasExclamation = ({ terms }: SearchGroup): boolean =>
  terms.some(
    ({ operand }, index) => MINUS.test(wordText(operand)) || followsExclamation(terms, index),
  );

function termToSearch(term: Term, context: GroupContext): Search {
  const { isNegated, isExact, operand } = term;
  const operator = term.operator?.toLowerCase() ?? context.operator;
  const ambiguity = term.hasSpaceAfterColon ? "has a space after its colon" : context.ambiguity;
  const found = isGroup(operand)
    ? groupToSearch(operand, { operator, ambiguity: isExact ? PLUS_BEFORE_BRACKET : ambiguity })
    : ({ kind: "leaf", operator, ...operand, isExact, ambiguity } as const);
  return isNegated ? not(found) : found;
}

/**
 * Handles ! and AROUND inside a word or phrase, where Gmail may read them as a minus and as an operator
 * (help 7190 has AROUND in quotes). Only the words before the ! and around AROUND are certain. Keys ignore
 * this, because both readings are written in the same way.
 */
export function splitUncertainLeaf(leaf: SearchLeaf): SearchLeaf | AmbiguousSearch {
  const isAddress = leaf.isQuoted && /^\S+@\S+$/.test(leaf.text);
  const [before = ""] = isAddress ? [leaf.text] : leaf.text.split(MINUS);
  const required = before.split(/\s+AROUND\s+\d+\s+/).filter(isSearchable);
  if (before === leaf.text && required.length < 2) return leaf;
  return {
    kind: "ambiguous",
    readings: [allOf(required.map((text) => ({ ...leaf, text })))],
    sourceText: formatSearch(leaf),
    reason: before === leaf.text ? COUNTS_WORDS : MAY_BE_MINUS,
  };
}

/** A ! right before a word or a bracket, or after a space. */
const MINUS = /(?<!!)!+(?=[({]*[\p{L}\p{N}])|(?<!\S)!+\s*(?=[^\s!])/u;

const PLUS_BEFORE_BRACKET = "has a + before a bracket, which Gmail does not explain";

/** Parses a term that we write in a list: a word, a phrase or an address, perhaps after an operator. */
export function parseListTerm(term: string, operator?: string): Search {
  if (/^[\w@][\w@.-]*$/.test(term)) return searchLeaf(operator, term);
  if (/^"[^"]*"$/.test(term)) return searchLeaf(operator, term.slice(1, -1), true);
  const parsed = parseExpression(term);
  return "expression" in parsed
    ? groupToSearch(parsed.expression, { operator })
    : searchLeaf(operator, term);
}

export function formatSearch(search: Search): string {
  switch (search.kind) {
    case "leaf": {
      const { operator, isExact, text, isQuoted } = search;
      const word = isQuoted ? `"${text}"` : text;
      return `${operator === undefined ? "" : `${operator}:`}${isExact ? "+" : ""}${word}`;
    }
    case "not":
      return `-${formatSearch(search.of)}`;
    case "ambiguous":
      return search.sourceText;
    case "all":
      return `(${search.parts.map(formatSearch).join(" ")})`;
    case "any": {
      // Gmail writes the operator of a list only once: `from:(a OR b)`.
      const [operator, ...others] = new Set(
        search.parts.map((part) => (part.kind === "leaf" ? part.operator : undefined)),
      );
      const isOfOne = operator !== undefined && others.length === 0;
      const terms = search.parts.map((part) =>
        formatSearch(isOfOne && part.kind === "leaf" ? { ...part, operator: undefined } : part),
      );
      return `${isOfOne ? `${operator}:` : ""}(${terms.join(OR)})`;
    }
  }
}

/**
 * Searches with the same key find the same messages. The key ignores the order and case of alternatives,
 * duplicates, redundant brackets and quotes, and the spelling of a domain or a size.
 */
export function searchKey(search: Search): string {
  switch (search.kind) {
    case "leaf":
      return leafKey(search);
    case "not":
      return search.of.kind === "any" ? partsKey("all", [search]) : `-(${searchKey(search.of)})`;
    case "ambiguous":
      return search.readings.length > 1
        ? `ambiguous(${search.readings.map(searchKey).join(" ")})`
        : `ambiguous(${removeAllInvisible(search.sourceText).toLowerCase()})`;
    default:
      return partsKey(search.kind, search.parts);
  }
}

function partsKey(kind: "all" | "any", parts: readonly Search[]): string {
  const keys = new Set<string>();
  for (const part of parts) addKeys(kind, part, keys);
  const [only = ""] = keys;
  return keys.size < 2 ? only : `${kind}(${[...keys].sort().join(" ")})`;
}

/** Flattens nested parts of the same kind: `-{a b}` is `-a -b`. */
function addKeys(kind: "all" | "any", part: Search, keys: Set<string>): void {
  if (part.kind === kind) for (const inner of part.parts) addKeys(kind, inner, keys);
  else if (kind === "all" && part.kind === "not" && part.of.kind === "any") {
    for (const inner of part.of.parts) addKeys(kind, not(inner), keys);
  } else keys.add(searchKey(part));
}

function leafKey({ operator, text, isQuoted, isExact, ambiguity }: SearchLeaf): string {
  const key = wordKey(operator, collapseSpaces(removeAllInvisible(text)).toLowerCase(), isQuoted);
  return `${ambiguity === undefined ? "" : `${ambiguity} `}${isExact ? `+(${key})` : key}`;
}

function wordKey(operator: string | undefined, folded: string, isQuoted: boolean): string {
  const kind = operatorKind(operator);
  if (kind === "size") {
    const bytes = sizeBounds(folded)?.high ?? folded;
    return `${operator === "smaller" ? operator : "larger"}:${bytes}`;
  }
  const isOfPeople = kind === "address";
  const word = isOfPeople ? asDomain(folded) : folded;
  // In quotes, `me` and operators are only words.
  const isOwnWord = (isOfPeople && word === "me") || readOperator(word) !== undefined;
  const needsQuotes = isQuoted && (isOwnWord || !ONE_WORD.test(word.replace(CURLY_QUOTES, "")));
  const value = needsQuotes ? JSON.stringify(word) : word;
  return operator === undefined ? value : `${operator}:${value}`;
}

/** Gmail reads this as one word or phrase, with or without quotes. */
export const ONE_WORD = /^[\p{L}\p{N}\p{M}_.@'/\\=:&-]+$/u;

/** To Gmail, curly quotes are punctuation. */
const CURLY_QUOTES = /[“”„‟]/g;

export interface LeafInContext extends SearchLeaf {
  /** Whether an odd number of minuses applies to it. */
  readonly isExcluded: boolean;
}

export function listLeaves(search: Search, isExcluded = false): readonly LeafInContext[] {
  switch (search.kind) {
    case "leaf":
      return [{ ...search, isExcluded }];
    case "not":
      return listLeaves(search.of, !isExcluded);
    case "ambiguous":
      return search.readings.slice(0, 1).flatMap((reading) => listLeaves(reading, isExcluded));
    default:
      return search.parts.flatMap((part) => listLeaves(part, isExcluded));
  }
}

/** Whether a message must have a leaf that `matches` accepts, however Gmail reads the search. */
export function requiresLeaf(search: Search, matches: (leaf: SearchLeaf) => boolean): boolean {
  const isRequired = (part: Search): boolean => requiresLeaf(part, matches);
  switch (search.kind) {
    case "leaf":
      return (
        matches(search) &&
        isSearchable(search.text) &&
        (search.isQuoted || !/^[-!]/.test(search.text))
      );
    case "not":
      return false;
    case "all":
      return search.parts.some(isRequired);
    case "any":
      return search.parts.every(isRequired);
    case "ambiguous":
      return search.readings.every(isRequired);
  }
}
