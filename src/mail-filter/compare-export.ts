import type { MailFilterInput, MailFilterResult } from "../../schemas/mail-filter.ts";
import { Findings, formatWarnings, type RawResult } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import type { Properties } from "./conditions.ts";
import { SEARCH_CONDITIONS } from "./filter-fields.ts";
import { type FilterFindings, filterFindings } from "./filter-findings.ts";
import {
  formatActions,
  formatEntry,
  formatEntrySearch,
  formatSkippedEntry,
  listEntryActions,
  parseSizeAndAttachment,
  propertySearch,
  readSearch,
} from "./gmail-entry.ts";
import { type FilterWithEntries, toResult, writeFilters } from "./mail-filter.ts";
import { type GmailExport, parseEntries } from "./parse-export.ts";
import { filterKey, validateFilters } from "./parse-filter.ts";
import { collapseSpaces, parseExpression, splitAlternatives } from "./search/parse-search.ts";
import { formatSearch, searchKey } from "./search/search-tree.ts";

/** The result of `compareMailFilters()`. */
export interface MailFilterComparison {
  /** The result with only the new entries, and their filters. */
  readonly result: MailFilterResult;
  /** `3 new, 17 unchanged, 2 in Gmail only` */
  readonly summary: string;
  /**
   * One line per difference: `+ Bills: from:(a@x.com) -> label Bills`, `~ …` for a changed filter, `- …` for
   * a filter in Gmail only, `? …` for an entry that cannot be read and must be kept.
   */
  readonly differences: readonly string[];
  /**
   * One line per entry in Gmail only: removed and changed filters, and duplicates. An import does not
   * delete them.
   */
  readonly only_in_gmail: readonly string[];
  /**
   * Numbers of entries. `unchanged` counts entries in Gmail, even if this tool would split them. Changed
   * entries also count in `new` and `only_in_gmail`.
   */
  readonly counts: {
    readonly new: number;
    readonly changed: number;
    readonly unchanged: number;
    readonly only_in_gmail: number;
    readonly left_out: number;
  };
}

/**
 * Compares filters with a Gmail export, entry by entry and by meaning: the order and case of alternatives,
 * brackets and the spelling of a domain do not matter.
 *
 * @param input up to 10,000 filters, the same limit as for an export.
 * @param xml the content of a `mailFilters.xml` from Gmail.
 * @throws {InvalidInputError} if the input is invalid, or the XML is not an export.
 *
 * @example
 * const { result, summary } = compareMailFilters(input, xml);
 * result.file.content; // only new entries, because an import replaces nothing
 */
export function compareMailFilters(input: MailFilterInput, xml: string): MailFilterComparison {
  const { result, ...compared } = compareWithExport(input, parseEntries(xml));
  return { result: formatWarnings(result), ...compared };
}

/** A comparison before `formatWarnings`. */
type RawComparison = Omit<MailFilterComparison, "result"> & {
  readonly result: RawResult<MailFilterResult>;
};

type ParsedExport = Pick<GmailExport, "entries" | "left_out">;

export function compareWithExport(input: unknown, existing: ParsedExport): RawComparison {
  const findings: FilterFindings = new Findings(filterFindings);
  const filtersWithEntries = writeFilters(validateFilters(input), findings);
  return compareInDetail(filtersWithEntries, findings, existing).comparison;
}

/** An entry of an export that no filter of the input writes. */
interface GoneEntry {
  /** Its index in the export's `entries`. */
  readonly index: number;
  readonly search: string;
  readonly actions: string;
  readonly kind: "removed" | "changed" | "merged";
}

/** A merged entry has all parts of several that are gone. */
type AddedKind = "added" | "changed" | "merged";

/** A comparison, and what it says of each filter and entry. */
interface DetailedComparison {
  readonly comparison: RawComparison;
  /** The filters to import, by their indexes. */
  readonly added: ReadonlyMap<number, AddedKind>;
  /** In the order of the export. */
  readonly gone: readonly GoneEntry[];
}

