import type { FilterDiagnostics } from "./diagnostics.ts";
import type { Actions, Criteria } from "./filter.ts";
import { inBytes } from "./size.ts";
import { widerTerms } from "./terms/address.ts";

/**
 * Warns about filters that repeat or contradict an earlier one. Gmail applies every filter that
 * matches, in no promised order and without a stop rule, so opposite actions on the same mail
 * have no defined outcome.
 *
 * Each filter is compared only with the earlier ones that share a term with it, which an index
 * finds, so that the time grows with the number of terms and not with the number of pairs.
 */
export function warnAboutConflicts(
  filters: readonly Compared[],
  diagnostics: FilterDiagnostics,
): void {
  if (filters.length < 2) return;
  const earlier: Candidate[] = [];
  const alike = new Map<string, number[]>();
  const sameFilters = new Map<string, number>();
  const shared = { from: termIndex(), to: termIndex(), subject: termIndex(), words: termIndex() };
  const spellings = new Map<string, string[]>();

  for (const [index, { criteria, actions }] of filters.entries()) {
    const here = diagnostics.at("filters", index);
    const candidate = { actions, criteria: toComparable(criteria) };
    const criteriaKey = keyOf(candidate.criteria);
    const filterKey = `${criteriaKey}\n${JSON.stringify(actions)}`;
    const sharers: Sharers = {
      from: shared.from.add(candidate.criteria.from, index),
      to: shared.to.add(candidate.criteria.to, index),
      subject: shared.subject.add(candidate.criteria.subject, index),
      words: shared.words.add(candidate.criteria.words, index),
    };
    const same = sameFilters.get(filterKey);
    if (same === undefined) {
      const others = alike.get(criteriaKey) ?? [];
      warnAboutConflict(candidate, earlier, sharers, new Set(others), here);
      sameFilters.set(filterKey, index);
      alike.set(criteriaKey, [...others, index]);
    } else {
      here.warn("duplicate-filter", `is the same as filters[${same}]; the import adds both`);
    }
    warnAboutLabelCase(actions.label, spellings, here);
    earlier.push(candidate);
  }
}

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

interface Candidate {
  readonly actions: Actions;
  readonly criteria: Comparable;
}

/** The earlier filters that share a term of a field, by their index. */
type Sharers = Readonly<Record<"from" | "to" | "subject" | "words", ReadonlySet<number>>>;

/** Warns about the first earlier filter that does the opposite with the same mail. */
function warnAboutConflict(
  { actions, criteria }: Candidate,
  earlier: readonly Candidate[],
  sharers: Sharers,
  alike: ReadonlySet<number>,
  diagnostics: FilterDiagnostics,
): void {
  let first: { index: number; conflict: string } | undefined;
  for (const indexes of [alike, ...Object.values(sharers)]) {
    for (const index of indexes) {
      const other = earlier[index];
      if (!other || (first && first.index <= index)) continue;
      const conflict = oppositeActions(actions, other.actions);
      if (!conflict) continue;
      const overlap = alike.has(index) || overlaps(criteria, other.criteria, index, sharers);
      if (overlap) first = { index, conflict };
    }
  }
  if (first) {
    diagnostics.warn(
      "conflicting-filters",
      `can match the same mail as filters[${first.index}], but ${first.conflict}; Gmail applies both, in no promised order`,
    );
  }
}

function oppositeActions(a: Actions, b: Actions): string | undefined {
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  if (a.importance && b.importance && a.importance !== b.importance) {
    return "one marks it as important and the other as unimportant";
  }
  if (a.category && b.category && a.category !== b.category) {
    return "they put it in different categories";
  }
  return undefined;
}

const keeps = (actions: Actions): boolean =>
  !actions.delete && (actions.star || Boolean(actions.label) || actions.importance === "always");

/** @param spellings the first two spellings of each label so far, by the label in lower case. */
function warnAboutLabelCase(
  label: string | undefined,
  spellings: Map<string, string[]>,
  diagnostics: FilterDiagnostics,
): void {
  if (label === undefined) return;
  const key = label.toLowerCase();
  const known = spellings.get(key) ?? [];
  const other = known.find((name) => name !== label);
  if (other !== undefined) {
    diagnostics
      .at("label")
      .warn(
        "label-differs-in-case",
        `differs from the label ${other} only in case; Gmail takes them for one`,
      );
  }
  if (known.length < 2 && !known.includes(label)) spellings.set(key, [...known, label]);
}

