import { LIST_FIELDS } from "../fields.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../gmail.ts";
import type { Criteria } from "./criteria.ts";
import { type Group, hasPrefix, isGroup, parseExpression, type Term, writeTerm } from "./read.ts";
import { anyOf, groupToSearch, OR } from "./search.ts";
import type { ListTerm, WordsTerm } from "./words.ts";

/**
 * Cuts criteria whose search is too long into the fewest that fit, in the order of the lists. Only
 * lists of alternatives are cut: from, to and subject, and where these are not enough the longest OR
 * of the words. Gmail runs every filter that matches, so the parts together mean the same. The parts
 * of an exclusion would not.
 */
export function split(criteria: Criteria, length: number): readonly Criteria[] | Unsplittable {
  if (length <= MAX_SEARCH_LENGTH) return [criteria];
  const lists = LIST_FIELDS.map((field) => {
    const list = measure(criteria[field]);
    const cut = (part: Criteria, terms: Terms) => ({ ...part, [field]: terms });
    return { ...list, written: list.length, cut };
  });
  const parts = cutLists(criteria, length, lists);
  const words = typeof parts === "string" ? findWordsList(criteria) : undefined;
  return words ? cutLists(criteria, length, [...lists, words]) : parts;
}

/** The reason why criteria cannot be cut: the rest, which stays whole, is too long, or the parts are too many. */
export type Unsplittable = "too-long" | "too-many";

type Terms = readonly ListTerm[];

/** A list of alternatives with its lengths in the search string. */
interface Measured {
  readonly terms: Terms;
  /** The number of parts, at least 1: an empty list is one empty part. */
  readonly count: number;
  readonly length: number;
  readonly longest: number;
  /** `ends[i]` is the length of the first `i` terms, each with a joint. */
  readonly ends: readonly number[];
}

/** A list of criteria that can be cut. */
interface Splittable extends Measured {
  /** The characters that it takes in the search now, without what stays around each part. */
  readonly written: number;
  readonly cut: (part: Criteria, terms: Terms) => Criteria;
}

/** The longest item of the words that is a list of alternatives. */
function findWordsList({ words }: Criteria): Splittable | undefined {
  const [longest] = words
    .map((term, index) => ({ term, index, list: measure(listAlternatives(term)) }))
    .filter(({ list }) => list.count > 1)
    .sort((one, other) => other.list.length - one.list.length);
  if (!longest) return undefined;
  const { term, index, list } = longest;
  const cut = (part: Criteria, terms: Terms) => ({
    ...part,
    words: part.words.with(index, joinAlternatives(terms)),
  });
  return { ...list, written: term.text.length - "()".length, cut };
}

function cutLists(
  criteria: Criteria,
  length: number,
  lists: readonly Splittable[],
): readonly Criteria[] | Unsplittable {
  const rest = lists.reduce((left, { written }) => left - written, length);
  const limits = chooseLimits(lists, MAX_SEARCH_LENGTH - rest);
  if (typeof limits === "string") return limits;
  let parts: readonly Criteria[] = [criteria];
  for (const [index, list] of lists.entries()) {
    const cuts = toParts(list, limits[index] ?? 0);
    if (cuts.length < 2) continue;
    parts = parts.flatMap((part) => cuts.map((terms) => list.cut(part, terms)));
  }
  return parts;
}

/**
 * The most characters of a part of each list, so that every combination of their parts fits and the
 * combinations are fewest; of several such ways, the one with the shortest parts. To fill the parts of
 * one list after the other would be simpler and can give several times as many.
 */
function chooseLimits(lists: readonly Measured[], room: number): readonly number[] | Unsplittable {
  const spare = lists.reduce((left, { longest }) => left - longest, room);
  if (spare < 0) return "too-long";
  // The number of parts of a list when the others are cut as short as they can be.
  const fewest = lists.map((list) => countParts(list, list.longest + spare));
  const lengths = lists.map(lengthsByCount);

  let best: { readonly limits: readonly number[]; readonly length: number } | undefined;
  let most = MAX_FILTERS;
  const choose = (limits: readonly number[], length: number, combinations: number): void => {
    const index = limits.length;
    const list = lists[index];
    if (!list) {
      if (best && combinations === most && length >= best.length) return;
      best = { limits, length };
      most = combinations;
      return;
    }
    const others = fewest.slice(index + 1).reduce((product, count) => product * count, 1);
    const shortest = lists.slice(index + 1).reduce((sum, { longest }) => sum + longest, 0);
    for (let count = fewest[index] ?? 1; count <= list.count; count += 1) {
      if (combinations * count * others > most) return;
      const total = length + (lengths[index]?.(count) ?? 0);
      if (total + shortest > room) continue;
      choose([...limits, total - length], total, combinations * count);
      if (index === lists.length - 1) return;
    }
  };
  choose([], 0, 1);
  return best?.limits ?? "too-many";
}

const JOINT = OR.length;

function measure(terms: Terms): Measured {
  const ends = [0];
  let [end, longest] = [0, 0];
  for (const { text } of terms) {
    end += text.length + JOINT;
    longest = Math.max(longest, text.length);
    ends.push(end);
  }
  const length = Math.max(end - JOINT, 0);
  return { terms, count: Math.max(terms.length, 1), length, longest, ends };
}

/** `shortestLength` for one list, each number of parts computed at most once. */
function lengthsByCount(list: Measured): (count: number) => number {
  const known = new Map<number, number>();
  return (count) => {
    const length = known.get(count) ?? shortestLength(list, count);
    known.set(count, length);
    return length;
  };
}

/** The length of the longest part when a list is cut as evenly as possible. */
function shortestLength(list: Measured, count: number): number {
  let [low, high] = [list.longest, list.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countParts(list, middle) <= count) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cuts a list, in order, into the fewest parts of at most this length. No term may be longer. */
function toParts({ terms, ends, count }: Measured, limit: number): readonly Terms[] {
  const parts: Terms[] = [];
  for (let start = 0; start < count; ) {
    const end = partEnd(ends, count, start, limit);
    parts.push(terms.slice(start, end));
    start = end;
  }
  return parts;
}

const countParts = ({ ends, count }: Measured, limit: number): number => {
  let parts = 0;
  for (let start = 0; start < count; parts += 1) start = partEnd(ends, count, start, limit);
  return parts;
};

/** The end of the part that starts at a term, found by bisection. */
function partEnd(ends: readonly number[], count: number, start: number, limit: number): number {
  const most = (ends[start] ?? 0) + limit + JOINT;
  let [low, high] = [start + 1, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ends[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The alternatives of a term that is nothing but a list of them, as `(a OR b)`, `{a b}` or `from:(a|b)`:
 * each alone is a part of what the term finds. None for any other term.
 */
function listAlternatives({ text, search }: WordsTerm): readonly ListTerm[] {
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
function joinAlternatives(alternatives: readonly ListTerm[]): WordsTerm {
  const text = `(${alternatives.map((alternative) => alternative.text).join(OR)})`;
  const search = anyOf(alternatives.map((alternative) => alternative.search));
  return { text, key: text.toLowerCase(), search, isExpression: true };
}