export function compareInDetail(
  filtersWithEntries: readonly FilterWithEntries[],
  findings: FilterFindings,
  { entries: existing, left_out: leftOut }: ParsedExport,
): DetailedComparison {
  const known = new Set(existing.map(({ key }) => key));
  /** How often the input asks for each entry. */
  const wanted = new Map<string, number>();
  const missing = filtersWithEntries.map((filter) => {
    const { criteria, actions, entries } = filter;
    const keys = entries.map(({ part }) => filterKey(part, actions));
    const whole = entries.length > 1 ? filterKey(criteria, actions) : "";
    // Gmail may have one entry for a filter that we would split.
    const isThere = known.has(whole);
    for (const key of isThere ? [whole] : keys) wanted.set(key, (wanted.get(key) ?? 0) + 1);
    return {
      ...filter,
      entries: isThere ? [] : entries.filter((_, index) => !known.has(keys[index] ?? "")),
    };
  });
  const result = toResult(missing, findings, true);
  const added = result.filters.flatMap(({ name, entries }) =>
    entries.map((entry) => ({ name, ...entry })),
  );
  const goneEntries = existing.flatMap(({ key, properties }, index) => {
    const count = wanted.get(key) ?? 0;
    wanted.set(key, count - 1);
    return count > 0 ? [] : { index, properties };
  });
  const gone = goneEntries.map(({ properties }) => properties);
  const { changes, merged } = pairChanges(
    added.map(({ properties }) => properties),
    gone,
  );
  const changed = new Set([...changes.values()].map((change) => change.gone));
  const counts = {
    new: added.length,
    changed: changes.size,
    unchanged: existing.length - gone.length,
    only_in_gmail: gone.length,
    left_out: leftOut.length,
  };
  const indexes = missing.flatMap(({ index, entries }) => entries.map(() => index));
  const mergedGone = new Set([...merged.values()].flat());
  const comparison = {
    result,
    summary: formatCounts(counts),
    differences: [
      ...added.map(({ name, search, properties }, index) => {
        const change = changes.get(index);
        return change
          ? `~ ${name}: ${change.text}`
          : `+ ${name}: ${search} -> ${formatActions(properties)}`;
      }),
      ...gone.flatMap((entry, index) => (changed.has(index) ? [] : `- ${formatEntry(entry)}`)),
      ...(added.length + gone.length > 0 ? leftOut.map(formatSkippedEntry) : []),
    ],
    only_in_gmail: gone.map(formatEntry),
    counts,
  };
  return {
    comparison,
    added: new Map(
      indexes.map((index, place) => [
        index,
        merged.has(place) ? "merged" : changes.has(place) ? "changed" : "added",
      ]),
    ),
    gone: goneEntries.map(({ index, properties }, place) => ({
      index,
      search: formatEntrySearch(properties),
      actions: formatActions(properties),
      kind: mergedGone.has(place) ? "merged" : changed.has(place) ? "changed" : "removed",
    })),
  };
}

function formatCounts(counts: MailFilterComparison["counts"]): string {
  const { new: added, changed, unchanged, only_in_gmail, left_out } = counts;
  return [
    `${added} new${changed > 0 ? ` (${changed} changed)` : ""}`,
    `${unchanged} unchanged`,
    `${only_in_gmail} in Gmail only${only_in_gmail > 0 ? " (delete by hand what you no longer want)" : ""}`,
    ...(left_out > 0 ? [`${left_out} skipped (keep them)`] : []),
  ].join(", ");
}

interface EntryChange {
  /** The index of the old entry. */
  readonly gone: number;
  /** The added and removed parts: `+ from b@y.com, - label Old`. */
  readonly text: string;
}

