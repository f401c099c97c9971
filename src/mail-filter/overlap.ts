import type { Comparable } from "./comparable.ts";
import { covers } from "./covers.ts";

/**
 * Whether one mail can be expected to meet both of two different criteria. They must share a
 * sender, recipient, subject or words, and nothing else may tell them apart; mail that has the
 * words of two different subjects by chance does not count.
 */
export function overlaps(a: Comparable, b: Comparable): boolean {
  const lists = (["from", "to", "subject"] as const)
    .map((field) => [a[field], b[field]] as const)
    .filter((pair) => pair.every((terms) => terms.length > 0));
  const bothHaveWords = a.words.length > 0 && b.words.length > 0;
  return (
    (lists.length > 0 || bothHaveWords) &&
    lists.every(([terms, others]) => shareTerm(terms, others)) &&
    (includesAll(a.words, b.words) || includesAll(b.words, a.words)) &&
    a.above < b.below &&
    b.above < a.below &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const shareTerm = (terms: readonly string[], others: readonly string[]): boolean =>
  terms.some((term) => others.some((other) => covers(term, other) || covers(other, term)));

const includesAll = (terms: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((term) => terms.includes(term));

/** Whether `exclusions` keep out all that the other asks for: one of its words, or each sender. */
const excludes = ({ exclusions }: Comparable, other: Comparable): boolean =>
  other.words.some((word) => exclusions.includes(word)) ||
  (["from", "to", "subject"] as const).some(
    (field) =>
      other[field].length > 0 &&
      other[field].every(
        (term) => exclusions.includes(term) || exclusions.includes(`${field}:${term}`),
      ),
  );
