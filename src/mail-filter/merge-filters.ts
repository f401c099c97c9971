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
  validFilters,
} from "./parse-filter.ts";
import { type Criteria, toTexts } from "./search/criteria.ts";
import { asksForState, type ListTerm } from "./search/has-words.ts";
import { listLeaves, type Search } from "./search/search-tree.ts";

/** Fewer filters that match the same mail and do the same with it. */
export interface MailFilterMerge {
  /** The filters afterwards, as an input. */
  readonly filters: Editable<FilterInput>[];
  /** The filters that replace others. */
  readonly merged: readonly {
    /** The index of the merged filter in `filters`. */
    readonly index: number;
    /** The indexes of the given filters that the merged one replaces, repeats included. */
    readonly replaces: readonly number[];
    /** The lists that differ among the replaced filters, and are combined in the merged one. */
    readonly combined_fields: readonly ListField[];
  }[];
  /** The given filters that repeat another one, which stays. */
  readonly dropped: readonly {
    readonly index: number;
    readonly because: "same";
    /** The index of the filter that stays, among the given ones. */
    readonly duplicate_of: number;
  }[];
}

/**
 * Merges filters that are equal except for one of `from`, `to` and `subject`, since Gmail treats each
 * of these lists as OR. Drops duplicates. Filters whose result may depend on their order stay as they
 * are, and nothing is merged if the entries of the file would not become fewer.
 *
 * @param filters up to 10,000, each within the extended limits.
 * @param options `left_out`: entries of the same account that stay, from `parseMailFilters()`.
 * @throws {InvalidInputError} when a filter breaks the schema or Gmail cannot express it.
 *
 * @example
 * const { filters, merged } = mergeMailFilters(parseMailFilters(xml).filters);
 */
export function mergeMailFilters(
  filters: readonly FilterInput[],
  options: { readonly left_out?: readonly SkippedEntry[] } = {},
): MailFilterMerge {
  const valid = validFilters({ filters });
  const { left_out = [] } = validate(MergeOptionsSchema, options, ["options"]);
  return mergeValidFilters(valid, left_out);
}

const MergeOptionsSchema = closedObject({
  left_out: v.optional(v.array(v.looseObject({ properties: recordOf(v.string()) }))),
});

/** Merges filters that are validated already. */
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

/** An entry of the account that is no filter of the input. */
type UnparsedEntry = Pick<SkippedEntry, "properties">;

/** A filter, given or merged. */
interface MergeCandidate {
  readonly filter: Editable<FilterInput>;
  readonly criteria: Criteria;
  readonly actions: Actions;
  /** True for one that stays as it is, because its order among the others may matter. */
  readonly isFixed: boolean;
  /** The number of entries in Gmail, which may have as one what would be written as several. */
  readonly entries: number;
  /** The indexes of the given filters that this one replaces. */
  readonly sources: readonly number[];
  /** The lists that differ among the replaced filters, and are combined in the merged one. */
  readonly fields: readonly ListField[];
}