/**
 * Pairs each new entry with the old entry that it most likely replaces: first entries with the same search,
 * then entries that share a condition and more than half of all parts (Jaccard).
 *
 * @returns changes by the index of the new entry, and for each merged entry the old ones that it contains.
 */
function pairChanges(
  added: readonly Properties[],
  gone: readonly Properties[],
): {
  readonly changes: ReadonlyMap<number, EntryChange>;
  readonly merged: ReadonlyMap<number, readonly number[]>;
} {
  const [newEntries, oldEntries] = [added.map(toParts), gone.map(toParts)];
  const holders = groupBy(
    oldEntries.flatMap((entry, index) =>
      [entry.search, ...entry.conditions].map((key) => ({ key, entry, index })),
    ),
    ({ key }) => key,
  );
  const changes = new Map<number, EntryChange>();
  const taken = new Set<number>();
  const pair = (index: number, entry: EntryParts, keys: readonly string[], least: number) => {
    let best: { readonly gone: number; readonly share: number } | undefined;
    for (const old of keys.flatMap((key) => holders.get(key) ?? [])) {
      if (taken.has(old.index)) continue;
      const share = similarity(entry.all, old.entry.all);
      if (share > (best?.share ?? least)) best = { gone: old.index, share };
    }
    if (!best) return;
    taken.add(best.gone);
    const old = oldEntries[best.gone]?.all ?? new Map();
    changes.set(index, {
      gone: best.gone,
      text: [...without(entry.all, old, "+"), ...without(old, entry.all, "-")].join(", "),
    });
  };
  for (const [index, entry] of newEntries.entries()) pair(index, entry, [entry.search], -1);
  for (const [index, entry] of newEntries.entries()) {
    if (!changes.has(index)) pair(index, entry, entry.conditions, 0.5);
  }
  const merged = new Map<number, readonly number[]>();
  for (const [index, entry] of newEntries.entries()) {
    const held = entry.conditions
      .flatMap((key) => holders.get(key) ?? [])
      .filter((old) => [...old.entry.all.keys()].every((key) => entry.all.has(key)));
    const indexes = [...new Set(held.map((old) => old.index))];
    if (indexes.length > 1) merged.set(index, indexes);
  }
  return { changes, merged };
}

/** Conditions and actions as in a report, by keys that are equal for an equal meaning. */
type PartList = ReadonlyMap<string, string>;

interface EntryParts {
  readonly search: string;
  readonly all: PartList;
  /** Keys of the conditions only, because thousands of entries may share an action. */
  readonly conditions: readonly string[];
}

function toParts(properties: Properties): EntryParts {
  const conditions = new Map<string, string>();
  for (const { property, shortName } of SEARCH_CONDITIONS) {
    const value = collapseSpaces(properties[property] ?? "");
    for (const item of value === "" ? [] : splitAlternatives(value)) {
      const text = `${shortName} ${item.toLowerCase()}`;
      const parsed = parseExpression(item);
      const isRead = "expression" in parsed;
      conditions.set(isRead ? searchKey(propertySearch(property, parsed.expression)) : text, text);
    }
  }
  for (const leaf of parseSizeAndAttachment(properties)) {
    conditions.set(searchKey(leaf), formatSearch(leaf));
  }
  const actions = listEntryActions(properties).map(
    (action) => [`-> ${action.toLowerCase()}`, action] as const,
  );
  const searchOrReason = readSearch(properties);
  return {
    search: `= ${"search" in searchOrReason ? searchKey(searchOrReason.search) : ""}`,
    all: new Map([...conditions, ...actions]),
    conditions: [...conditions.keys()],
  };
}

function similarity(one: PartList, other: PartList): number {
  const common = [...one.keys()].filter((key) => other.has(key)).length;
  return common / (one.size + other.size - common);
}

const without = (parts: PartList, others: PartList, mark: string): readonly string[] =>
  [...parts].flatMap(([key, text]) => (others.has(key) ? [] : `${mark} ${text}`));
