import { groupBy } from "../group-by.ts";
import {
  ACTIONS,
  type Actions,
  CONFLICTING_ACTIONS,
  LIST_FIELDS,
  propertyValue,
} from "./fields.ts";
import { quotedTitle } from "./file-warnings.ts";
import type { ParsedFilter } from "./filter.ts";
import { actionsKey, criteriaKey } from "./filter-key.ts";
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
  const conflicts = anyCanConflict(filters) ? findFirstConflicts(filters, filters.map(keyOf)) : [];
  const originals = findOriginals(filters);
  const spellings = new Map<string, string[]>();
  const named = (filter: ParsedFilter) => `\`filters[${filter.index}]\` (${quotedTitle(filter)})`;

  for (const [index, filter] of filters.entries()) {
    const { actions } = filter;
    const here = findings.at("filters", index);
    const same = originals.get(filter);
    const conflict = conflicts[index];
    const other = conflict && filters[conflict.index];
    if (same) {
      here.add("duplicate-filter", { title: quotedTitle(filter), same: named(same) });
    } else if (conflict && other) {
      const reason = actions.delete
        ? "this one deletes mail that the other keeps"
        : other.actions.delete
          ? "the other deletes mail that this one keeps"
          : conflict.reason;
      here.add("conflicting-filters", { other: named(other), reason });
    }
    warnAboutLabelCase(actions.label, spellings, here);
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
    const same = groupBy(group, keyOf);
    for (const [first, ...repeats] of same.values()) {
      if (first) for (const repeat of repeats) originals.set(repeat, first);
    }
  }
  return originals;
}

const keyOf = ({ criteria }: Compared): string => criteriaKey(criteria);

/**
 * The indexes of all filters in a conflict. It searches in both directions, because one pass finds only
 * conflicts with earlier filters.
 */
export function findConflictingIndexes(filters: readonly Compared[]): ReadonlySet<number> {
  if (!anyCanConflict(filters)) return new Set();
  const keys = filters.map(keyOf);
  const before = findFirstConflicts(filters, keys);
  const after = findFirstConflicts(filters.toReversed(), keys.toReversed()).toReversed();
  return new Set(filters.flatMap((_, index) => (before[index] || after[index] ? [index] : [])));
}

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

const anyCanConflict = (filters: readonly Compared[]): boolean =>
  CONFLICTING_ACTIONS.some(
    ({ field }) => new Set(filters.map(({ actions }) => actions[field]).filter(Boolean)).size > 1,
  ) ||
  (filters.some(({ actions }) => actions.delete) && filters.some(({ actions }) => keeps(actions)));

interface Conflict {
  /** The index of the earlier filter. */
  readonly index: number;
  readonly reason: string;
}

/**
 * Returns, for each filter, the first earlier filter that does the opposite with the same mail.
 *
 * A filter is compared only with earlier ones that do the opposite and share a term of one list, the list
 * whose terms the fewest of them share. So the time grows with the terms, not with the pairs of filters.
 */
function findFirstConflicts(
  filters: readonly Compared[],
  keys: readonly string[],
): readonly (Conflict | undefined)[] {
  const groups = new Map<string, ConflictGroup>();
  return filters.map((filter, index) => {
    const { criteria, actions } = filter;
    if (!canBeInConflict(actions) && !keeps(actions)) return undefined;
    const key = keys[index] ?? "";
    let first: Conflict | undefined;
    for (const group of groups.values()) {
      const reason = findConflict(actions, group.actions);
      if (!reason) continue;
      const found = group.findOverlapping(criteria, key, first?.index ?? index);
      if (found !== undefined) first = { index: found, reason };
    }
    const fields = TERM_FIELDS.filter((field) => criteria[field].length > 0);
    const settings = CONFLICTING_ACTIONS.map(({ field }) => actions[field]);
    const name = [actions.delete, keeps(actions), ...settings, ...fields].join();
    const group = groups.get(name) ?? new ConflictGroup(actions, fields);
    groups.set(name, group);
    group.add(criteria, key, index);
    return first;
  });
}

const TERM_FIELDS = [...LIST_FIELDS, "words"] as const;

/** Filters whose actions conflict with the same other ones, and that have terms in the same fields. */
class ConflictGroup {
  readonly actions: Actions;
  private readonly fields: readonly (typeof TERM_FIELDS)[number][];
  private readonly members = new Map<number, Criteria>();
  /** Indexes of members by key: by term (`from bob@x.com`) and by each wider term (`from < @x.com`). */
  private readonly indexesByKey = new Map<string, number[]>();

  constructor(actions: Actions, fields: ConflictGroup["fields"]) {
    this.actions = actions;
    this.fields = fields;
  }

  add(criteria: Criteria, key: string, index: number): void {
    this.members.set(index, criteria);
    append(this.indexesByKey, key, index);
    for (const field of this.fields) {
      for (const term of toKeys(criteria[field])) {
        append(this.indexesByKey, `${field} ${term}`, index);
        for (const wider of widerTerms(term))
          append(this.indexesByKey, `${field} < ${wider}`, index);
      }
    }
  }