/** The filters without repeats. Of those that depend on their order, repeats stay too. */
function toCandidates(
  filters: readonly Editable<FilterInput>[],
  leftOut: readonly UnparsedEntry[],
): readonly MergeCandidate[] {
  const read = parseFilters(filters);
  const fixed = findOrderDependent(read, leftOut);
  const same = groupBy(read, ({ index, criteria, actions }) =>
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

/** Merges until nothing changes. Each step looks at all filters, so their order makes no difference. */
function mergeAll(candidates: readonly MergeCandidate[]): readonly MergeCandidate[] {
  const joined = LIST_FIELDS.reduce((all, field) => mergeByField(field, all), candidates);
  return joined.length < candidates.length ? mergeAll(joined) : joined;
}

/** Merges the filters that are equal but for one list, which each of them has. */
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

/** Cuts a group where the terms of a list would be too many for one filter. */
function splitIntoPacks(
  field: ListField,
  group: readonly MergeCandidate[],
): readonly (readonly MergeCandidate[])[] {
  const packs: MergeCandidate[][] = [];
  let room = 0;
  for (const candidate of group.length > 1 ? group.toSorted(sortByIndex) : group) {
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

const sortByIndex = (a: MergeCandidate, b: MergeCandidate): number =>
  compareTexts(JSON.stringify(a.filter), JSON.stringify(b.filter));

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The filter for all mail of the given ones; undefined when they must stay as they are. */
function mergePack(field: ListField, pack: readonly MergeCandidate[]): MergeCandidate | undefined {
  const [first, second] = pack;
  if (!first || !second) return undefined;
  const names = new Set(pack.flatMap(({ filter }) => filter.name?.split(", ") ?? []));
  const name = truncateName([...names].sort().join(", "));
  const texts = mergeTerms(pack.flatMap(({ criteria }) => criteria[field]));
  const written = tryWriteFilter({ ...first.filter, ...(name && { name }), [field]: texts });
  // A term may be read as another one where it stands in an input.
  if ("reason" in written || toTexts(written.criteria[field]).join() !== texts.join()) {
    return undefined;
  }
  const entries = written.entries.length;
  if (entries >= pack.reduce((sum, candidate) => sum + candidate.entries, 0)) return undefined;
  const fields = new Set([...pack.flatMap((candidate) => candidate.fields), field]);
  return {
    ...first,
    filter: written.filter,
    criteria: written.criteria,
    entries,
    sources: pack.flatMap(({ sources }) => sources).sort((a, b) => a - b),
    fields: LIST_FIELDS.filter((other) => fields.has(other)),
  };
}

/** Terms in one order, each once. */
function mergeTerms(terms: readonly ListTerm[]): readonly string[] {
  const sorted = terms.toSorted(
    (a, b) => compareTexts(a.key, b.key) || compareTexts(a.text, b.text),
  );
  return sorted.filter(({ key }, index) => sorted[index - 1]?.key !== key).map(({ text }) => text);
}

/**
 * The indexes of the filters whose effect may depend on their order. A merged filter goes to the end of
 * the list in Gmail, so these must stay as they are: filters that do the opposite with mail that another
 * may match, filters that test a state (`is:starred`), filters that set a state another filter tests, and
 * filters with a setting, such as a category, of which the account has several values.
 */
function findOrderDependent(
  filters: readonly ParsedFilter[],
  leftOut: readonly UnparsedEntry[],
): ReadonlySet<number> {
  const tests = filters.map(({ criteria }) => stateTests(criteriaSearch(criteria)));
  const others = leftOut.flatMap(({ properties }) => {
    const read = readSearch(properties);
    return "search" in read ? stateTests(read.search) : [formatEntrySearch(properties)];
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

/** The conditions whose answer a filter may change: `is:starred`. */
const stateTests = (search: Search): readonly string[] =>
  listLeaves(search)
    .filter(asksForState)
    .map(({ operator, text }) => `${operator}:${text}`);

/** Filters after a merge. */
export interface MergeResult {
  /** The filters as an input; for a merge of an export only the new ones, since Gmail has the others. */
  readonly input: { readonly filters: readonly FilterInput[] };
  /** The whole outcome, for programs. */
  readonly result: MailFilterMerge;
  /** The merged filters and the steps to take, one a line. */
  readonly report: readonly string[];
}

/** Merges the filters of an export. */
export function mergeExport({ filters, entries, left_out }: GmailExport): MergeResult {
  const result = mergeValidFilters(filters, left_out);
  const added = result.merged.flatMap(({ index }) => result.filters[index] ?? []);
  const before = entries.map(({ properties }) => [properties]);
  return { input: { filters: added }, result, report: mergeReport(result, before, left_out) };
}

/**
 * Merges the filters of an input.
 *
 * @throws {InvalidInputError} when a filter breaks the schema or Gmail cannot express it.
 */
export function mergeInput(input: unknown): MergeResult {
  const filters = validFilters(input);
  const result = mergeValidFilters(filters, []);
  const before = filters.map((filter) => {
    const written = tryWriteFilter(filter);
    return "reason" in written ? [] : written.entries;
  });
  return { input: { filters: result.filters }, result, report: mergeReport(result, before, []) };
}

/**
 * The changes of a merge, and how to bring them into Gmail without missing mail meanwhile. A line with
 * `+` is a new filter, and those with `-` after it are the entries that it replaces, by their whole
 * search; `=` and `?` are entries that stay.
 *
 * @param before the entries of the given filters.
 */
function mergeReport(
  { filters, merged, dropped }: MailFilterMerge,
  before: readonly (readonly Properties[])[],
  leftOut: readonly SkippedEntry[],
): readonly string[] {
  const kept = leftOut.map(formatSkippedEntry);
  if (merged.length + dropped.length === 0) return [NOTHING, ...kept];
  const linesOf = (index: number, mark: string) =>
    (before[index] ?? []).map((properties) => `${mark} ${formatEntry(properties)}`);
  let present = before.flat().length + leftOut.length;
  const added = merged.flatMap(({ index, replaces }) => {
    const filter = filters[index] ?? {};
    const written = tryWriteFilter(filter);
    if ("reason" in written) throw new TypeError(`A merged filter ${written.reason}`);
    const { length } = written.entries;
    present += length;
    const name = [filter.name ?? [], length > 1 ? `${length} entries` : []].flat().join(", ");
    const actions = formatActions(written.entries[0] ?? {});
    return [
      `+ ${name === "" ? "" : `${name}: `}${abbreviate(written.search)} -> ${actions}`,
      ...replaces.flatMap((replaced) => linesOf(replaced, "-")),
    ];
  });
  const repeats = [...groupBy(dropped, ({ duplicate_of }) => duplicate_of)].flatMap(
    ([by, others]) => [...linesOf(by, "="), ...others.flatMap(({ index }) => linesOf(index, "-"))],
  );
  const replaced = merged.reduce((sum, { replaces }) => sum + replaces.length, 0);
  const numbers = [
    merged.length > 0 && `${formatNumber(merged.length)} new in place of ${formatNumber(replaced)}`,
    dropped.length > 0 && formatCount(dropped.length, "repeat"),
  ].filter(Boolean);
  return [
    `${formatCount(before.length, "filter")} become ${formatNumber(filters.length)}: ${numbers.join(", ")}`,
    ...(merged.length > 0 ? [ORDER] : []),
    ...(present > MAX_FILTERS ? [NO_ROOM] : []),
    ...added,
    ...(repeats.length > 0 ? [REPEATS] : []),
    ...repeats,
    ...kept,
  ];
}

const NOTHING = "no filters can be merged so that the same happens to all mail with fewer entries";

const ORDER =
  "keep a copy of the export; import the new filters (+) without applying them to existing mail, look for them in Gmail's list, and only then delete by hand those that they replace (-)";

const NO_ROOM =
  "Gmail keeps 1,000 filters, too few for old and new at once: in the import window choose as many of the new ones (+) as there is room for, delete what they replace (-), and go on with the next; with no room at all, delete some of these just before the import";

const REPEATS =
  "these filters exist more than once: keep one (=), and delete the others (-) by hand";
