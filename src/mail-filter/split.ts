import type { Criteria } from "./criteria.ts";
import { cutList, listLength, longestTerm, partsWithin, waysToCut } from "./cut-list.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./limits.ts";
import { searchString } from "./search.ts";

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
