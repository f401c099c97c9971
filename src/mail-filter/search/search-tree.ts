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
  unquotedText,
  writeGroup,
} from "./parse-search.ts";

/** The separator of alternatives in Gmail's own exports. */
export const OR = " OR ";

/** The meaning of a search, as far as Gmail documents it; matching, comparing and warnings read it. */
export type Search =
  | SearchLeaf
  | { readonly kind: "not"; readonly of: Search }
  | { readonly kind: "all" | "any"; readonly parts: readonly Search[] }
  | AmbiguousSearch;

/** A word or phrase, after an operator or without one. */
export interface SearchLeaf {
  readonly kind: "leaf";
  /** The operator in lower case. */
  readonly operator: string | undefined;
  /** The word or phrase without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  /** True after a plus: Gmail finds no other form of the word. */
  readonly exact: boolean;
  /** Why Gmail's reading is not known, as for `from: bob`. */
  readonly unclear: string | undefined;
}

/** A search that Gmail may read in several ways. With a single reading, Gmail asks for that and for more. */
interface AmbiguousSearch {
  readonly kind: "unsure";
  readonly readings: readonly Search[];
  readonly written: string;
  readonly reason: string;
}

export const searchLeaf = (operator: string | undefined, text: string, quoted = false) =>
  ({ kind: "leaf", operator, text, quoted, exact: false, unclear: undefined }) as const;

export const allOf = (parts: readonly Search[]): Search => joined("all", parts);

export const anyOf = (parts: readonly Search[]): Search => joined("any", parts);

export const not = (of: Search): Search => ({ kind: "not", of });

const joined = (kind: "all" | "any", parts: readonly Search[]): Search => {
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : { kind, parts };
};

/** The operator before a group, and what makes it unclear: both hold for each part of the group. */
type EnclosingField = Partial<Pick<SearchLeaf, "operator" | "unclear">>;

/**
 * The meaning of a search expression.
 *
 * @param outer of the field that holds the expression: the operator `from` for senders.
 */
export function groupToSearch(group: SearchGroup, outer: EnclosingField = {}): Search {
  const { parts, joiners } = joinedParts(group, outer);
  const isOr = (joiner: string) => joiner === "OR" || (group.bracket === "{" && joiner === "");
  if (joiners.every(isOr)) return anyOf(parts);
  if (!joiners.some(isOr) && group.bracket !== "{") return allOf(parts);
  // Gmail's documentation leaves open if `a b OR c` is `(a b) OR c`, and what AND means in braces.
  const cut = (splits: (joiner: string) => boolean) => splitAtJoiners(parts, joiners, splits);
  return {
    kind: "unsure",
    readings: [
      ...(group.bracket === "{" ? [anyOf(parts)] : []),
      anyOf(cut(isOr).map(allOf)),
      allOf(cut((joiner) => !isOr(joiner)).map(anyOf)),
    ],
    written: writeGroup(group),
    reason: "can be read in two ways, which differ here",
  };
}

/** The terms that have a word, and the joiners between them. Both sides of AROUND are one part. */
function joinedParts({ terms, joiners: written }: SearchGroup, outer: EnclosingField) {
  const parts: Search[] = [];
  const joiners: string[] = [];
  for (const [index, term] of terms.entries()) {
    if (!hasWord(term.operand)) continue;
    const found = termToSearch(term, outer);
    const part = followsExclamation(terms, index) ? withAmbiguousMinus(found) : found;
    const joiner = written[index - 1] ?? "";
    const before = joiner.startsWith("AROUND") ? parts.pop() : undefined;
    if (parts.length > 0 && !before) joiners.push(joiner);
    parts.push(before ? around(before, joiner, part) : part);
  }
  return { parts, joiners };
}

/** Both sides of AROUND are required; how Gmail counts the words between them is not known. */
const around = (before: Search, joiner: string, after: Search): AmbiguousSearch => ({
  kind: "unsure",
  readings: [allOf([before, after])],
  written: `${formatSearch(before)} ${joiner} ${formatSearch(after)}`,
  reason: COUNTS_WORDS,
});

