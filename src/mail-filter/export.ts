import type { Editable, Warning } from "../../../schemas/index.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { filterKey } from "../filter-key.ts";
import { collectWarnings } from "../generate.ts";
import type { Properties } from "../write.ts";
import { packItems, parseActions, parseConditions } from "./entry.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { type LeftOut, readMeaning, tidied } from "./meaning.ts";
import { cutToName, writeFilter } from "./write-filter.ts";

/** The filters of an existing file. */
export interface ExistingMailFilters {
  /** The input that gives the filters again, with the local limits. */
  readonly filters: Editable<FilterInput>[];
  /** The entries that no input can express. */
  readonly left_out: LeftOut[];
  /** Findings about the input. */
  readonly warnings: readonly Warning[];
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

/** A filter, or the reason why an entry is left out, which names properties as the export does. */
type Read = { readonly filter: Editable<FilterInput> } | { readonly reason: string };

export const DOES_NOTHING = "does nothing in Gmail; its label was perhaps deleted";

/** Reads an entry as a filter that, written again, means the same. */
function readFilterEntry(given: FeedEntry): Read {
  const properties: Properties = given.properties;
  const { key, problem } = readMeaning(given);
  if (problem !== undefined) return { reason: problem };
  const actions = parseActions(properties);
  if ("reason" in actions) return actions;
  if (Object.keys(actions.fields).length === 0) return { reason: DOES_NOTHING };
  const name = cutToName(given.comment);
  const others = { ...(name && { name }), ...actions.fields };
  const read = readConditions(properties, key, others);
  if ("filter" in read) return read;
  const tidy = readConditions(tidied(properties), key, others);
  return "filter" in tidy ? tidy : read;
}

/** @param key of the entry; a filter counts only if it has the same key. */
function readConditions(properties: Properties, key: string, others: object): Read {
  const { conditions, origins } = parseConditions(properties);
  if (Object.keys(conditions).length === 0) return { reason: "has no condition" };
  const written = writeFilter({ ...others, ...conditions }, origins);
  if ("reason" in written) return written;
  return filterKey(written.criteria, written.actions) === key
    ? { filter: written.filter }
    : { reason: "cannot be expressed in this tool's input without a change of meaning" };
}

/** Reads a filter that this tool has split, as its comments show: `Name (1 of 3)`. */
function readSplitFilter(
  entries: readonly FeedEntry[],
  start: number,
): { readonly filter: Editable<FilterInput>; readonly entries: number } | undefined {
  const [, name = "", count = ""] =
    /^ (.*) \(1 of (\d+)\) $/.exec(entries[start]?.comment ?? "") ?? [];
  const parts = entries.slice(start, start + Number(count));
  const isWhole =
    parts.length > 1 &&
    parts.length === Number(count) &&
    parts.every(({ comment }, index) => comment === ` ${name} (${index + 1} of ${count}) `);
  if (!isWhole) return undefined;

  const read = parts.map(({ properties }) => ({
    properties,
    ...parseConditions(properties).conditions,
  }));
  const [first] = read;
  const actions = first && parseActions(first.properties);
  if (!first || !actions || "reason" in actions) return undefined;
  const { properties: _, ...rest } = first;
  const written = writeFilter({ name, ...rest, ...joinLists(read), ...actions.fields });
  const isSame =
    "filter" in written &&
    written.entries.length === parts.length &&
    written.entries.every((entry, index) => isEqual(entry, parts[index]?.properties ?? {}));
  return isSame ? { filter: written.filter, entries: parts.length } : undefined;
}

/** The lists of all parts joined, without repeats. */
function joinLists(parts: readonly FilterInput[]): Pick<FilterInput, "from" | "to" | "subject"> {
  const all = (field: "from" | "to" | "subject") => [
    ...new Set(parts.flatMap((part) => part[field] ?? [])),
  ];
  const [from, to, subject] = [all("from"), all("to"), all("subject")];
  return {
    ...(from.length > 0 && { from: packItems(from) }),
    ...(to.length > 0 && { to: packItems(to) }),
    ...(subject.length > 0 && { subject }),
  };
}

const isEqual = (a: Properties, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);
