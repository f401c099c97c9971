import * as v from "valibot";
import { closedObject, type Editable, recordOf } from "../../schemas/common.ts";
import { type FilterInput, GMAIL_LIMITS } from "../../schemas/mail-filter.ts";
import { groupBy } from "../group-by.ts";
import { validate } from "../issues.ts";
import { formatCount, formatNumber } from "../text.ts";
import { criteriaSearch, type Properties } from "./conditions.ts";
import {
  ACTIONS,
  type Actions,
  CONFLICTING_ACTIONS,
  LIST_FIELDS,
  type ListField,
  propertyValue,
} from "./filter-fields.ts";
import { findConflictingIndexes } from "./filter-warnings.ts";
import { MAX_FILTERS } from "./gmail.ts";
import {
  formatActions,
  formatEntry,
  formatEntrySearch,
  formatSkippedEntry,
  readSearch,
  type SkippedEntry,
  truncateName,
  tryWriteFilter,
} from "./gmail-entry.ts";
import type { GmailExport } from "./parse-export.ts";
import {
  abbreviate,
  filterKey,
  type ParsedFilter,
  parseFilters,
  validateFilters,
} from "./parse-filter.ts";
import { type Criteria, toTexts } from "./search/criteria.ts";
import { dependsOnState } from "./search/has-words.ts";
import { listLeaves, type Search } from "./search/search-tree.ts";

/** The result of `mergeMailFilters()`. */
export interface MailFilterMerge {
  /** All filters after the merge. */
  readonly filters: Editable<FilterInput>[];
  readonly merged: readonly {
    /** The index of the merged filter in `filters`. */
    readonly index: number;
    /** The indexes of the given filters that it replaces, duplicates included. */
    readonly replaces: readonly number[];
    /** The lists that the replaced filters differ in. */
    readonly combined_fields: readonly ListField[];
  }[];
  /** Duplicates among the given filters. */
  readonly dropped: readonly {
    readonly index: number;
    readonly because: "same";
    /** The index of the given filter that stays. */
    readonly duplicate_of: number;
  }[];
}

/**
 * Merges filters that are equal except for one of `from`, `to` and `subject`, because Gmail treats each of
 * these lists as OR. Drops duplicates. Does not merge filters whose effect may depend on their order, or if
 * the number of entries would stay the same.
 *
 * @param filters up to 10,000, each within the extended limits.
 * @param options `left_out`: entries of the same account that stay, from `parseMailFilters()`.
 * @throws {InvalidInputError} if a filter breaks the schema or Gmail cannot express it.
 *
 * @example
 * const { filters, merged } = mergeMailFilters(parseMailFilters(xml).filters);
 */
export function mergeMailFilters(
  filters: readonly FilterInput[],
  options: { readonly left_out?: readonly SkippedEntry[] } = {},
): MailFilterMerge {
  const valid = validateFilters({ filters });
  const { left_out = [] } = validate(MergeOptionsSchema, options, ["options"]);
  return mergeValidFilters(valid, left_out);
}

const MergeOptionsSchema = closedObject({
  left_out: v.optional(v.array(v.looseObject({ properties: recordOf(v.string()) }))),
});

export function mergeValidFilters(
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly UnparsedEntry[],
): MailFilterMerge {
  const candidates = mergeAll(toCandidates(filters, leftOut));
  const merged: MailFilterMerge["merged"][number][] = [];
  const dropped: MailFilterMerge["dropped"][number][] = [];
  for (const [index, { sources, fields }] of candidates.entries()) {
    const [duplicate_of = 0, ...repeats] = sources;
    if (fields.length > 0) merged.push({ index, replaces: sources, combined_fields: fields });
    else
      dropped.push(
        ...repeats.map((repeat) => ({ index: repeat, because: "same" as const, duplicate_of })),
      );
  }
  return { filters: candidates.map(({ filter }) => filter), merged, dropped };
}

/** @returns the indexes of equal filters, the one that stays first. */
export const findRepeats = (
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly UnparsedEntry[],
): readonly (readonly number[])[] =>
  toCandidates(filters, leftOut)
    .map(({ sources }) => sources)
    .filter(({ length }) => length > 1);

type UnparsedEntry = Pick<SkippedEntry, "properties">;

/** A given filter, or a merged one. */
interface MergeCandidate {
  readonly filter: Editable<FilterInput>;
  readonly criteria: Criteria;
  readonly actions: Actions;
  /** Whether it must not be merged, because its order may matter. */
  readonly isFixed: boolean;
  /** The number of entries: one for a given filter, even if we would split it. */
  readonly entries: number;
  /** The indexes of the given filters that it replaces. */
  readonly sources: readonly number[];
  /** The lists that the replaced filters differ in. */
  readonly fields: readonly ListField[];
}

