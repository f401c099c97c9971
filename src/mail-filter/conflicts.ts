import type { FilterDiagnostics } from "./diagnostics.ts";
import { ACTIONS, type Actions, EXCLUSIVE, LIST_FIELDS, propertyValue } from "./fields.ts";
import { widerTerms } from "./terms/address.ts";
import { type Criteria, inBytes } from "./terms/criteria.ts";

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
  const conflicts = canConflict(filters) ? conflictFinder() : undefined;
  const known = new Map<string, number>();
  const spellings = new Map<string, string[]>();

  for (const [index, { criteria, actions }] of filters.entries()) {
    const here = diagnostics.at("filters", index);
    const comparable = toComparable(criteria);
    const key = `${comparable.key}\n${actionsKey(actions)}`;
    const same = known.get(key);
    const conflict = conflicts?.add({ criteria: comparable, actions }, same === undefined);
    if (same !== undefined) {
      here.warn("duplicate-filter", `is the same as \`filters[${same}]\`; the import adds both`);
    } else {
      known.set(key, index);
      if (conflict) {
        here.warn(
          "conflicting-filters",
          `can match the same mail as \`filters[${conflict.index}]\`, but ${conflict.reason}; Gmail applies both, in no promised order`,
        );
      }
    }
    warnAboutLabelCase(actions.label, spellings, here);
  }
}

/**
 * The filters that `conflicting-filters` names, on either side. The first conflict of each is found
 * among the filters before it, and, from the end, among those after it.
 */
export function inConflict(filters: readonly Compared[]): ReadonlySet<number> {
  const named = new Set<number>();
  if (!canConflict(filters)) return named;
  const candidates = filters.map(({ criteria, actions }, index) => ({
    index,
    candidate: { criteria: toComparable(criteria), actions },
  }));
  for (const order of [candidates, candidates.toReversed()]) {
    const conflicts = conflictFinder();
    for (const { index, candidate } of order) {
      if (conflicts.add(candidate, true)) named.add(index);
    }
  }
  return named;
}

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

/** Equal for filters that do the same. */
function actionsKey(actions: Actions): string {
  let key = "";
  for (const action of ACTIONS) key += `${propertyValue(action, actions)}\n`;
  return key;
}

const canConflict = (filters: readonly Compared[]): boolean =>
  EXCLUSIVE.some(
    ({ field }) => new Set(filters.map(({ actions }) => actions[field]).filter(Boolean)).size > 1,
  ) ||
  (filters.some(({ actions }) => actions.delete) && filters.some(({ actions }) => keeps(actions)));

interface Candidate {
  readonly criteria: Comparable;
  readonly actions: Actions;
}

interface Conflict {
  /** Of the earlier filter. */
  readonly index: number;
  readonly reason: string;
}

/** Finds, for each filter added, the first earlier one with the opposite action on the same mail. */
function conflictFinder() {
  const earlier: Candidate[] = [];
  const alike = new Map<string, number[]>();
  const terms = { from: termIndex(), to: termIndex(), subject: termIndex(), words: termIndex() };
  return {
    /** @param wanted whether to look for a conflict. */
    add(filter: Candidate, wanted: boolean): Conflict | undefined {
      const index = earlier.push(filter) - 1;
      const { criteria } = filter;
      const equal = alike.get(criteria.key) ?? [];
      alike.set(criteria.key, equal);
      const sharers: Sharers = {
        from: terms.from.add(criteria.from, index),
        to: terms.to.add(criteria.to, index),
        subject: terms.subject.add(criteria.subject, index),
        words: terms.words.add(criteria.words, index),
      };
      const conflict = wanted ? firstConflict(filter, earlier, new Set(equal), sharers) : undefined;
      if (wanted) equal.push(index);
      return conflict;
    },
  };
}

/** The earlier filters that share a term of a field, by their index. */
type Sharers = Readonly<Record<"from" | "to" | "subject" | "words", ReadonlySet<number>>>;

