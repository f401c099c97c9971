import { anyOf } from "./search.ts";

type Terms = readonly string[];

const JOINT = anyOf(["", ""]).length;

/** The length of the terms when they are written as alternatives. */
export const listLength = (terms: Terms): number =>
  terms.reduce((total, term) => total + term.length + JOINT, terms.length > 0 ? -JOINT : 0);

/** A list cut into parts, in order. */
export interface Cut {
  readonly parts: readonly Terms[];
  /** The length of the longest part. */
  readonly length: number;
}

/**
 * Gives, for a number of parts, the cut of the list whose longest part is the shortest that so
 * many parts allow. It may need fewer parts than asked for.
 */
export function cutter(terms: Terms): (parts: number) => Cut {
  const cuts = new Map<number, Cut>();
  const shortest = Math.max(0, ...terms.map((term) => term.length));
  return (count) => {
    const known = cuts.get(count);
    if (known) return known;
    let [low, high] = [shortest, listLength(terms)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (fill(terms, middle).length <= count) high = middle;
      else low = middle + 1;
    }
    const cut = { parts: fill(terms, low), length: low };
    cuts.set(count, cut);
    return cut;
  };
}

/** Fills parts of at most this length one after the other, which gives the fewest of them. */
function fill(terms: Terms, limit: number): readonly Terms[] {
  const parts: string[][] = [[]];
  let length = -JOINT;
  for (const term of terms) {
    length += JOINT + term.length;
    if (length > limit) {
      parts.push([]);
      length = term.length;
    }
    parts.at(-1)?.push(term);
  }
  return parts;
}
