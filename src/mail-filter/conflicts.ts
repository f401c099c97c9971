import { groupBy } from "../group-by.ts";
import {
  ACTIONS,
  type Actions,
  CONFLICTING_ACTIONS,
  LIST_FIELDS,
  type ListField,
  propertyValue,
} from "./fields.ts";
import { actionsKey, criteriaKey, type ParsedFilter, quotedTitle } from "./filter.ts";
import type { FilterFindings } from "./findings.ts";
import { widerTerms } from "./terms/address.ts";
import { type Criteria, inBytes, type Size } from "./terms/criteria.ts";
import type { ListTerm } from "./terms/words.ts";

/**
 * Warns about filters that repeat or contradict an earlier one. Gmail applies every filter that
 * matches, in no promised order and without a stop rule, so opposite actions on the same mail
 * have no defined outcome.
 */
export function warnAboutConflicts(
  filters: readonly ParsedFilter[],
  findings: FilterFindings,
): void {
  if (filters.length < 2) return;
  const conflicts = findFirstConflicts(filters);
  const originals = findOriginals(filters);
  const named = (filter: ParsedFilter) => `\`filters[${filter.index}]\` (${quotedTitle(filter)})`;

  for (const [index, filter] of filters.entries()) {
    const { actions } = filter;
    const here = () => findings.at("filters", index);
    const same = originals.get(filter);
    const conflict = conflicts[index];
    const other = conflict && filters[conflict.index];
    if (same) {
      here().add("duplicate-filter", { title: quotedTitle(filter), same: named(same) });
    } else if (conflict && other) {
      let { reason } = conflict;
      if (actions.delete) reason = "this one deletes mail that the other keeps";
      else if (other.actions.delete) reason = "the other deletes mail that this one keeps";
      here().add("conflicting-filters", { other: named(other), reason });
    }
  }
}

/** The first of the filters that match the same mail and do the same, for each that repeats it. */
function findOriginals(filters: readonly ParsedFilter[]): ReadonlyMap<ParsedFilter, ParsedFilter> {
  const originals = new Map<ParsedFilter, ParsedFilter>();
  // Few filters share their actions, and a key of criteria is slow to make.
  const rivals = [...groupBy(filters, ({ actions }) => actionsKey(actions)).values()].filter(
    ({ length }) => length > 1,
  );
  for (const group of rivals) {
    const same = groupBy(group, ({ criteria }) => criteriaKey(criteria));
    for (const [first, ...repeats] of same.values()) {
      if (first) for (const repeat of repeats) originals.set(repeat, first);
    }
  }
  return originals;
}

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

/** The indexes of all filters in a conflict, with an earlier or a later filter. */
export const findConflictingIndexes = (filters: readonly Compared[]): ReadonlySet<number> => {
  const before = findFirstConflicts(filters);
  const after = findFirstConflicts(filters.toReversed()).toReversed();
  return new Set(filters.flatMap((_, index) => (before[index] || after[index] ? [index] : [])));
};

/** For each filter the first earlier one that does the opposite with the same mail. */
function findFirstConflicts(filters: readonly Compared[]) {
  const rivals: Rival[] = [];
  // Filters that only keep their mail, as most do, do not contradict each other.
  const opposing: Rival[] = [];
  return filters.map((filter, index) => {
    const isOpposing = canBeInConflict(filter.actions);
    if (!isOpposing && !keeps(filter.actions)) return undefined;
    const rival: Rival = { ...filter, index, prepared: undefined };
    const others = [...(isOpposing ? rivals : opposing)];
    rivals.push(rival);
    if (isOpposing) opposing.push(rival);
    for (const other of others) {
      const reason = findConflict(other.actions, filter.actions);
      if (reason === undefined) continue;
      // Most inputs have no opposite actions, and keys and terms are slow to make.
      rival.prepared ??= prepareFilter(filter);
      other.prepared ??= prepareFilter(other);
      if (!meet(rival.prepared, other.prepared)) continue;
      return { index: other.index, reason };
    }
    return undefined;
  });
}

