import type { Criteria } from "./criteria.ts";

/**
 * Whether one mail can be expected to meet both criteria. They must share a sender, recipient or
 * subject, and no other list may tell them apart; mail that has the words of two different
 * subjects by chance does not count.
 */
export function overlaps(a: Criteria, b: Criteria): boolean {
  const lists = (["from", "to", "subject"] as const).map((field) => [a[field], b[field]] as const);
  const compared = lists.filter(([one, other]) => one.length > 0 && other.length > 0);
  return (
    compared.length > 0 &&
    compared.every(([one, other]) => shareTerm(one, other)) &&
    (includesAll(a.words, b.words) || includesAll(b.words, a.words)) &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const shareTerm = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => covers(one, other) || covers(other, one)));

/** `@x.com` covers `bob@x.com` and `bob@mail.x.com`. */
function covers(term: string, other: string): boolean {
  const [one, two] = [term.toLowerCase(), other.toLowerCase()];
  if (one === two) return true;
  return one.startsWith("@") && (two.endsWith(one) || two.endsWith(`.${one.slice(1)}`));
}

const includesAll = (terms: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((term) => terms.includes(term));

/** Whether `a` keeps out what `b` asks for. */
const excludes = (a: Criteria, b: Criteria): boolean =>
  a.exclusions.some((term) => [...b.words, ...b.subject].includes(term));
