import { LIST_FIELDS } from "../filter-fields.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../gmail.ts";
import type { Criteria } from "./criteria.ts";
import type { ListTerm, WordsTerm } from "./has-words.ts";
import { parseExpression, splitAlternatives } from "./parse-search.ts";
import { anyOf, groupToSearch, OR, searchKey } from "./search-tree.ts";

/**
 * Cuts criteria whose search is too long into some that fit, in the order of the lists. Only
 * lists of alternatives are cut: from, to and subject, and where these are not enough the longest OR
 * of the words. Gmail runs every filter that matches, so the parts together mean the same. The parts
 * of an exclusion would not.
 *
 * @returns a reason when the rest, which stays whole, is too long, or the parts are too many.
 */
export function splitCriteria(
  criteria: Criteria,
  length: number,
): readonly Criteria[] | "too-long" | "too-many" {
  if (length <= MAX_SEARCH_LENGTH) return [criteria];
  const lists = LIST_FIELDS.map((field) =>
    toSplittable(criteria[field], (part, terms) => ({ ...part, [field]: terms })),
  );
  const parts = cutLists(criteria, length, lists);
  const words = typeof parts === "string" ? findWordsList(criteria) : undefined;
  return words ? cutLists(criteria, length, [...lists, words]) : parts;
}

type Terms = readonly ListTerm[];

/** A list of criteria that can be cut. */
interface Splittable {
  readonly terms: Terms;
  /** The characters that the list takes in the search now, without what stays around each part. */
  readonly written: number;
  readonly longest: number;
  readonly cut: (part: Criteria, terms: Terms) => Criteria;
}

const listLength = (terms: Terms): number =>
  terms.reduce((sum, { text }) => sum + text.length, Math.max(0, terms.length - 1) * OR.length);

const toSplittable = (terms: Terms, cut: Splittable["cut"]): Splittable => ({
  terms,
  written: listLength(terms),
  longest: terms.reduce((most, { text }) => Math.max(most, text.length), 0),
  cut,
});

/** The longest item of the words that is a list of alternatives, as `(a OR b)`, `{a b}` or `from:(a|b)`. */
function findWordsList({ words }: Criteria): Splittable | undefined {
  const lists = words.flatMap((term, index) => {
    const terms = listAlternatives(term);
    const cut: Splittable["cut"] = (part, some) => ({
      ...part,
      words: part.words.with(index, joinAlternatives(some)),
    });
    const written = term.text.length - "()".length;
    return terms.length > 1 ? { ...toSplittable(terms, cut), written } : [];
  });
  return lists.sort((one, other) => other.written - one.written)[0];
}

/** The alternatives of a term, if all of them together have its meaning. */
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

/** One term for any of the alternatives. */
function joinAlternatives(alternatives: Terms): WordsTerm {
  const text = `(${alternatives.map((alternative) => alternative.text).join(OR)})`;
  const search = anyOf(alternatives.map((alternative) => alternative.search));
  return { text, key: text.toLowerCase(), search, isExpression: true };
}

function cutLists(
  criteria: Criteria,
  length: number,
  lists: readonly Splittable[],
): ReturnType<typeof splitCriteria> {
  const room = lists.reduce((left, list) => left + list.written, MAX_SEARCH_LENGTH - length);
  if (room < sumOfLongest(lists)) return "too-long";
  const limits = chooseSplit(lists, room);
  if (!limits) return "too-many";
  return lists.reduce<readonly Criteria[]>(
    (parts, { terms, cut }, index) => {
      const cuts = packTerms(terms, limits[index] ?? 0);
      return cuts.length < 2 ? parts : parts.flatMap((part) => cuts.map((some) => cut(part, some)));
    },
    [criteria],
  );
}

/**
 * Chooses the most characters of a part of each list: the longest list is cut into one part more, until
 * every combination of parts fits.
 *
 * @returns undefined for more combinations than Gmail keeps filters.
 */
function chooseSplit(lists: readonly Splittable[], room: number): readonly number[] | undefined {
  const counts = lists.map(() => 1);
  const limits = lists.map(({ terms }) => listLength(terms));
  for (let sum = limits.reduce(add); sum > room; sum = limits.reduce(add)) {
    const open = limits.map((limit, at) => (limit > (lists[at]?.longest ?? 0) ? limit : 0));
    const at = open.indexOf(Math.max(...open));
    const list = lists[at];
    if (!list || counts.reduce(multiply) > MAX_FILTERS) return undefined;
    counts[at] = (counts[at] ?? 1) + 1;
    limits[at] = findShortestPartLength(list, counts[at], limits[at] ?? 0);
  }
  return counts.reduce(multiply) > MAX_FILTERS ? undefined : limits;
}

const add = (one: number, other: number): number => one + other;
const multiply = (one: number, other: number): number => one * other;

const sumOfLongest = (lists: readonly Splittable[]): number =>
  lists.reduce((sum, { longest }) => sum + longest, 0);

/** The length of the longest part when a list is cut as evenly as possible, if it is at most `most`. */
function findShortestPartLength(
  { terms, longest }: Splittable,
  count: number,
  most: number,
): number {
  let [low, high] = [longest, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (packTerms(terms, middle).length <= count) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cuts a list, in order, into the fewest parts of at most this length. No term may be longer. */
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