  /** The first member before `end` that can match the same mail. */
  findOverlapping(criteria: Criteria, key: string, end: number): number | undefined {
    let first = this.indexesOf(key)[0] ?? end;
    const [fewest = []] = this.fields
      .filter((field) => criteria[field].length > 0)
      .map((field) => toKeys(criteria[field]).flatMap((term) => this.membersSharing(field, term)))
      .sort((one, other) => countAll(one) - countAll(other));
    for (const indexes of fewest) {
      for (const index of indexes) {
        if (index >= first) break;
        const other = this.members.get(index);
        if (other && overlaps(criteria, other)) first = index;
      }
    }
    return first < end ? first : undefined;
  }

  /** The members with this term, a narrower one, or a wider one: `@x.com` for `bob@x.com`. */
  private membersSharing(field: string, term: string): readonly (readonly number[])[] {
    const keys = [term, `< ${term}`, ...widerTerms(term)];
    return keys.map((key) => this.indexesOf(`${field} ${key}`));
  }

  private indexesOf(key: string): readonly number[] {
    return this.indexesByKey.get(key) ?? [];
  }
}

type Terms = readonly ListTerm[];

const countAll = (lists: readonly (readonly number[])[]): number =>
  lists.reduce((sum, { length }) => sum + length, 0);

/** Why two filters contradict each other on the same mail; undefined when they do not. */
export function findConflict(a: Actions, b: Actions): string | undefined {
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  for (const { field, conflict } of CONFLICTING_ACTIONS) {
    if (a[field] && b[field] && a[field] !== b[field]) return conflict;
  }
  return undefined;
}

/** True if this filter could be half of a conflict. */
export const canBeInConflict = (actions: Actions): boolean =>
  actions.delete === true || CONFLICTING_ACTIONS.some(({ field }) => actions[field]);

const keeps = (actions: Actions): boolean =>
  !actions.delete && KEEPING.some((action) => propertyValue(action, actions) !== "");

const KEEPING = ACTIONS.filter(({ besideDelete }) => besideDelete === "opposite");

/** @param spellings the first two spellings of each label so far, by the label in lower case. */
function warnAboutLabelCase(
  label: string | undefined,
  spellings: Map<string, string[]>,
  findings: FilterFindings,
): void {
  if (label === undefined) return;
  const key = label.toLowerCase();
  const known = spellings.get(key) ?? [];
  const other = known.find((name) => name !== label);
  if (other !== undefined) findings.at("label").add("label-differs-in-case", { other });
  if (known.length < 2 && !known.includes(label)) spellings.set(key, [...known, label]);
}

/**
 * True when nothing tells apart two different criteria, which share a sender, recipient, subject or word:
 * one mail is then likely to meet both. Two different subjects tell them apart, although one mail may have
 * the words of both.
 */
function overlaps(a: Criteria, b: Criteria): boolean {
  return (
    (includesAll(a.words, b.words) || includesAll(b.words, a.words)) &&
    isBelow(a.larger, b.smaller) &&
    isBelow(b.larger, a.smaller) &&
    LIST_FIELDS.every((field) => mayShare(a[field], b[field])) &&
    !excludes(a, b) &&
    !excludes(b, a)
  );
}

const isBelow = (larger: Size | undefined, smaller: Size | undefined): boolean =>
  !larger || !smaller || inBytes(larger) < inBytes(smaller);

/** True when one of the lists is empty, or both have a term in common. */
function mayShare(terms: Terms, others: Terms): boolean {
  if (terms.length === 0 || others.length === 0) return true;
  const exact = new Set(toKeys(terms));
  const covered = new Set(toKeys(terms).flatMap(widerTerms));
  return toKeys(others).some(
    (term) =>
      exact.has(term) || covered.has(term) || widerTerms(term).some((wider) => exact.has(wider)),
  );
}

function includesAll(terms: Terms, wanted: Terms): boolean {
  if (wanted.length > terms.length) return false;
  const known = new Set(toKeys(terms));
  return wanted.every(({ key }) => known.has(key));
}

/** True when the exclusions keep out all mail of the other: one of its words, or each of its senders. */
function excludes({ exclusions }: Criteria, other: Criteria): boolean {
  if (exclusions.length === 0) return false;
  const excluded = new Set(toKeys(exclusions));
  return (
    other.words.some(({ key }) => excluded.has(key)) ||
    LIST_FIELDS.some(
      (field) =>
        other[field].length > 0 &&
        other[field].every(({ key }) => excluded.has(key) || excluded.has(`${field}:${key}`)),
    )
  );
}

const toKeys = (terms: Terms): string[] => terms.map(({ key }) => key);

function append(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (!indexes) map.set(key, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}
