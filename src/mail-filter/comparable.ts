import type { Criteria } from "./criteria.ts";
import { inBytes } from "./size.ts";

/** Criteria as Gmail compares them: without case, in no order. */
export interface Comparable {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
  readonly words: readonly string[];
  readonly exclusions: readonly string[];
  readonly hasAttachment: boolean;
  /** Sizes in bytes; 0 and infinity where there is no bound. */
  readonly above: number;
  readonly below: number;
}

export const toComparable = (criteria: Criteria): Comparable => ({
  from: withoutCaseOrOrder(criteria.from),
  to: withoutCaseOrOrder(criteria.to),
  subject: withoutCaseOrOrder(criteria.subject),
  words: criteria.words.map(({ key }) => key).sort(),
  exclusions: withoutCaseOrOrder(criteria.exclusions),
  hasAttachment: criteria.hasAttachment,
  above: criteria.larger ? inBytes(criteria.larger) : 0,
  below: criteria.smaller ? inBytes(criteria.smaller) : Number.POSITIVE_INFINITY,
});

const withoutCaseOrOrder = (terms: readonly string[]): readonly string[] =>
  terms.map((term) => term.toLowerCase()).sort();
