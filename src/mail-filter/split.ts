import type { Criteria } from "./filter.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { anyOf, searchString } from "./search.ts";

type Terms = readonly string[];

const JOINT = anyOf(["", ""]).length;

/** The length of the terms when they are written as alternatives. */
const listLength = (terms: Terms): number =>
  terms.reduce((total, term) => total + term.length + JOINT, terms.length > 0 ? -JOINT : 0);

/** As short as cutting can make a list. */
const longestTerm = (terms: Terms): number =>
  terms.reduce((longest, term) => Math.max(longest, term.length), 0);

/** Cuts a list, in order, into the fewest parts of at most this length, or of a single term. */
function cutList(terms: Terms, limit: number): readonly Terms[] {
  const starts = partStarts(terms, limit);
  return starts.map((start, index) => terms.slice(start, starts[index + 1]));
}

/** How many parts of at most this length a list needs. No term may be longer than that. */
const partsWithin = (terms: Terms, limit: number): number => partStarts(terms, limit).length;

/** A way to cut a list, which keeps the longest part as short as so many parts allow. */
interface Cut {
  readonly parts: number;
  /** Of the longest part. */
  readonly length: number;
}

/** The ways to cut a list into these numbers of parts, longest parts first. */
function waysToCut(terms: Terms, fewest: number, most: number): readonly Cut[] {
  const cuts: Cut[] = [];
  for (let parts = fewest; parts <= Math.min(most, Math.max(terms.length, 1)); parts += 1) {
    cuts.push({ parts, length: shortestLength(terms, parts) });
  }
  return cuts;
}

function shortestLength(terms: Terms, parts: number): number {
  let [low, high] = [longestTerm(terms), listLength(terms)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (partsWithin(terms, middle) <= parts) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of each part's first term. */
function partStarts(terms: Terms, limit: number): readonly number[] {
  const starts = [0];
  let length = -JOINT;
  terms.forEach((term, index) => {
    length += JOINT + term.length;
    if (length > limit && index > 0) {
      starts.push(index);
      length = term.length;
    }
  });
  return starts;
}

/** Why criteria cannot be cut: what must stay whole is too long, or the parts are too many. */
export type Unsplittable = "too-long" | "too-many";

/**
 * Cuts criteria whose search is too long into as few as fit, in the order of the lists. Only
 * from, to and subject are cut: Gmail runs every filter that matches, so parts of a list of
 * alternatives together mean the same, which parts of an exclusion would not.
 */
export function split(criteria: Criteria): readonly Criteria[] | Unsplittable {
  const length = searchString(criteria).length;
  if (length <= MAX_SEARCH_LENGTH) return [criteria];

  const { from, to, subject } = criteria;
  const rest = length - listLength(from) - listLength(to) - listLength(subject);
  const limits = fewestEntries(criteria, MAX_SEARCH_LENGTH - rest);
  if (typeof limits === "string") return limits;

  let entries: readonly Criteria[] = [criteria];
  for (const field of ["from", "to", "subject"] as const) {
    const parts = cutList(criteria[field], limits[field]);
    entries = entries.flatMap((entry) => parts.map((part) => ({ ...entry, [field]: part })));
  }
  return entries;
}

/** How long a part of each list may be. */
type Limits = Readonly<Record<"from" | "to" | "subject", number>>;

/**
 * Where to cut the lists so that every combination of their parts fits and the combinations are
 * fewest; among those the one with the shortest entries, which cuts the longest list.
 */
function fewestEntries({ from, to, subject }: Criteria, room: number): Limits | Unsplittable {
  const left = room - longestTerm(from) - longestTerm(to) - longestTerm(subject);
  if (left < 0) return "too-long";

  // However short the other lists are cut, each needs at least so many parts.
  const fewest = (terms: readonly string[]) => partsWithin(terms, left + longestTerm(terms));
  const product = fewest(from) * fewest(to) * fewest(subject);
  const cutsOf = (terms: readonly string[]) =>
    waysToCut(terms, fewest(terms), (MAX_FILTERS * fewest(terms)) / product);
  const [toCuts, subjectCuts] = [cutsOf(to), cutsOf(subject)];

  let best: { limits: Limits; entries: number; length: number } | undefined;
  for (const a of cutsOf(from)) {
    for (const b of toCuts) {
      const c = subjectCuts.find(({ length }) => a.length + b.length + length <= room);
      const entries = a.parts * b.parts * (c?.parts ?? Number.POSITIVE_INFINITY);
      if (!c || entries > (best?.entries ?? MAX_FILTERS)) continue;
      const length = a.length + b.length + c.length;
      if (!best || entries < best.entries || length < best.length) {
        best = { limits: { from: a.length, to: b.length, subject: c.length }, entries, length };
      }
    }
  }
  return best?.limits ?? "too-many";
}
