import type { Editable, Warning } from "../../../schemas/index.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { collectWarnings } from "../generate.ts";
import type { Properties } from "../write.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { readFilterEntry } from "./read-entry.ts";
import { readSplitFilter } from "./split-filter.ts";

/** The filters of an existing file. */
export interface ExistingMailFilters {
  /** The input that gives the filters again, with the local limits. */
  readonly filters: Editable<FilterInput>[];
  /** The entries that no input can express. */
  readonly left_out: LeftOut[];
  /** Findings about the input. */
  readonly warnings: readonly Warning[];
}

/** An entry of an export that no input can express. */
export interface LeftOut {
  /** The index of the entry in the file. */
  readonly entry: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly reason: string;
}

/**
 * Reads a `mailFilters.xml` that Gmail exported, or one of this tool.
 *
 * Each filter is run, and kept only when its entry means the same as the file's; any other is
 * left out with the reason.
 *
 * @throws {InvalidInputError} for a text that is not such a file.
 *
 * @example
 * const { filters, left_out } = readMailFilters(xml);
 * mailFilter({ filters }, { limits: "local" }).file.content; // the same filters
 */
export function readMailFilters(xml: string): ExistingMailFilters {
  const { filters, left_out, warnings } = readEntries(readFeed(xml));
  return { filters, left_out, warnings };
}

/** Reads the entries of a file as filters. */
export function readEntries(entries: readonly FeedEntry[]): ReadEntries {
  const filters: Editable<FilterInput>[] = [];
  const left_out: LeftOut[] = [];
  const entriesOf: Properties[][] = [];
  for (let index = 0; index < entries.length; ) {
    const joined = readSplitFilter(entries, index);
    if (joined) {
      filters.push(joined.filter);
      entriesOf.push(
        entries.slice(index, index + joined.entries).map(({ properties }) => properties),
      );
      index += joined.entries;
      continue;
    }
    const entry = entries[index];
    const read = entry && readFilterEntry(entry);
    if (read && "filter" in read) {
      filters.push(read.filter);
      entriesOf.push([entry.properties]);
    } else if (read) left_out.push({ entry: index, properties: entry.properties, ...read });
    index += 1;
  }
  const warnings = collectWarnings(filters).filter(({ code }) => !PROVEN.has(code));
  return { filters, entries: entriesOf, left_out, warnings };
}

interface ReadEntries extends ExistingMailFilters {
  /** The entries that each filter was read from: several for one that this tool has split. */
  readonly entries: readonly (readonly Properties[])[];
}

/** Codes of findings that an export disproves, as `forward-unverified`, or that come too late, as `broad-delete`. */
const PROVEN: ReadonlySet<string> = new Set([
  "broad-delete",
  "forward-unverified",
  "address-taken",
  "all-words-required",
]);
