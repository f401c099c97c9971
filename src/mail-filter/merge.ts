import * as v from "valibot";
import { closedObject, type Editable, recordOf } from "../../schemas/common.ts";
import { type FilterInput, GMAIL_LIMITS } from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import { validate } from "../issues.ts";
import { cutToName, type LeftOut, writeFilter } from "./export-entry.ts";
import { type Actions, LIST_FIELDS, type ListField } from "./fields.ts";
import { filterKey, readFilters, validFilters } from "./filter.ts";
import { type FilterFindings, filterFindings } from "./findings.ts";
import { findOrderDependent } from "./merge-order.ts";
import { type Criteria, toTexts } from "./terms/criteria.ts";

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
 * @param counts the number of entries that each filter is in Gmail. It may have a long one as a single
 * entry, so a filter that is not known to be several counts as one.
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
  readonly actions: Actions;
  /** True for one that stays as it is, because its order among the others may matter. */
  readonly isFixed: boolean;
  /** The number of entries that the filter is in Gmail, or is written as. */
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
  const findings: FilterFindings = new Findings(filterFindings);
  const read = readFilters(filters, findings);
  findings.throwIfRejected();
  const others = leftOut.map(({ properties }) => properties);
  const fixed = findOrderDependent(read, others);
  const same = groupBy(read, ({ index, criteria, actions }) =>
    fixed.has(index) ? `${index}` : filterKey(criteria, actions),
  );
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    const filter = first && filters[first.index];
    if (!filter) return [];
    const sources = group.map(({ index }) => index);
    return {
      filter,
      criteria: first.criteria,
      actions: first.actions,
      isFixed: fixed.has(first.index),
      entries: Math.min(...sources.map((index) => counts[index] ?? 1)),
      sources,
      fields: [],
    };
  });
}

/** Merges until nothing changes. Each step looks at all filters, so their order makes no difference. */
function mergeAll(candidates: readonly MergeCandidate[]): readonly MergeCandidate[] {
  const joined = LIST_FIELDS.reduce((all, field) => mergeBy(field, all), candidates);
  return joined.length < candidates.length ? mergeAll(joined) : joined;
}

/** Merges the filters that are equal but for one list, which each of them has. */
function mergeBy(
  field: ListField,
  candidates: readonly MergeCandidate[],
): readonly MergeCandidate[] {
  const groups = groupBy(candidates, (candidate) => {
    const { criteria, actions, isFixed } = candidate;
    const { length } = criteria[field];
    const isAlone = isFixed || length === 0 || length > MAX_ITEMS;
    return isAlone ? candidate : filterKey({ ...criteria, [field]: [] }, actions);
  });
  return [...groups.values()].flatMap((group) => mergeGroup(field, group) ?? group);
}

const MAX_ITEMS = GMAIL_LIMITS.items;

/**
 * Merges a group into one filter, or a few where the list is too long for one.
 *
 * @returns undefined when the group must stay as it is.
 */
function mergeGroup(
  field: ListField,
  group: readonly MergeCandidate[],
): readonly MergeCandidate[] | undefined {
  const [first, second] = group.toSorted((a, b) => compareTexts(toText(a), toText(b)));
  const terms = sortedOnce(group.flatMap(({ criteria }) => toTexts(criteria[field])));
  if (!first || !second || Math.ceil(terms.length / MAX_ITEMS) >= group.length) return undefined;
  const name = joinNames(group);
  const fields = new Set([...group.flatMap((candidate) => candidate.fields), field]);
  const joined: MergeCandidate[] = [];
  for (let start = 0; start < terms.length; start += MAX_ITEMS) {
    const part = terms.slice(start, start + MAX_ITEMS);
    const written = writeFilter({ ...first.filter, ...(name && { name }), [field]: part });
    // A term may be read as another one where it stands in an input.
    if ("reason" in written || toTexts(written.criteria[field]).join() !== part.join()) {
      return undefined;
    }
    const keys = new Set(part.map(lowerCase));
    const replaced = group.filter(({ criteria }) =>
      criteria[field].some(({ key }) => keys.has(key)),
    );
    joined.push({
      ...first,
      filter: written.filter,
      criteria: written.criteria,
      entries: written.entries.length,
      sources: replaced.flatMap(({ sources }) => sources).sort((a, b) => a - b),
      fields: LIST_FIELDS.filter((other) => fields.has(other)),
    });
  }
  return countEntries(joined) < countEntries(group) ? joined : undefined;
}

const countEntries = (candidates: readonly MergeCandidate[]): number =>
  candidates.reduce((sum, { entries }) => sum + entries, 0);

/** The names of a group, each once: `Bills, Shop`. */
function joinNames(group: readonly MergeCandidate[]): string {
  const names = group.flatMap(({ filter }) => filter.name?.split(", ") ?? []);
  return cutToName([...new Set(names)].sort().join(", "));
}

/** Terms in one order, without those that differ from another in case alone. */
function sortedOnce(terms: readonly string[]): readonly string[] {
  const ordered = terms.toSorted(
    (a, b) => compareTexts(lowerCase(a), lowerCase(b)) || compareTexts(a, b),
  );
  return ordered.filter((term, index) => lowerCase(ordered[index - 1] ?? "") !== lowerCase(term));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const lowerCase = (text: string): string => text.toLowerCase();

const toText = ({ filter }: MergeCandidate): string => JSON.stringify(filter);