/** Drops duplicates, except of filters whose order may matter. */
function toCandidates(
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly UnparsedEntry[],
): readonly MergeCandidate[] {
  const parsedFilters = parseFilters(filters);
  const fixed = findOrderDependent(parsedFilters, leftOut);
  const same = groupBy(parsedFilters, ({ index, criteria, actions }) =>
    fixed.has(index) ? `${index}` : filterKey(criteria, actions),
  );
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    const filter = first && filters[first.index];
    if (!filter) return [];
    const { criteria, actions, index } = first;
    const sources = group.map((repeat) => repeat.index);
    return {
      filter,
      criteria,
      actions,
      isFixed: fixed.has(index),
      entries: 1,
      sources,
      fields: [],
    };
  });
}

/** Merges until nothing changes. Each step compares all filters, so the order of the filters decides no merge. */
function mergeAll(candidates: readonly MergeCandidate[]): readonly MergeCandidate[] {
  const joined = LIST_FIELDS.reduce((all, field) => mergeByField(field, all), candidates);
  return joined.length < candidates.length ? mergeAll(joined) : joined;
}

function mergeByField(
  field: ListField,
  candidates: readonly MergeCandidate[],
): readonly MergeCandidate[] {
  const groups = groupBy(candidates, (candidate) => {
    const { criteria, actions, isFixed } = candidate;
    const isAlone = isFixed || criteria[field].length === 0;
    return isAlone ? candidate : filterKey({ ...criteria, [field]: [] }, actions);
  });
  return [...groups.values()].flatMap((group) =>
    splitIntoPacks(field, group).flatMap((pack) => mergePack(field, pack) ?? pack),
  );
}

/** Splits a group whose list would have too many terms for one filter. */
function splitIntoPacks(
  field: ListField,
  group: readonly MergeCandidate[],
): readonly (readonly MergeCandidate[])[] {
  const packs: MergeCandidate[][] = [];
  let room = 0;
  for (const candidate of group.length > 1 ? group.toSorted(compareByContent) : group) {
    const { length } = candidate.criteria[field];
    const pack = packs.at(-1);
    if (pack && length <= room) pack.push(candidate);
    else {
      packs.push([candidate]);
      room = GMAIL_LIMITS.items;
    }
    room -= length;
  }
  return packs;
}

const compareByContent = (a: MergeCandidate, b: MergeCandidate): number =>
  JSON.stringify(a.filter) < JSON.stringify(b.filter) ? -1 : 1;

/** Returns undefined if the filters must not be merged. */
function mergePack(field: ListField, pack: readonly MergeCandidate[]): MergeCandidate | undefined {
  const [first, second] = pack;
  if (!first || !second) return undefined;
  const names = new Set(pack.flatMap(({ filter }) => filter.name?.split(", ") ?? []));
  const name = truncateName([...names].sort().join(", "));
  const inOrder = pack.toSorted(
    (one, other) => Math.min(...one.sources) - Math.min(...other.sources),
  );
  const terms = groupBy(
    inOrder.flatMap(({ criteria }) => criteria[field]),
    ({ key }) => key,
  );
  const texts = [...terms.values()].flatMap(([term]) => term?.text ?? []);
  const rewritten = tryWriteFilter({ ...first.filter, ...(name && { name }), [field]: texts });
  // In an input, a term may have another meaning.
  if ("reason" in rewritten || toTexts(rewritten.criteria[field]).join() !== texts.join()) {
    return undefined;
  }
  const entries = rewritten.entries.length;
  if (entries >= pack.reduce((sum, candidate) => sum + candidate.entries, 0)) return undefined;
  const fields = new Set([...pack.flatMap((candidate) => candidate.fields), field]);
  return {
    ...first,
    filter: rewritten.filter,
    criteria: rewritten.criteria,
    entries,
    sources: pack.flatMap(({ sources }) => sources).sort((a, b) => a - b),
    fields: LIST_FIELDS.filter((other) => fields.has(other)),
  };
}

/**
 * Finds filters whose effect may depend on their order, because Gmail adds a merged filter at the end of
 * its list: filters that conflict with others, test a state (`is:starred`), set a state that another filter
 * tests, or have a setting, such as a category, with several values in the account.
 */
function findOrderDependent(
  filters: readonly ParsedFilter[],
  leftOut: readonly UnparsedEntry[],
): ReadonlySet<number> {
  const tests = filters.map(({ criteria }) => stateTests(criteriaSearch(criteria)));
  const others = leftOut.flatMap(({ properties }) => {
    const searchOrReason = readSearch(properties);
    return "search" in searchOrReason
      ? stateTests(searchOrReason.search)
      : [formatEntrySearch(properties)];
  });
  const asked = [...tests.flat(), ...others].join("\n").toLowerCase();
  const tested = ACTIONS.filter(({ askedBy }) => askedBy?.test(asked));
  const disputed = CONFLICTING_ACTIONS.filter(({ field, property }) => {
    const values = new Set(filters.flatMap(({ actions }) => actions[field] ?? []));
    return values.size > 1 || leftOut.some(({ properties }) => properties[property]);
  });
  const dependent = new Set(findConflictingIndexes(filters));
  for (const [index, { actions }] of filters.entries()) {
    const setsTested = tested.some((action) => propertyValue(action, actions) !== "");
    const isDisputed = disputed.some(({ field }) => actions[field]);
    if (tests[index]?.length !== 0 || setsTested || isDisputed) dependent.add(index);
  }
  return dependent;
}