const COUNTS_WORDS = "counts words in a way that Gmail does not document";

/** Gmail may read a ! as a minus before the next term. */
const withAmbiguousMinus = (excluded: Search): AmbiguousSearch => ({
  kind: "unsure",
  readings: [excluded, not(excluded)],
  written: `!${formatSearch(excluded)}`,
  reason: MAY_BE_MINUS,
});

const MAY_BE_MINUS = "has a !, which Gmail may read as a minus";

/** True for a term behind a lone !, or behind one that the word before it ends with: `!(a b)`. */
const followsExclamation = (terms: readonly Term[], index: number): boolean => {
  const before = terms[index - 1];
  const word = before ? unquotedText(before.operand) : "";
  return word.endsWith("!") && (terms[index]?.glued === true || /^!+$/.test(word));
};

/** True for terms of which Gmail may exclude one, by a ! that it may read as a minus. */
export const hasExclamation = ({ terms }: SearchGroup): boolean =>
  terms.some(
    ({ operand }, index) => MINUS.test(unquotedText(operand)) || followsExclamation(terms, index),
  );

function termToSearch(term: Term, outer: EnclosingField): Search {
  const { negated, exact, operand } = term;
  const operator = term.operator?.toLowerCase() ?? outer.operator;
  const unclear = term.spaced ? "has a space after its colon" : outer.unclear;
  const found = isGroup(operand)
    ? groupToSearch(operand, { operator, unclear: exact ? PLUS_BEFORE_BRACKET : unclear })
    : ({ kind: "leaf", operator, ...operand, exact, unclear } as const);
  return negated ? not(found) : found;
}

/**
 * The meaning of a word or phrase, whose ! may be a minus and whose AROUND may count words (help 7190 has
 * it within quotes too): sure is only that it asks for the words before the one, and around the other.
 * Keys of searches ignore this, since both readings are written alike.
 */
export function readLeaf(leaf: SearchLeaf): SearchLeaf | AmbiguousSearch {
  const isAddress = leaf.quoted && /^\S+@\S+$/.test(leaf.text);
  const [before = ""] = isAddress ? [leaf.text] : leaf.text.split(MINUS);
  const required = before.split(/\s+AROUND\s+\d+\s+/).filter(isSearchable);
  if (before === leaf.text && required.length < 2) return leaf;
  return {
    kind: "unsure",
    readings: [allOf(required.map((text) => ({ ...leaf, text })))],
    written: formatSearch(leaf),
    reason: before === leaf.text ? COUNTS_WORDS : MAY_BE_MINUS,
  };
}

