import type { Editable, Warning } from "../../schemas/index.ts";
import { type FilterInput, GMAIL_LIMITS, MAX_MAIL_MB } from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import { plural } from "../text.ts";
import type { Properties } from "./conditions.ts";
import { criteriaSearch } from "./conditions.ts";
import { warnAboutConflicts } from "./conflicts.ts";
import { quotedTitle } from "./explain.ts";
import {
  BYTES,
  cutToName,
  type LeftOut,
  propertySearch,
  readMeaning,
  writeFilter,
} from "./export-entry.ts";
import { type FeedEntry, readFeed } from "./export-feed.ts";
import { leftOut } from "./export-findings.ts";
import { ACTIONS, type Conditions, LIST_FIELDS, SEARCH_CONDITIONS } from "./fields.ts";
import { filterIndex, filterKey, readFilters } from "./filter.ts";
import { type FilterFindings, filterFindings } from "./findings.ts";
import { BYTES_PER_MB } from "./gmail.ts";
import { readCriteria } from "./terms/criteria.ts";
import { collapseSpaces, isSearchable, parseExpression, splitAlternatives } from "./terms/read.ts";
import { ONE_WORD, searchKey } from "./terms/search.ts";
import { hasOnlyWords } from "./terms/words.ts";
import { mostHarmfulFirst, warnAboutAll } from "./warnings.ts";

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

interface ReadEntries extends ExistingMailFilters {
  /** The entries that each filter was read from: several for one that this tool has split. */
  readonly entries: readonly (readonly Properties[])[];
}

/** Reads the entries of a file as filters. */
export function readEntries(feed: readonly FeedEntry[]): ReadEntries {
  const filters: Editable<FilterInput>[] = [];
  const left_out: LeftOut[] = [];
  const entries: Properties[][] = [];
  for (let index = 0, count = 1; index < feed.length; index += count) {
    const parts = splitParts(feed, index);
    const joined = parts && readSplitFilter(parts);
    const read = joined ?? readFilterEntry(feed[index]);
    const own = feed.slice(index, index + (joined ? parts.length : 1));
    count = own.length;
    const properties = own.map((entry) => entry.properties);
    if ("filter" in read) {
      filters.push(read.filter);
      entries.push(properties);
    } else left_out.push({ entry: index, properties: properties[0] ?? {}, ...read });
  }
  return { filters, entries, left_out, warnings: collectWarnings(filters) };
}

/**
 * The findings about any number of filters of an export, each once for all filters that it is about: by
 * the name of the first, since nobody can look up an index in a mailFilters.xml.
 */
function collectWarnings(filters: readonly FilterInput[]): readonly Warning[] {
  const findings: FilterFindings = new Findings(filterFindings);
  const read = readFilters(filters, findings);
  warnAboutConflicts(read, findings);
  warnAboutAll(read, findings);
  const found = mostHarmfulFirst(findings.warnings).filter(({ code }) => !PROVEN.has(code));
  // Notes of one kind differ in the text that they are about.
  const same = groupBy(found, ({ code, severity, message }) =>
    severity === "info" ? code : `${code} ${message}`,
  );
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const filter = read[filterIndex(first.path) ?? -1];
    const name = filter && quotedTitle(filter);
    const isNamed = name === undefined || first.message.startsWith(name);
    const more = others.length > 0 && `likewise in ${plural(others.length, "more filter")}`;
    const notes = [isNamed ? false : `in ${name}`, more].filter(Boolean).join("; ");
    return { ...first, message: notes === "" ? first.message : `${first.message} (${notes})` };
  });
}

/** Codes of findings that an export disproves, as `forward-unverified`, or that come too late, as `broad-delete`. */
const PROVEN: ReadonlySet<string> = new Set([
  "broad-delete",
  "forward-unverified",
  "read-as",
  "all-words-required",
]);

/** A filter, or the reason why an entry is left out, which names properties as the export does. */
type Read = { readonly filter: Editable<FilterInput> } | { readonly reason: string };

/** Reads an entry as a filter that, written again, means the same. */
function readFilterEntry(given: FeedEntry = { comment: "", properties: {}, repeated: [] }): Read {
  const properties: Properties = given.properties;
  const { key, problem } = readMeaning(given);
  if (problem !== undefined) return { reason: problem };
  const actions = parseActions(properties);
  if ("reason" in actions) return actions;
  if (Object.keys(actions.fields).length === 0) return { reason: leftOut.idle() };
  const name = DECORATION.test(given.comment) ? "" : cutToName(given.comment);
  const others = { ...(name && { name }), ...actions.fields };
  const read = readConditions(properties, key, others);
  if ("filter" in read) return read;
  const tidy = readConditions(tidied(properties), key, others);
  return "filter" in tidy ? tidy : read;
}