/** Lists the conditions whose result a filter may change: `is:starred`. */
const stateTests = (search: Search): readonly string[] =>
  listLeaves(search)
    .filter(dependsOnState)
    .map(({ operator, text }) => `${operator}:${text}`);

export interface MergeResult {
  /** All filters, or for an export only the new ones, because Gmail has the others. */
  readonly input: { readonly filters: readonly FilterInput[] };
  readonly result: MailFilterMerge;
  /** The changes and the next steps, line by line. */
  readonly report: readonly string[];
}

export function mergeExport({ filters, entries, left_out }: GmailExport): MergeResult {
  const result = mergeValidFilters(filters, left_out);
  const added = result.merged.flatMap(({ index }) => result.filters[index] ?? []);
  const before = entries.map(({ properties }) => [properties]);
  return { input: { filters: added }, result, report: mergeReport(result, before, left_out) };
}

/** @throws {InvalidInputError} if a filter breaks the schema or Gmail cannot express it. */
export function mergeInput(input: unknown): MergeResult {
  const filters = validateFilters(input);
  const result = mergeValidFilters(filters, []);
  const before = filters.map((filter) => {
    const rewritten = tryWriteFilter(filter);
    return "reason" in rewritten ? [] : rewritten.entries;
  });
  return { input: { filters: result.filters }, result, report: mergeReport(result, before, []) };
}

/**
 * Reports a merge: after each new filter (`+`) come the entries that it replaces (`-`), each with its
 * whole search. Entries with `=` or `?` stay.
 *
 * @param before the entries of the given filters.
 */
function mergeReport(
  { filters, merged, dropped }: MailFilterMerge,
  before: readonly (readonly Properties[])[],
  leftOut: readonly SkippedEntry[],
): readonly string[] {
  const kept = leftOut.map(formatSkippedEntry);
  if (merged.length + dropped.length === 0) return [NOTHING_TO_MERGE, ...kept];
  const linesOf = (index: number, mark: string) =>
    (before[index] ?? []).map((properties) => `${mark} ${formatEntry(properties)}`);
  let present = before.flat().length + leftOut.length;
  const added = merged.flatMap(({ index, replaces }) => {
    const filter = filters[index] ?? {};
    const rewritten = tryWriteFilter(filter);
    if ("reason" in rewritten) throw new TypeError(`A merged filter ${rewritten.reason}`);
    const { length } = rewritten.entries;
    present += length;
    const name = [filter.name ?? [], length > 1 ? `${length} entries` : []].flat().join(", ");
    const actions = formatActions(rewritten.entries[0] ?? {});
    return [
      `+ ${name === "" ? "" : `${name}: `}${abbreviate(rewritten.search)} -> ${actions}`,
      ...replaces.flatMap((replaced) => linesOf(replaced, "-")),
    ];
  });
  const repeats = [...groupBy(dropped, ({ duplicate_of }) => duplicate_of)].flatMap(
    ([by, others]) => [...linesOf(by, "="), ...others.flatMap(({ index }) => linesOf(index, "-"))],
  );
  const replaced = merged.reduce((sum, { replaces }) => sum + replaces.length, 0);
  const numbers = [
    merged.length > 0 && `${formatNumber(merged.length)} new instead of ${formatNumber(replaced)}`,
    dropped.length > 0 && formatCount(dropped.length, "repeat"),
  ].filter(Boolean);
  return [
    `${formatCount(before.length, "filter")} become ${formatNumber(filters.length)}: ${numbers.join(", ")}`,
    ...(merged.length > 0 ? [IMPORT_BEFORE_DELETING] : []),
    ...(present > MAX_FILTERS ? [TOO_MANY_FOR_IMPORT] : []),
    ...added,
    ...(repeats.length > 0 ? [KEEP_ONE_REPEAT] : []),
    ...repeats,
    ...kept,
  ];
}

const NOTHING_TO_MERGE = "no filters can be merged into fewer entries with the same effect";
const IMPORT_BEFORE_DELETING =
  "keep a copy of the export; import the new filters (+) without applying them to existing mail, check that they are in Gmail's list, and only then delete by hand the filters that they replace (-)";
const TOO_MANY_FOR_IMPORT =
  "Gmail keeps at most 1,000 filters, so the old and the new ones do not all fit: in the import window choose as many new filters (+) as fit, delete the ones that they replace (-), and import the next; if none fits, delete a few old filters just before the import";
const KEEP_ONE_REPEAT =
  "these filters exist more than once: keep one (=), and delete the others (-) by hand";
