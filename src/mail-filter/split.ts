import { LIST_FIELDS, type ListField } from "./fields.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import type { Criteria } from "./terms/criteria.ts";
import { OR } from "./terms/search.ts";
import type { ListTerm } from "./terms/words.ts";

/**
 * Cuts criteria whose search is too long into the fewest that fit, in the order of the lists. Only
 * from, to and subject are cut: Gmail runs every filter that matches, so the parts of a list of
 * alternatives together mean the same. The parts of an exclusion would not.
 */
export function split(criteria: Criteria, length: number): readonly Criteria[] | Unsplittable {
  if (length <= MAX_SEARCH_LENGTH) return [criteria];

  const measured = {
    from: measure(criteria.from),
    to: measure(criteria.to),
    subject: measure(criteria.subject),
  };
  const rest = length - measured.from.length - measured.to.length - measured.subject.length;
  const limits = chooseLimits(measured, MAX_SEARCH_LENGTH - rest);
  if (typeof limits === "string") return limits;

  let parts: readonly Criteria[] = [criteria];
  for (const field of LIST_FIELDS) {
    const lists = toParts(criteria[field], measured[field], limits[field]);
    parts = parts.flatMap((part) => lists.map((list) => ({ ...part, [field]: list })));
  }
  return parts;
}

/** The reason why criteria cannot be cut: the rest, which stays whole, is too long, or the parts are too many. */
export type Unsplittable = "too-long" | "too-many";

/** The most characters of a part of each list. */
type PartLimits = Readonly<Record<ListField, number>>;

/**
 * Cuts the lists so that every combination of their parts fits and the combinations are
 * fewest; of several such ways, the one with the shortest parts. To fill the parts of one list
 * after the other would be simpler and can give several times as many.
 */
function chooseLimits(
  { from, to, subject }: Readonly<Record<ListField, Measured>>,
  room: number,
): PartLimits | Unsplittable {
  const left = room - from.longest - to.longest - subject.longest;
  if (left < 0) return "too-long";

  // The number of parts of a list when the others are cut as short as they can be.
  const fewest = (list: Measured) => countParts(list, left + list.longest);
  const [fewestA, fewestB, fewestC] = [fewest(from), fewest(to), fewest(subject)];
  const [lengthsB, lengthsC] = [lengthsByCount(to), lengthsByCount(subject)];

  let best: { limits: PartLimits; length: number } | undefined;
  let count = MAX_FILTERS;
  for (let a = fewestA; a <= from.count && a * fewestB * fewestC <= count; a += 1) {
    const lengthA = shortestLength(from, a);
    for (let b = fewestB; b <= to.count && a * b * fewestC <= count; b += 1) {
      const lengthB = lengthsB(b);
      for (let c = fewestC; c <= subject.count && a * b * c <= count; c += 1) {
        const length = lengthA + lengthB + lengthsC(c);
        if (length > room) continue;
        if (!best || a * b * c < count || length < best.length) {
          best = { limits: { from: lengthA, to: lengthB, subject: lengthsC(c) }, length };
          count = a * b * c;
        }
        break;
      }
    }
  }
  return best?.limits ?? "too-many";
}

type Terms = readonly ListTerm[];

/** A list of alternatives with its lengths in the search string. */
interface Measured {
  /** The number of parts, at least 1: an empty list is one empty part. */
  readonly count: number;
  readonly length: number;
  readonly longest: number;
  /** `ends[i]` is the length of the first `i` terms, each with a joint. */
  readonly ends: readonly number[];
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
  return { count: Math.max(terms.length, 1), length: Math.max(end - JOINT, 0), longest, ends };
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

/** Cuts a list, in order, into the fewest parts of at most this length, or of a single term. */
function toParts(terms: Terms, list: Measured, limit: number): readonly Terms[] {
  const parts: Terms[] = [];
  for (let start = 0; start < list.count; ) {
    const end = partEnd(list, start, limit);
    parts.push(terms.slice(start, end));
    start = end;
  }
  return parts;
}

/** The number of parts of at most this length that a list needs. No term may be longer. */
function countParts(list: Measured, limit: number): number {
  let count = 0;
  for (let start = 0; start < list.count; count += 1) start = partEnd(list, start, limit);
  return count;
}

/** The end of the part that starts at a term, found by bisection. */
function partEnd({ ends, count }: Measured, start: number, limit: number): number {
  const most = (ends[start] ?? 0) + limit + JOINT;
  let [low, high] = [start + 1, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ends[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
