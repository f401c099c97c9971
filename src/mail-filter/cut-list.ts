import { anyOf } from "./search.ts";

type Terms = readonly string[];

const JOINT = anyOf(["", ""]).length;

/** The length of the terms when they are written as alternatives. */
export const listLength = (terms: Terms): number =>
  terms.reduce((total, term) => total + term.length + JOINT, terms.length > 0 ? -JOINT : 0);

/** As short as cutting can make a list. */
export const longestTerm = (terms: Terms): number =>
  terms.reduce((longest, term) => Math.max(longest, term.length), 0);

/** Cuts a list, in order, into the fewest parts of at most this length, or of a single term. */
export function cutList(terms: Terms, limit: number): readonly Terms[] {
  const starts = partStarts(terms, limit);
  return starts.map((start, index) => terms.slice(start, starts[index + 1]));
}

/** How many parts of at most this length a list needs. No term may be longer than that. */
export const partsWithin = (terms: Terms, limit: number): number => partStarts(terms, limit).length;

/** A way to cut a list, which keeps the longest part as short as so many parts allow. */
export interface Cut {
  readonly parts: number;
  /** Of the longest part. */
  readonly length: number;
}

/** The ways to cut a list into these numbers of parts, longest parts first. */
export function waysToCut(terms: Terms, fewest: number, most: number): readonly Cut[] {
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
