import type { Criteria } from "./criteria.ts";
import { type Cut, cutter, listLength } from "./cut-list.ts";
import { searchString } from "./search.ts";

/**
 * Gmail stops taking filters reliably at about 1,470 characters (3b-mailbox measured 1,469,
 * others up to 1,488); this leaves room. Counted in UTF-16 units of the search string.
 */
export const MAX_SEARCH_LENGTH = 1400;

/**
 * Cuts criteria whose search is too long into as few as fit, in the order of the lists. Only
 * from, to and subject are cut: Gmail runs every filter that matches, so parts of a list of
 * alternatives together mean the same, which parts of an exclusion would not.
 *
 * @returns undefined when no cut makes every part fit.
 */
export function split(criteria: Criteria): readonly Criteria[] | undefined {
  const length = searchString(criteria).length;
  if (length <= MAX_SEARCH_LENGTH) return [criteria];

  const { from, to, subject } = criteria;
  const rest = length - listLength(from) - listLength(to) - listLength(subject);
  const cuts = fewestEntries([from, to, subject], MAX_SEARCH_LENGTH - rest);
  if (!cuts) return undefined;

  let entries: readonly Criteria[] = [criteria];
  for (const [index, field] of (["from", "to", "subject"] as const).entries()) {
    const parts = cuts[index]?.parts ?? [];
    entries = entries.flatMap((entry) => parts.map((part) => ({ ...entry, [field]: part })));
  }
  return entries;
}

type Cuts = readonly [Cut, Cut, Cut];

/**
 * One cut for each list so that every combination of their parts fits and the combinations are
 * fewest; among those the one with the shortest entries, which cuts the longest list.
 */
function fewestEntries(
  lists: readonly [readonly string[], readonly string[], readonly string[]],
  room: number,
): Cuts | undefined {
  const [cutA, cutB, cutC] = [cutter(lists[0]), cutter(lists[1]), cutter(lists[2])];
  const most = (list: readonly string[]) => Math.max(1, list.length);
  const [mostA, mostB, mostC] = [most(lists[0]), most(lists[1]), most(lists[2])];
  const size = (...cuts: Cut[]) => cuts.reduce((total, cut) => total + cut.length, 0);

  let best: Cuts | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (let a = 1; a <= mostA && a <= fewest; a += 1) {
    if (size(cutA(a), cutB(mostB), cutC(mostC)) > room) continue;
    for (let b = 1; b <= mostB && a * b <= fewest; b += 1) {
      if (size(cutA(a), cutB(b), cutC(mostC)) > room) continue;
      for (let c = 1; c <= mostC && a * b * c <= fewest; c += 1) {
        const cuts: Cuts = [cutA(a), cutB(b), cutC(c)];
        if (size(...cuts) > room) continue;
        if (!best || a * b * c < fewest || size(...cuts) < size(...best)) best = cuts;
        fewest = a * b * c;
        break;
      }
    }
  }
  return best;
}