/** A filter whose actions may be the opposite of another's. */
interface Rival extends Compared {
  readonly index: number;
  prepared: Prepared | undefined;
}

/** A filter's terms, as they are compared. */
interface Prepared extends Readonly<Record<ListField | "words" | "exclusions", TermKeys>> {
  readonly key: string;
  readonly criteria: Criteria;
}

interface TermKeys {
  readonly exact: ReadonlySet<string>;
  /** The terms that cover one of these: `@x.com` for `bob@x.com`. */
  readonly wider: ReadonlySet<string>;
}

function prepareFilter({ criteria }: Compared): Prepared {
  const keys = (terms: readonly ListTerm[]): TermKeys => {
    const exact = new Set(terms.map(({ key }) => key));
    return { exact, wider: new Set([...exact].flatMap(widerTerms)) };
  };
  const { from, to, subject, words, exclusions } = criteria;
  return {
    key: criteriaKey(criteria),
    criteria,
    from: keys(from),
    to: keys(to),
    subject: keys(subject),
    words: keys(words),
    exclusions: keys(exclusions),
  };
}

/** Why two filters contradict each other on the same mail; undefined when they do not. */
function findConflict(a: Actions, b: Actions): string | undefined {
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  for (const { field, conflict } of CONFLICTING_ACTIONS) {
    if (a[field] && b[field] && a[field] !== b[field]) return conflict;
  }
  return undefined;
}

/** True if this filter could be half of a conflict. */
const canBeInConflict = (actions: Actions): boolean =>
  actions.delete === true || CONFLICTING_ACTIONS.some(({ field }) => actions[field]);

const keeps = (actions: Actions): boolean =>
  !actions.delete && KEEPING.some((action) => propertyValue(action, actions) !== "");

const KEEPING = ACTIONS.filter(({ besideDelete }) => besideDelete === "opposite");

/**
 * True when one mail is likely to meet both: nothing tells them apart, and they share a sender, recipient,
 * subject or word. Two different subjects tell them apart, although one mail may have the words of both.
 */
function meet(a: Prepared, b: Prepared): boolean {
  if (a.key === b.key) return true;
  let isShared = false;
  for (const field of LIST_FIELDS) {
    if (a[field].exact.size === 0 || b[field].exact.size === 0) continue;
    if (!shareTerms(a[field], b[field])) return false;
    isShared = true;
  }
  const { words } = a;
  return (
    (isShared || (words.exact.size > 0 && b.words.exact.size > 0)) &&
    (includesAll(words, b.words) || includesAll(b.words, words)) &&
    isBelow(a.criteria.larger, b.criteria.smaller) &&
    isBelow(b.criteria.larger, a.criteria.smaller) &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const isBelow = (larger: Size | undefined, smaller: Size | undefined): boolean =>
  !larger || !smaller || inBytes(larger) < inBytes(smaller);

/** True for a term in common, or one that covers another. */
const shareTerms = (a: TermKeys, b: TermKeys): boolean =>
  haveCommon(a.exact, b.exact) || haveCommon(a.wider, b.exact) || haveCommon(a.exact, b.wider);

const haveCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  for (const key of a) if (b.has(key)) return true;
  return false;
};

const includesAll = (terms: TermKeys, wanted: TermKeys): boolean => {
  for (const key of wanted.exact) if (!terms.exact.has(key)) return false;
  return true;
};

/** True when the exclusions keep out all mail of the other: one of its words, or each of its senders. */
function excludes({ exclusions: { exact } }: Prepared, other: Prepared): boolean {
  if (exact.size === 0) return false;
  return (
    haveCommon(other.words.exact, exact) ||
    LIST_FIELDS.some((field) => {
      const keys = [...other[field].exact];
      return keys.length > 0 && keys.every((key) => exact.has(key) || exact.has(`${field}:${key}`));
    })
  );
}
