import type { Warning } from "../../../schemas/index.ts";
import { type FilterInput, mailFilterContract } from "../../../schemas/mail-filter.ts";
import { Diagnostics, InvalidInputError } from "../../issues.ts";
import type { ExistingProduct } from "../../tool.ts";
import { validate } from "../../validate.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { generate } from "../generate.ts";
import type { Properties } from "../write.ts";
import { compareWithFeed, lineOf } from "./compare-mail-filters.ts";
import { actionsOf, conditionsOf } from "./entry.ts";
import { type FeedEntry, readFeed } from "./feed.ts";
import { brokenSearch, meaningOf, oddityOf } from "./meaning.ts";

/** The filters of an existing file. */
export interface ExistingMailFilters {
  /** The input that gives them again, with the limits "gmail". */
  readonly filters: FilterInput[];
  /** The entries that no input can express. */
  readonly left_out: LeftOut[];
  /** Findings about the input. */
  readonly warnings: readonly Warning[];
}

/** An entry of an export that no input can express. */
export interface LeftOut {
  /** Its place among the entries of the file, from 0. */
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
 * mailFilter({ filters }, { limits: "gmail" }).file.content; // the same filters
 */
export const readMailFilters = (xml: string): ExistingMailFilters => readEntries(readFeed(xml));

/** The same for the entries of a file. */
export function readEntries(entries: readonly FeedEntry[]): ExistingMailFilters {
  const filters: FilterInput[] = [];
  const left_out: LeftOut[] = [];
  for (let index = 0; index < entries.length; ) {
    const merged = readSplitFilter(entries, index);
    if (merged) {
      filters.push(merged.filter);
      index += merged.entries;
      continue;
    }
    const entry = entries[index];
    const read = entry && readEntry(entry);
    if (read && "filter" in read) filters.push(read.filter);
    else if (read) left_out.push({ entry: index, properties: entry.properties, ...read });
    index += 1;
  }
  const warnings = filters.length > 0 ? generate({ filters }).warnings : [];
  return { filters, left_out, warnings };
}

/**
 * A `mailFilters.xml` as every tool's existing product. An entry that no input can express is a
 * warning.
 *
 * @throws {InvalidInputError} for a text that is not such a file.
 */
export function readMailFilterProduct(xml: string): ExistingProduct<typeof mailFilterContract> {
  const feed = readFeed(xml);
  const { filters, left_out, warnings } = readEntries(feed);
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  for (const { entry, properties, reason } of left_out) {
    const line = shortened(lineOf(properties));
    diagnostics.at("entry", entry).warn("left-out", `${line} is left out: ${reason}`);
  }
  return {
    inputs: filters.length > 0 ? [{ filters }] : [],
    warnings: [...diagnostics.warnings, ...warnings],
    compare: (input) => compareWithFeed(input, feed),
  };
}

/** The first characters of a search, which may have thousands, identify a filter. */
const shortened = (line: string): string =>
  line.length > LONGEST ? `${[...line].slice(0, LONGEST).join("")}…` : line;

const LONGEST = 120;

type Read = { readonly filter: FilterInput } | { readonly reason: string };

function readEntry(given: FeedEntry): Read {
  const odd = oddityOf(given);
  if (odd !== undefined) return { reason: odd };
  const properties: Properties = given.properties;
  const broken = brokenSearch(properties);
  if (broken !== undefined) return { reason: `has a broken search in ${broken}` };
  const actions = actionsOf(properties);
  if ("reason" in actions) return actions;
  const name = nameOf(given.comment);
  const written = run({ ...(name && { name }), ...conditionsOf(properties), ...actions.fields });
  if ("reason" in written) return written;
  const [entry, ...others] = written.entries;
  if (others.length > 0) {
    return {
      reason: `is too long for one filter of this tool, which would make ${written.entries.length} of it`,
    };
  }
  const meaning = meaningOf(properties);
  return meaning !== undefined && entry && meaningOf(entry) === meaning
    ? { filter: written.filter }
    : { reason: "cannot be expressed in this tool's input without a change of meaning" };
}

/** A name has at most 80 characters. */
const nameOf = (comment: string): string => [...comment.trim()].slice(0, 80).join("").trim();

/** A filter of the input, and the entries that it is written as. */
interface Written {
  readonly filter: FilterInput;
  readonly entries: readonly Properties[];
}

/** Writes one filter, or says why it is rejected. */
function run(filter: unknown): Written | { readonly reason: string } {
  try {
    const input = validate(mailFilterContract.local_input, { filters: [filter] });
    const [valid = {}] = input.filters;
    const [result] = generate(input).filters;
    return {
      filter: valid,
      entries: (result?.entries ?? []).map(({ properties }) => properties),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [issue] = error.issues;
    const path = issue?.path.replace(/^filters\[0\]\.?/, "") ?? "";
    return { reason: `${path === "" ? "" : `${path}: `}${issue?.message ?? "is rejected"}` };
  }
}

/** Reads a filter that this tool has split, as its comments show: `Name (1 of 3)`. */
function readSplitFilter(
  entries: readonly FeedEntry[],
  start: number,
): { readonly filter: FilterInput; readonly entries: number } | undefined {
  const [, name = "", count = ""] =
    /^ (.*) \(1 of (\d+)\) $/.exec(entries[start]?.comment ?? "") ?? [];
  const parts = entries.slice(start, start + Number(count));
  const isWhole =
    parts.length > 1 &&
    parts.length === Number(count) &&
    parts.every(({ comment }, index) => comment === ` ${name} (${index + 1} of ${count}) `);
  if (!isWhole) return undefined;

  const read = parts.map(({ properties }) => ({ properties, ...conditionsOf(properties) }));
  const [first] = read;
  const actions = first && actionsOf(first.properties);
  if (!first || !actions || "reason" in actions) return undefined;
  const { properties: _, ...rest } = first;
  const written = run({ name, ...rest, ...lists(read), ...actions.fields });
  const isSame =
    "entries" in written &&
    written.entries.length === parts.length &&
    written.entries.every((entry, index) => isEqual(entry, parts[index]?.properties ?? {}));
  return isSame ? { filter: written.filter, entries: parts.length } : undefined;
}

/** The lists of all parts, without repeats, in the order of the parts. */
function lists(parts: readonly FilterInput[]): Pick<FilterInput, "from" | "to" | "subject"> {
  const all = (field: "from" | "to" | "subject") => [
    ...new Set(parts.flatMap((part) => part[field] ?? [])),
  ];
  const [from, to, subject] = [all("from"), all("to"), all("subject")];
  return {
    ...(from.length > 0 && { from: packed(from) }),
    ...(to.length > 0 && { to: packed(to) }),
    ...(subject.length > 0 && { subject }),
  };
}

const isEqual = (a: Properties, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);

/** A long list of addresses, with several in an item. */
function packed(items: readonly string[]): string[] {
  if (items.length <= MOST_ITEMS) return [...items];
  const packs = [""];
  for (const item of items) {
    const pack = packs.at(-1) ?? "";
    const longer = pack === "" ? item : `${pack} OR ${item}`;
    if (longer.length <= MOST_CHARACTERS) packs[packs.length - 1] = longer;
    else packs.push(item);
  }
  return packs;
}

const MOST_ITEMS = 500;
const MOST_CHARACTERS = 1400;
