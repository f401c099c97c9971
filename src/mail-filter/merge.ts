import * as v from "valibot";
import { closedObject, type Editable, recordOf } from "../../../schemas/common.ts";
import { GMAIL_LIMITS } from "../../../schemas/inputs/mail-filter.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { groupBy } from "../../group-by.ts";
import { Diagnostics } from "../../issues.ts";
import { validate } from "../../validate.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { LIST_FIELDS, type ListField } from "../fields.ts";
import { readFilter } from "../filter.ts";
import { filterKey } from "../filter-key.ts";
import { validFilters } from "../further-issues.ts";
import type { LeftOut } from "../gmail-export/meaning.ts";
import { cutToName, writeFilter } from "../gmail-export/write-filter.ts";
import { type Criteria, toTexts } from "../terms/criteria.ts";
import { OR } from "../terms/search.ts";
import type { Properties } from "../write.ts";
import { findOrderDependent } from "./order.ts";

/** Fewer filters that match the same mail and do the same with it. */
export interface MailFilterMerge {
  /** The filters afterwards, as an input. */
  readonly filters: Editable<FilterInput>[];
  /** The filters that replace others. */
  readonly merged: readonly {
    /** The index of the merged filter in `filters`. */
    readonly into: number;
    /** The indexes of the given filters that the merged one replaces, repeats included. */
    readonly from: readonly number[];
    /** The lists that differ among the replaced filters. */
    readonly fields: readonly ListField[];
  }[];
  /** The given filters that only repeat another one, which stays as it is. */
  readonly dropped: readonly {
    readonly index: number;
    readonly because: "same";
    /** The index of the other one among the given filters. */
    readonly by: number;
  }[];
}

/**
 * Merges filters that are equal except for one of `from`, `to` and `subject`, since Gmail treats each
 * of these lists as OR. Drops duplicates. Filters whose result may depend on their order stay as they
 * are, and nothing is merged if the entries of the file would not become fewer.
 *
 * @param filters up to 10,000, each within the local limits.
 * @param options `left_out`: entries of the same account that stay, from `readMailFilters()`.
 * @throws {InvalidInputError} when a filter breaks the schema or Gmail cannot express it.
 *
 * @example
 * const { filters, merged } = mergeMailFilters(readMailFilters(xml).filters);
 */
export function mergeMailFilters(
  filters: readonly FilterInput[],
  options: { readonly left_out?: readonly LeftOut[] } = {},
): MailFilterMerge {
  const valid = validFilters({ filters });
  const { left_out = [] } = validate(OptionsSchema, options, ["options"]);
  return mergeValidFilters(valid, left_out);
}

const OptionsSchema = closedObject({
  left_out: v.optional(
    v.array(
      v.strictObject({
        entry: v.number(),
        properties: recordOf(v.string()),
        reason: v.string(),
      }),
    ),
  ),
});

/**
 * Merges filters that are validated already.
 *
 * @param counts the number of entries that each filter is in Gmail, where that is known.
 */
export function mergeValidFilters(
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly LeftOut[],
  counts: readonly (number | undefined)[] = [],
): MailFilterMerge {
  const candidates = mergeAll(toCandidates(filters, leftOut, counts));
  const merged: MailFilterMerge["merged"][number][] = [];
  const dropped: MailFilterMerge["dropped"][number][] = [];
  for (const [into, { sources, fields }] of candidates.entries()) {
    const [by = 0, ...repeats] = sources;
    if (fields.length > 0) merged.push({ into, from: sources, fields });
    else dropped.push(...repeats.map((index) => ({ index, because: "same" as const, by })));
  }
  return { filters: candidates.map(({ filter }) => filter), merged, dropped };
}

/** A filter, given or merged. */
interface MergeCandidate {
  readonly filter: Editable<FilterInput>;
  readonly criteria: Criteria;
  /** A key that is equal for filters that differ in their lists alone; undefined for one that stays as it is. */
  readonly keyWithoutLists: string | undefined;
  /** The number of entries that the filter is written as. */
  readonly entries: number;
  /** The indexes of the given filters that this one replaces. */
  readonly sources: readonly number[];
  /** The lists that differ among the replaced filters. */
  readonly fields: readonly ListField[];
}