/** A ! right before a word or a bracket, or with a space before it. */
const MINUS = /(?<!!)!+(?=[({]*[\p{L}\p{N}])|(?<!\S)!+\s*(?=[^\s!])/u;

const PLUS_BEFORE_BRACKET = "has a + before a bracket, which Gmail does not explain";

/**
 * The meaning of one term that this tool writes in a list: a word, a phrase, an address, or an
 * operator with one of these.
 */
export function parseListTerm(term: string, operator?: string): Search {
  if (/^[\w@][\w@.-]*$/.test(term)) return searchLeaf(operator, term);
  if (/^"[^"]*"$/.test(term)) return searchLeaf(operator, term.slice(1, -1), true);
  const parsed = parseExpression(term);
  return "expression" in parsed
    ? groupToSearch(parsed.expression, { operator })
    : searchLeaf(operator, term);
}

/** A search in one spelling, for messages. */
export function formatSearch(search: Search): string {
  switch (search.kind) {
    case "leaf": {
      const { operator, exact, text, quoted } = search;
      const word = quoted ? `"${text}"` : text;
      return `${operator === undefined ? "" : `${operator}:`}${exact ? "+" : ""}${word}`;
    }
    case "not":
      return `-${formatSearch(search.of)}`;
    case "unsure":
      return search.written;
    case "all":
      return `(${search.parts.map(formatSearch).join(" ")})`;
    case "any": {
      // A list of one operator is shown as Gmail writes it: `from:(a OR b)`.
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
 * A key that is equal for searches that find the same mail: it ignores the order and case of alternatives,
 * repeats, needless brackets and quotes, and the spelling of a domain or a size.
 */
export function searchKey(search: Search): string {
  switch (search.kind) {
    case "leaf":
      return leafKey(search);
    case "not":
      return search.of.kind === "any" ? partsKey("all", [search]) : `-(${searchKey(search.of)})`;
    case "unsure":
      return search.readings.length > 1
        ? `unsure(${search.readings.map(searchKey).join(" ")})`
        : `unsure(${removeAllInvisible(search.written).toLowerCase()})`;
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

/** Adds the key of a part, or of its own parts if they are joined in the same way: `-{a b}` is `-a -b`. */
function addKeys(kind: "all" | "any", part: Search, keys: Set<string>): void {
  if (part.kind === kind) for (const inner of part.parts) addKeys(kind, inner, keys);
  else if (kind === "all" && part.kind === "not" && part.of.kind === "any") {
    for (const inner of part.of.parts) addKeys(kind, not(inner), keys);
  } else keys.add(searchKey(part));
}

function leafKey({ operator, text, quoted, exact, unclear }: SearchLeaf): string {
  const key = wordKey(operator, collapseSpaces(removeAllInvisible(text)).toLowerCase(), quoted);
  return `${unclear === undefined ? "" : `${unclear} `}${exact ? `+(${key})` : key}`;
}

function wordKey(operator: string | undefined, folded: string, quoted: boolean): string {
  const kind = operatorKind(operator);
  if (kind === "size") {
    const bytes = sizeBounds(folded)?.high ?? folded;
    return `${operator === "smaller" ? operator : "larger"}:${bytes}`;
  }
  const isOfPeople = kind === "address";
  const word = isOfPeople ? asDomain(folded) : folded;
  // Gmail's word for the account, and an operator, are mere texts in quotes.
  const isOwnWord = (isOfPeople && word === "me") || readOperator(word) !== undefined;
  const needsQuotes = quoted && (isOwnWord || !ONE_WORD.test(word.replace(CURLY_QUOTES, "")));
  const value = needsQuotes ? JSON.stringify(word) : word;
  return operator === undefined ? value : `${operator}:${value}`;
}

/** A text that Gmail reads as one word or phrase, in quotes or not. */
export const ONE_WORD = /^[\p{L}\p{N}\p{M}_.@'/\\=:&-]+$/u;

/** Curly quotes, which are punctuation to Gmail. */
const CURLY_QUOTES = /[“”„‟]/g;

/** A leaf of a search, and whether the minuses around it exclude it. */
export interface FoundLeaf extends SearchLeaf {
  readonly excluded: boolean;
}

/** All leaves of a search, in order. */
export function listLeaves(search: Search, excluded = false): readonly FoundLeaf[] {
  switch (search.kind) {
    case "leaf":
      return [{ ...search, excluded }];
    case "not":
      return listLeaves(search.of, !excluded);
    case "unsure":
      return search.readings.slice(0, 1).flatMap((reading) => listLeaves(reading, excluded));
    default:
      return search.parts.flatMap((part) => listLeaves(part, excluded));
  }
}

/**
 * True when all mail that the search finds has a leaf that counts, rather than lacking something,
 * however Gmail reads the search.
 */
export function requires(search: Search, counts: (leaf: SearchLeaf) => boolean): boolean {
  const isRequired = (part: Search): boolean => requires(part, counts);
  switch (search.kind) {
    case "leaf":
      return (
        counts(search) && isSearchable(search.text) && (search.quoted || !/^[-!]/.test(search.text))
      );
    case "not":
      return false;
    case "all":
      return search.parts.some(isRequired);
    case "any":
      return search.parts.every(isRequired);
    case "unsure":
      return search.readings.every(isRequired);
  }
}
