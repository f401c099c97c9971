import type { FilterDiagnostics } from "./diagnostics.ts";
import type { Actions, Criteria } from "./filter.ts";
import { inBytes } from "./size.ts";
import { covers } from "./terms/address.ts";

/**
 * Warns about filters that repeat or contradict an earlier one. Gmail applies every filter that
 * matches, in no promised order and without a stop rule, so opposite actions on the same mail
 * have no defined outcome.
 */
export function warnAboutConflicts(
  filters: readonly Compared[],
  diagnostics: FilterDiagnostics,
): void {
  const candidates = filters.map(toCandidate);
  for (const [index, candidate] of candidates.entries()) {
    const earlier = candidates.slice(0, index);
    const here = diagnostics.at("filters", index);
    warnAboutPair(candidate, earlier, here);
    warnAboutLabelCase(candidate, earlier, here.at("label"));
  }
}

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

interface Candidate {
  readonly index: number;
  readonly actions: Actions;
  readonly criteria: Comparable;
  readonly criteriaKey: string;
  readonly actionsKey: string;
}

function toCandidate({ criteria, actions }: Compared, index: number): Candidate {
  const comparable = toComparable(criteria);
  return {
    index,
    actions,
    criteria: comparable,
    criteriaKey: JSON.stringify(comparable),
    actionsKey: JSON.stringify(actions),
  };
}

/** One warning a filter, about the first that it repeats or contradicts. */
function warnAboutPair(
  filter: Candidate,
  earlier: readonly Candidate[],
  diagnostics: FilterDiagnostics,
): void {
  const alike = earlier.filter((other) => other.criteriaKey === filter.criteriaKey);
  const same = alike.find((other) => other.actionsKey === filter.actionsKey);
  if (same) {
    diagnostics.warn(
      "duplicate-filter",
      `is the same as filters[${same.index}]; the import adds both`,
    );
    return;
  }
  for (const other of earlier) {
    const conflict = oppositeActions(filter.actions, other.actions);
    if (conflict && (alike.includes(other) || overlaps(filter.criteria, other.criteria))) {
      diagnostics.warn(
        "conflicting-filters",
        `can match the same mail as filters[${other.index}], but ${conflict}; Gmail applies both, in no promised order`,
      );
      return;
    }
  }
}

function oppositeActions(a: Actions, b: Actions): string | undefined {
  const keeps = (actions: Actions) =>
    !actions.delete && (actions.star || actions.label || actions.importance === "always");
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  if (a.importance && b.importance && a.importance !== b.importance) {
    return "one marks it as important and the other as unimportant";
  }
  if (a.category && b.category && a.category !== b.category) {
    return "they put it in different categories";
  }
  return undefined;
}

function warnAboutLabelCase(
  { actions: { label } }: Candidate,
  earlier: readonly Candidate[],
  diagnostics: FilterDiagnostics,
): void {
  const other = earlier
    .map(({ actions }) => actions.label)
    .find((name) => name !== label && name?.toLowerCase() === label?.toLowerCase());
  if (other !== undefined) {
    diagnostics.warn(
      "label-differs-in-case",
      `differs from the label ${other} only in case; Gmail takes them for one`,
    );
  }
}

/** Criteria as Gmail compares them: without case, in no order. */
interface Comparable {
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

const toComparable = (criteria: Criteria): Comparable => ({
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

/**
 * Whether one mail is likely to meet both criteria, which are not equal. They must share a sender,
 * recipient, subject or words, and nothing else may tell them apart. Two different subjects do not
 * count, although one mail may have the words of both.
 */
function overlaps(a: Comparable, b: Comparable): boolean {
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

/** Whether `exclusions` keep out all mail of the other: one of its words, or each of its senders. */
const excludes = ({ exclusions }: Comparable, other: Comparable): boolean =>
  other.words.some((word) => exclusions.includes(word)) ||
  (["from", "to", "subject"] as const).some(
    (field) =>
      other[field].length > 0 &&
      other[field].every(
        (term) => exclusions.includes(term) || exclusions.includes(`${field}:${term}`),
      ),
  );