/** A line of signs, as people part the filters of a file with. */
const DECORATION = /^(?!.*[\p{L}\p{N}]).*([!-/:-@[-`{-~])\1\1/su;

/** @param key of the entry; a filter counts only if it has the same key. */
function readConditions(properties: Properties, key: string, others: object): Read {
  const { conditions, origins } = parseConditions(properties);
  if (Object.keys(conditions).length === 0) return { reason: leftOut.unconditional() };
  const written = writeFilter({ ...others, ...conditions }, origins);
  if ("reason" in written) return written;
  return filterKey(written.criteria, written.actions) === key
    ? { filter: written.filter }
    : { reason: leftOut.changed() };
}

/**
 * The properties, rewritten so that lists of an input can express them: words with curly quotes are put
 * into straight ones, which keep them a text, and lone commas are left out. The meaning is the same.
 */
const tidied = (properties: Properties): Properties => ({
  ...properties,
  ...Object.fromEntries(
    SEARCH_CONDITIONS.flatMap(({ property: name }) => {
      const value = properties[name];
      return value === undefined ? [] : [[name, tidiedSearch(value)]];
    }),
  ),
});

const tidiedSearch = (search: string): string =>
  search.replace(
    /"[^"]*"|([^\s"(){}|:-][^\s"(){}|:]*)/g,
    (written: string, word: string | undefined) => {
      if (word === undefined) return written;
      if (/^[,;]+$/.test(word)) return "";
      return /[“”„‟]/.test(word) ? `"${word}"` : word;
    },
  );

/** The entries of a filter that this tool has split, as their comments show: `Name (1 of 3)`. */
function splitParts(feed: readonly FeedEntry[], start: number): readonly FeedEntry[] | undefined {
  const [, name, count = ""] = /^ (.*) \(1 of (\d+)\) $/.exec(feed[start]?.comment ?? "") ?? [];
  const parts = feed.slice(start, start + Number(count));
  const isWhole =
    parts.length > 1 &&
    parts.length === Number(count) &&
    parts.every(({ comment }, index) => comment === ` ${name} (${index + 1} of ${count}) `);
  return isWhole ? parts : undefined;
}

/** Reads a filter that was split; undefined if it would not be written as these entries again. */
function readSplitFilter(parts: readonly FeedEntry[]): Read | undefined {
  const [first] = parts;
  const actions = first && parseActions(first.properties);
  if (!actions || "reason" in actions) return undefined;
  const lists = parts.map(({ properties }) => parseConditions(properties).conditions);
  const joined = LIST_FIELDS.flatMap((field) => {
    const items = [...new Set(lists.flatMap((list) => list[field] ?? []))];
    return items.length > 0 ? [[field, field === "subject" ? items : packItems(items)]] : [];
  });
  const name = first.comment.replace(/ \(1 of \d+\) $/, "").slice(1);
  const words = lists[0]?.has_words?.map((item, index) => {
    const items = new Set(lists.map(({ has_words = [] }) => has_words[index] ?? item));
    return items.size === 1 ? item : [...items].map(withoutBrackets).join(" OR ");
  });
  const written = writeFilter({
    name,
    ...lists[0],
    ...(words && { has_words: words }),
    ...Object.fromEntries(joined),
    ...actions.fields,
  });
  const isSame =
    "filter" in written &&
    written.entries.length === parts.length &&
    written.entries.every((entry, index) => isEqual(entry, parts[index]?.properties ?? {}));
  return isSame ? { filter: written.filter } : undefined;
}

const isEqual = (a: Properties, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);

interface EntryConditions {
  readonly conditions: Conditions;
  /** The properties that the first items of `has_words` come from; the others are of `hasTheWord`. */
  readonly origins: readonly string[];
}

/**
 * The conditions of an entry as fields of the input. A value that no list can express goes to
 * has_words: `from:(Jo Boss)` asks for both words, `from: ["Jo Boss"]` for the phrase.
 */
function parseConditions(properties: Properties): EntryConditions {
  const lists: { -readonly [Field in keyof Conditions]: Conditions[Field] } = {};
  const expressions: string[] = [];
  const origins: string[] = [];
  for (const { property: name, field } of SEARCH_CONDITIONS) {
    if (field === "has_words") continue;
    const value = collapseSpaces(properties[name] ?? "");
    if (value === "") continue;
    const isExcluded = field === "does_not_have";
    const items = isExcluded ? parseExclusions(value) : splitAlternatives(value);
    if (isSame(name, { [field]: items }, value)) lists[field] = packItems(items);
    else {
      const group = isExcluded ? `{${value}}` : `(${value})`;
      const whole = (isExcluded ? "-" : `${name}:`) + (isBracketed(value) ? value : group);
      // Alternatives that are too long for one entry can be split.
      const isSplit = whole.length > GMAIL_LIMITS.itemLength && !isExcluded && items.length > 1;
      expressions.push(isSplit ? items.map((item) => `${name}:(${item})`).join(" OR ") : whole);
      origins.push(name);
    }
  }
  const { words, ...sizes } = sizeFields(properties);
  const has_words = [...expressions, ...parseWords(words)];
  const conditions = {
    ...lists,
    ...(has_words.length > 0 && { has_words }),
    ...(properties.hasAttachment && { has_attachment: true }),
    ...sizes,
  };
  return { conditions, origins };
}

const withoutBrackets = (value: string): string =>
  isBracketed(value) ? value.slice(1, -1) : value;

/** True when one pair of brackets encloses the whole text. */
function isBracketed(value: string): boolean {
  if (!/^[({]/.test(value)) return false;
  const parsed = parseExpression(value);
  return "expression" in parsed && parsed.expression.terms.length === 1;
}

/** True when the list, as this tool reads it, has the meaning of the property. */
function isSame(
  name: "from" | "to" | "subject" | "doesNotHaveTheWord",
  filter: FilterInput,
  value: string,
): boolean {
  const findings: FilterFindings = new Findings(filterFindings);
  const criteria = readCriteria(filter, findings);
  const parsed = parseExpression(value);
  return (
    "expression" in parsed &&
    searchKey(criteriaSearch(criteria)) === searchKey(propertySearch(name, parsed.expression))
  );
}

/** The words, phrases and operators that keep a mail out; any one of them is enough. */
function parseExclusions(value: string): readonly string[] {
  const group = `{${value}}`;
  const items = splitAlternatives(group);
  return items[0] === group ? [value] : items;
}

/** Plain words one by one, as an item of several words is a phrase; any other text as it is. */
function parseWords(words: string): string[] {
  if (words === "") return [];
  const parsed = parseExpression(words);
  if ("problem" in parsed || !hasOnlyWords(parsed.expression)) return [words];
  const items = words.split(" ");
  const areWords =
    items.every((item) => ONE_WORD.test(item) && isSearchable(item)) &&
    new Set(items).size === items.length;
  // Brackets make an expression of a text that would be read as a phrase.
  return areWords ? items : [`(${words})`];
}

/** The sizes of an entry, which holds one: this tool writes a second one at the end of the words. */
function sizeFields(
  properties: Properties,
): Pick<Conditions, "larger_than_mb" | "smaller_than_mb"> & { readonly words: string } {
  const { size, sizeOperator, sizeUnit = "s_smb" } = properties;
  const words = collapseSpaces(properties.hasTheWord ?? "");
  if (size === undefined) return { words };
  const bytes = Number(size) * (BYTES[sizeUnit] ?? Number.NaN);
  const megabytes = sizeUnit === "s_sb" ? bytesAsMegabytes(bytes) : bytes / BYTES_PER_MB;
  const isSmaller = sizeOperator === "s_ss";
  if (!(megabytes > 0 && megabytes <= MAX_MAIL_MB)) {
    const whole = Math.round(megabytes * BYTES_PER_MB);
    return { words: `${words} ${isSmaller ? "smaller" : "larger"}:${whole}`.trim() };
  }
  if (isSmaller) return { words, smaller_than_mb: megabytes };
  const [, before, number, unit] = /^(.* |)smaller:(\d+)(M?)$/.exec(words) ?? [];
  const smaller = unit === "M" ? Number(number) : bytesAsMegabytes(Number(number));
  return before !== undefined && smaller > megabytes && smaller <= MAX_MAIL_MB
    ? { words: before.trim(), larger_than_mb: megabytes, smaller_than_mb: smaller }
    : { words, larger_than_mb: megabytes };
}

/**
 * Megabytes that are written as bytes again, as in the export: a whole number would be written in
 * MB, and one that is 1e-9 less is not.
 */
const bytesAsMegabytes = (bytes: number): number =>
  bytes % BYTES_PER_MB === 0 ? bytes / BYTES_PER_MB - 1e-9 : bytes / BYTES_PER_MB;

/** The actions of an entry as fields of the input, or why they cannot be expressed there. */
function parseActions(
  properties: Properties,
): { readonly fields: object } | { readonly reason: string } {
  const fields: Record<string, string | boolean> = {};
  for (const { field, value = true, property, prefix, names } of ACTIONS) {
    const written = properties[property];
    if (written === undefined) continue;
    if (Object.hasOwn(fields, field)) return { reason: leftOut.opposite(property) };
    const isPrefixed = prefix !== undefined && written.startsWith(prefix);
    const text = prefix === undefined || !isPrefixed ? written : written.slice(prefix.length);
    if (names && !Object.hasOwn(names, text)) return { reason: leftOut.value(field, written) };
    fields[field] = prefix === undefined ? value : text;
  }
  return { fields };
}

/** The items of a list. A list of too many gets items of several terms, joined by OR. */
function packItems(items: readonly string[]): string[] {
  if (items.length <= GMAIL_LIMITS.items) return [...items];
  const packs = [""];
  for (const item of items) {
    const pack = packs.at(-1) ?? "";
    const longer = pack === "" ? item : `${pack} OR ${item}`;
    if (longer.length <= GMAIL_LIMITS.itemLength) packs[packs.length - 1] = longer;
    else packs.push(item);
  }
  return packs;
}