/** The filters without repeats. Of those that depend on their order, repeats stay too. */
function toCandidates(
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly LeftOut[],
  counts: readonly (number | undefined)[],
): readonly MergeCandidate[] {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const read = filters.map((filter, index) => ({
    ...readFilter(filter, index, diagnostics.at("filters", index)),
    filter,
  }));
  diagnostics.throwIfRejected();
  const fixed = findOrderDependent(
    read,
    leftOut.map(({ properties }) => properties),
  );
  const candidates = new Map<string, MergeCandidate & { entries: number; sources: number[] }>();
  for (const [index, { filter, criteria, actions, parts }] of read.entries()) {
    const isFixed = fixed.has(index);
    const key = isFixed ? `${index}` : filterKey(criteria, actions);
    const known = candidates.get(key);
    const count = counts[index] ?? parts.length;
    if (known) {
      known.sources.push(index);
      known.entries = Math.min(known.entries, count);
      continue;
    }
    const withoutLists = { ...criteria, from: [], to: [], subject: [] };
    candidates.set(key, {
      filter,
      criteria,
      keyWithoutLists: isFixed ? undefined : filterKey(withoutLists, actions),
      entries: count,
      sources: [index],
      fields: [],
    });
  }
  return [...candidates.values()];
}

/** Merges until nothing changes. Each step looks at all filters, so their order makes no difference. */
function mergeAll(candidates: readonly MergeCandidate[]): readonly MergeCandidate[] {
  const joined = LIST_FIELDS.reduce((all, field) => mergeBy(field, all), candidates);
  return joined.length < candidates.length ? mergeAll(joined) : joined;
}

/** Merges the filters that differ in one list alone. */
function mergeBy(
  field: ListField,
  candidates: readonly MergeCandidate[],
): readonly MergeCandidate[] {
  const groups = groupBy(candidates, (candidate) => groupKey(field, candidate) ?? candidate);
  return [...groups.values()].flatMap((group) => mergeGroup(field, group) ?? group);
}

/** A key that is equal for filters that may be merged; undefined for one that stays alone. */
function groupKey(
  field: ListField,
  { keyWithoutLists, criteria }: MergeCandidate,
): string | undefined {
  const { length } = criteria[field];
  if (keyWithoutLists === undefined || length === 0 || length > MAX_ITEMS) return undefined;
  const others = LIST_FIELDS.filter((name) => name !== field).map((name) =>
    sortedOnce(toTexts(criteria[name])).join("\n").toLowerCase(),
  );
  return [keyWithoutLists, ...others].join("\n\n");
}

/**
 * Merges a group into one filter, or a few where the list is too long for one.
 *
 * @returns undefined when the group must stay as it is.
 */
function mergeGroup(
  field: ListField,
  group: readonly MergeCandidate[],
): readonly MergeCandidate[] | undefined {
  const [first, second] = [...group].sort((a, b) => compareTexts(toText(a), toText(b)));
  if (!first || !second) return undefined;
  const terms = sortedOnce(group.flatMap(({ criteria }) => toTexts(criteria[field])));
  if (Math.ceil(terms.length / MAX_ITEMS) >= group.length) return undefined;
  const name = cutToName(joinedNames(group));
  const fields = new Set([...group.flatMap((candidate) => candidate.fields), field]);
  const joined: MergeCandidate[] = [];
  for (let start = 0; start < terms.length; start += MAX_ITEMS) {
    const part = terms.slice(start, start + MAX_ITEMS);
    const written = writeFilter({ ...first.filter, ...(name && { name }), [field]: part });
    if ("reason" in written || writtenList(field, written.entries) !== part.join(OR)) {
      return undefined;
    }
    const keys = new Set(part.map(lowerCase));
    const candidates = group.filter(({ criteria }) =>
      criteria[field].some(({ key }) => keys.has(key)),
    );
    joined.push({
      filter: written.filter,
      criteria: written.criteria,
      keyWithoutLists: first.keyWithoutLists,
      entries: written.entries.length,
      sources: candidates.flatMap(({ sources }) => sources).sort((a, b) => a - b),
      fields: LIST_FIELDS.filter((other) => fields.has(other)),
    });
  }
  return countEntries(joined) < countEntries(group) ? joined : undefined;
}

const MAX_ITEMS = GMAIL_LIMITS.items;

/** The list of all entries, from its distinct parts: entries repeat a part if another list is split too. */
const writtenList = (field: ListField, entries: readonly Properties[]): string =>
  [...new Set(entries.map((properties) => properties[field] ?? ""))].join(OR);

const countEntries = (candidates: readonly MergeCandidate[]): number =>
  candidates.reduce((sum, { entries }) => sum + entries, 0);

/** The names of a group, each once: `Bills, Shop`. */
const joinedNames = (group: readonly MergeCandidate[]): string =>
  [...new Set(group.flatMap(({ filter }) => filter.name?.split(", ") ?? []))].sort().join(", ");

/** Terms in one order, without those that differ from another in case alone. */
function sortedOnce(terms: readonly string[]): readonly string[] {
  const ordered = [...terms].sort(
    (a, b) => compareTexts(lowerCase(a), lowerCase(b)) || compareTexts(a, b),
  );
  return ordered.filter((term, index) => lowerCase(ordered[index - 1] ?? "") !== lowerCase(term));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const lowerCase = (text: string): string => text.toLowerCase();

const toText = ({ filter }: MergeCandidate): string => JSON.stringify(filter);