function firstConflict(
  { actions, criteria }: Candidate,
  earlier: readonly Candidate[],
  alike: ReadonlySet<number>,
  sharers: Sharers,
): Conflict | undefined {
  let first: Conflict | undefined;
  for (const indexes of [alike, ...Object.values(sharers)]) {
    for (const index of indexes) {
      const other = earlier[index];
      if (!other || (first && first.index <= index)) continue;
      const reason = oppositeActions(actions, other.actions);
      if (!reason) continue;
      const overlap = alike.has(index) || overlaps(criteria, other.criteria, index, sharers);
      if (overlap) first = { index, reason };
    }
  }
  return first;
}

/** Why two filters contradict each other on the same mail; undefined when they do not. */
export function oppositeActions(a: Actions, b: Actions): string | undefined {
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  for (const { field, conflict } of EXCLUSIVE) {
    if (a[field] && b[field] && a[field] !== b[field]) return conflict;
  }
  return undefined;
}

/** True for one of two opposite filters at least. */
export const mayOppose = (actions: Actions): boolean =>
  actions.delete === true || EXCLUSIVE.some(({ field }) => actions[field]);

const keeps = (actions: Actions): boolean =>
  !actions.delete && KEEPING.some((action) => propertyValue(action, actions) !== "");

const KEEPING = ACTIONS.filter(({ inBin }) => inBin === "opposite");

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
        `differs from the label ${other} only in case; Gmail treats them as one`,
      );
  }
  if (known.length < 2 && !known.includes(label)) spellings.set(key, [...known, label]);
}

/** Criteria as Gmail compares them: without case, in no order. */
interface Comparable {
  /** Equal for equal criteria. */
  readonly key: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
  readonly words: readonly string[];
  readonly exclusions: readonly string[];
  /** Sizes in bytes; 0 and infinity where there is no bound. */
  readonly above: number;
  readonly below: number;
}

function toComparable(criteria: Criteria): Comparable {
  const from = withoutCaseOrOrder(criteria.from);
  const to = withoutCaseOrOrder(criteria.to);
  const subject = withoutCaseOrOrder(criteria.subject);
  const words = criteria.words.map(({ key }) => key).sort();
  const exclusions = withoutCaseOrOrder(criteria.exclusions);
  const above = criteria.larger ? inBytes(criteria.larger) : 0;
  const below = criteria.smaller ? inBytes(criteria.smaller) : Number.POSITIVE_INFINITY;
  // No term has a line break.
  const key = [
    ...[from, to, subject, words, exclusions].map((terms) => terms.join("\n")),
    `${criteria.hasAttachment} ${above} ${below}`,
  ].join("\n\n");
  return { key, from, to, subject, words, exclusions, above, below };
}

const withoutCaseOrOrder = (terms: readonly string[]): readonly string[] =>
  terms.map((term) => term.toLowerCase()).sort();

/**
 * True when one mail is likely to meet both criteria, which differ. They must share a sender,
 * recipient, subject or words, and nothing else may tell them apart. Two different subjects do not
 * count, although one mail may have the words of both.
 */
function overlaps(a: Comparable, b: Comparable, indexOfB: number, sharers: Sharers): boolean {
  const bothHaveWords = a.words.length > 0 && b.words.length > 0;
  // Of thousands of filters with a common sender, most differ in their words.
  if (bothHaveWords && !sharers.words.has(indexOfB)) return false;
  const lists = LIST_FIELDS.filter((field) => a[field].length > 0 && b[field].length > 0);
  return (
    (lists.length > 0 || bothHaveWords) &&
    lists.every((field) => sharers[field].has(indexOfB)) &&
    (includesAll(a.words, b.words) || includesAll(b.words, a.words)) &&
    a.above < b.below &&
    b.above < a.below &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const includesAll = (terms: readonly string[], wanted: readonly string[]): boolean => {
  if (wanted.length > terms.length) return false;
  const known = new Set(terms);
  return wanted.every((term) => known.has(term));
};

/** True when `exclusions` keep out all mail of the other: one of its words, or each of its senders. */
function excludes({ exclusions }: Comparable, other: Comparable): boolean {
  if (exclusions.length === 0) return false;
  const excluded = new Set(exclusions);
  return (
    other.words.some((word) => excluded.has(word)) ||
    LIST_FIELDS.some(
      (field) =>
        other[field].length > 0 &&
        other[field].every((term) => excluded.has(term) || excluded.has(`${field}:${term}`)),
    )
  );
}

/** An index of filters by term; `@x.com` also finds `bob@x.com`. */
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
