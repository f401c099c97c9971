import { LIST_FIELDS } from "../filter-fields.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../gmail.ts";
import type { Criteria } from "./criteria.ts";
import type { ListTerm, WordsTerm } from "./has-words.ts";
import { parseExpression, splitAlternatives } from "./parse-search.ts";
import { anyOf, groupToSearch, OR, searchKey } from "./search-tree.ts";

/**
 * Splits criteria whose search is too long. Only lists of alternatives are split: `from`, `to` and
 * `subject`, and if necessary the longest OR of the words. Gmail applies every filter that matches, so
 * together the parts mean the same. Parts of an exclusion would not.
 *
 * @returns a reason if the rest is too long, or there are too many parts.
 */
export function splitCriteria(
  criteria: Criteria,
  length: number,
): readonly Criteria[] | "too-long" | "too-many" {
  if (length <= MAX_SEARCH_LENGTH) return [criteria];
  const lists = LIST_FIELDS.map((field) =>
    toSplittable(criteria[field], (part, terms) => ({ ...part, [field]: terms })),
  );
  const parts = splitLists(criteria, length, lists);
  const words = typeof parts === "string" ? findWordsList(criteria) : undefined;
  return words ? splitLists(criteria, length, [...lists, words]) : parts;
}

type Terms = readonly ListTerm[];

interface Splittable {
  readonly terms: Terms;
  /** The length of the list in the search, without the characters that every part repeats. */
  readonly joinedLength: number;
  /** The length of the longest term. */
  readonly longest: number;
  readonly withTerms: (part: Criteria, terms: Terms) => Criteria;
}

const getJoinedLength = (terms: Terms): number =>
  terms.reduce((sum, { text }) => sum + text.length, Math.max(0, terms.length - 1) * OR.length);

const toSplittable = (terms: Terms, withTerms: Splittable["withTerms"]): Splittable => ({
  terms,
  joinedLength: getJoinedLength(terms),
  longest: terms.reduce((most, { text }) => Math.max(most, text.length), 0),
  withTerms,
});

/** Finds the longest item of the words with alternatives, as `(a OR b)`, `{a b}` or `from:(a|b)`. */
function findWordsList({ words }: Criteria): Splittable | undefined {
  const lists = words.flatMap((term, index) => {
    const terms = listAlternatives(term);
    const withTerms: Splittable["withTerms"] = (part, subset) => ({
      ...part,
      words: part.words.with(index, joinAlternatives(subset)),
    });
    const joinedLength = term.text.length - "()".length;
    return terms.length > 1 ? { ...toSplittable(terms, withTerms), joinedLength } : [];
  });
  return lists.sort((one, other) => other.joinedLength - one.joinedLength)[0];
}

/** Lists the alternatives of a term, if together they have the same meaning. */
function listAlternatives(term: WordsTerm): Terms {
  const terms = splitAlternatives(term.text).flatMap((item) => {
    const parsed = parseExpression(item);
    if ("problem" in parsed) return [];
    const text = parsed.expression.terms.length > 1 ? `(${item})` : item;
    return { text, key: text.toLowerCase(), search: groupToSearch(parsed.expression) };
  });
  const isWhole = searchKey(anyOf(terms.map(({ search }) => search))) === searchKey(term.search);
  return isWhole ? terms : [];
}

function joinAlternatives(alternatives: Terms): WordsTerm {
  const text = `(${alternatives.map((alternative) => alternative.text).join(OR)})`;
  const search = anyOf(alternatives.map((alternative) => alternative.search));
  return { text, key: text.toLowerCase(), search, isExpression: true };
}

function splitLists(
  criteria: Criteria,
  length: number,
  lists: readonly Splittable[],
): ReturnType<typeof splitCriteria> {
  const room = lists.reduce((left, list) => left + list.joinedLength, MAX_SEARCH_LENGTH - length);
  if (room < sumLongestTerms(lists)) return "too-long";
  const limits = chooseLimits(lists, room);
  if (!limits) return "too-many";
  return lists.reduce<readonly Criteria[]>(
    (parts, { terms, withTerms }, index) => {
      const subsets = packTerms(terms, limits[index] ?? 0);
      return subsets.length < 2
        ? parts
        : parts.flatMap((part) => subsets.map((subset) => withTerms(part, subset)));
    },
    [criteria],
  );
}

/**
 * Splits the longest list into one more part until every combination of parts fits.
 *
 * @returns the maximum length of a part of each list, or undefined if Gmail cannot keep that many filters.
 */
function chooseLimits(lists: readonly Splittable[], room: number): readonly number[] | undefined {
  const counts = lists.map(() => 1);
  const limits = lists.map(({ terms }) => getJoinedLength(terms));
  for (let sum = limits.reduce(add); sum > room; sum = limits.reduce(add)) {
    const splittable = limits.map((limit, at) => (limit > (lists[at]?.longest ?? 0) ? limit : 0));
    const at = splittable.indexOf(Math.max(...splittable));
    const list = lists[at];
    if (!list || counts.reduce(multiply) > MAX_FILTERS) return undefined;
    counts[at] = (counts[at] ?? 1) + 1;
    limits[at] = findShortestPartLength(list, counts[at], limits[at] ?? 0);
  }
  return counts.reduce(multiply) > MAX_FILTERS ? undefined : limits;
}

const add = (one: number, other: number): number => one + other;
const multiply = (one: number, other: number): number => one * other;

const sumLongestTerms = (lists: readonly Splittable[]): number =>
  lists.reduce((sum, { longest }) => sum + longest, 0);

/** Returns the length of the longest part when a list is split as evenly as possible. */
function findShortestPartLength(
  { terms, longest }: Splittable,
  count: number,
  maxLength: number,
): number {
  let [low, high] = [longest, maxLength];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (packTerms(terms, middle).length <= count) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Splits a list, in order, into the fewest parts within the limit. No term may be longer. */
function packTerms(terms: Terms, limit: number): readonly Terms[] {
  const parts: ListTerm[][] = [[]];
  let length = -OR.length;
  for (const term of terms) {
    length += OR.length + term.text.length;
    if (length > limit && parts.at(-1)?.length !== 0) {
      parts.push([]);
      length = term.text.length;
    }
    parts.at(-1)?.push(term);
  }
  return parts;
}