/** Criteria as Gmail compares them: without case, in no order. */
interface Comparable {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
  readonly words: readonly string[];
  readonly wordSet: ReadonlySet<string>;
  readonly exclusions: ReadonlySet<string>;
  readonly hasAttachment: boolean;
  /** Sizes in bytes; 0 and infinity where there is no bound. */
  readonly above: number;
  readonly below: number;
}

function toComparable(criteria: Criteria): Comparable {
  const words = criteria.words.map(({ key }) => key).sort();
  return {
    from: withoutCaseOrOrder(criteria.from),
    to: withoutCaseOrOrder(criteria.to),
    subject: withoutCaseOrOrder(criteria.subject),
    words,
    wordSet: new Set(words),
    exclusions: new Set(withoutCaseOrOrder(criteria.exclusions)),
    hasAttachment: criteria.hasAttachment,
    above: criteria.larger ? inBytes(criteria.larger) : 0,
    below: criteria.smaller ? inBytes(criteria.smaller) : Number.POSITIVE_INFINITY,
  };
}

const withoutCaseOrOrder = (terms: readonly string[]): readonly string[] =>
  terms.map((term) => term.toLowerCase()).sort();

/** Equal for equal criteria. No term has a line break. */
const keyOf = (criteria: Comparable): string =>
  [
    ...[criteria.from, criteria.to, criteria.subject, criteria.words, [...criteria.exclusions]].map(
      (terms) => terms.join("\n"),
    ),
    `${criteria.hasAttachment} ${criteria.above} ${criteria.below}`,
  ].join("\n\n");

/**
 * Whether one mail is likely to meet both criteria, which are not equal. They must share a sender,
 * recipient, subject or words, and nothing else may tell them apart. Two different subjects do not
 * count, although one mail may have the words of both.
 */
function overlaps(a: Comparable, b: Comparable, indexOfB: number, sharers: Sharers): boolean {
  const lists = LISTS.filter((field) => a[field].length > 0 && b[field].length > 0);
  const bothHaveWords = a.words.length > 0 && b.words.length > 0;
  return (
    (lists.length > 0 || bothHaveWords) &&
    lists.every((field) => sharers[field].has(indexOfB)) &&
    (includesAll(a.wordSet, b.words) || includesAll(b.wordSet, a.words)) &&
    a.above < b.below &&
    b.above < a.below &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const LISTS = ["from", "to", "subject"] as const;

const includesAll = (terms: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  wanted.length <= terms.size && wanted.every((term) => terms.has(term));

/** Whether `exclusions` keep out all mail of the other: one of its words, or each of its senders. */
const excludes = ({ exclusions }: Comparable, other: Comparable): boolean =>
  exclusions.size > 0 &&
  (other.words.some((word) => exclusions.has(word)) ||
    LISTS.some(
      (field) =>
        other[field].length > 0 &&
        other[field].every((term) => exclusions.has(term) || exclusions.has(`${field}:${term}`)),
    ));

/** Finds the filters that have a term in common, where `@x.com` has all mail of `bob@x.com`. */
function termIndex() {
  const exact = new Map<string, number[]>();
  const covered = new Map<string, number[]>();
  return {
    /** Adds the terms of one filter and finds the earlier filters that share one. */
    add(terms: readonly string[], index: number): ReadonlySet<number> {
      const found = new Set<number>();
      for (const term of terms) {
        for (const other of covered.get(term) ?? []) found.add(other);
        for (const wider of widerTerms(term)) {
          for (const other of exact.get(wider) ?? []) found.add(other);
        }
      }
      for (const term of terms) {
        append(exact, term, index);
        append(covered, term, index);
        for (const wider of widerTerms(term)) append(covered, wider, index);
      }
      return found;
    },
  };
}

function append(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (!indexes) map.set(key, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}
