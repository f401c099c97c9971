import type { Editable, Warning } from "../../schemas/index.ts";
import { type FilterInput, GMAIL_LIMITS } from "../../schemas/mail-filter.ts";
import { type Finding, Findings, formatWarnings, type RawResult } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import { formatCount } from "../text.ts";
import { criteriaSearch, type Properties } from "./conditions.ts";
import { ACTIONS, type Conditions, SEARCH_CONDITIONS } from "./filter-fields.ts";
import { type FilterFindings, filterFindings } from "./filter-findings.ts";
import { sortByHarm, warnAboutFilters, warnAboutResult } from "./filter-warnings.ts";
import { BYTES_PER_MB } from "./gmail.ts";
import {
  findUnsupportedPart,
  formatEntry,
  parseSizeAndAttachment,
  propertySearch,
  readSearch,
  SKIP_REASONS,
  type SkippedEntry,
  truncateName,
  tryWriteFilter,
} from "./gmail-entry.ts";
import { type ExportedEntry, parseExportXml } from "./parse-export-xml.ts";
import { abbreviate, filterKey, parseFilters, propertiesKey, quoteTitle } from "./parse-filter.ts";
import { parseCriteria } from "./search/criteria.ts";
import { hasOnlyWords } from "./search/has-words.ts";
import {
  collapseSpaces,
  isSearchable,
  parseExpression,
  splitAlternatives,
} from "./search/parse-search.ts";
import { ONE_WORD, searchKey } from "./search/search-tree.ts";

/** The result of `parseMailFilters()`. */
export interface ParsedMailFilters {
  /** An input that writes the same filters, with the extended limits. */
  readonly filters: Editable<FilterInput>[];
  /** Entries that the input cannot express. */
  readonly left_out: SkippedEntry[];
  /** Findings about `filters`. */
  readonly warnings: readonly Warning[];
}

/**
 * Parses a `mailFilters.xml` from Gmail or from this tool.
 *
 * Writing the filters again gives entries with the same meaning. All other entries are in `left_out`,
 * with the reason.
 *
 * @param xml the content of the file, up to 10,000 entries.
 * @throws {InvalidInputError} if it is not such a file.
 *
 * @example
 * const { filters, left_out } = parseMailFilters(xml);
 * createMailFilters({ filters }, { limits: "extended" }).file.content; // the same filters
 */
export function parseMailFilters(xml: string): ParsedMailFilters {
  const { filters, left_out } = parseEntries(xml);
  return formatWarnings({ filters, left_out, warnings: collectWarnings(filters) });
}

export interface GmailExport extends RawResult<ParsedMailFilters> {
  /** The entries of `filters`, in the same order. */
  readonly entries: readonly ParsedEntry[];
}

/**
 * Parses a `mailFilters.xml` and names its filters. Warnings about skipped entries come first.
 *
 * @throws {InvalidInputError} if it is not such a file.
 */
export function parseExport(xml: string): GmailExport {
  const parsedExport = parseEntries(xml);
  const filters = parsedExport.filters.map(withName);
  const findings: FilterFindings = new Findings(filterFindings);
  for (const { entry, properties, reason } of parsedExport.left_out) {
    const line = abbreviate(formatEntry(properties));
    findings.at("entry", entry).add("left-out", { line, reason });
  }
  return {
    ...parsedExport,
    filters,
    warnings: [...findings.warnings, ...collectWarnings(filters)],
  };
}

/** Exports have no names, so the label or the first condition becomes one. */
function withName({ name, ...filter }: Editable<FilterInput>): Editable<FilterInput> {
  const { label, from = [], to = [], subject = [], has_words = [] } = filter;
  const [first] = [...from, ...to, ...subject, ...has_words];
  const words = truncateName(name ?? label ?? first ?? "");
  return words === "" ? filter : { name: words, ...filter };
}

interface ParsedEntry {
  readonly properties: Properties;
  /** Entries and filters with the same key match the same messages and do the same. */
  readonly key: string;
}

export function parseEntries(xml: string) {
  const filters: Editable<FilterInput>[] = [];
  const left_out: SkippedEntry[] = [];
  const entries: ParsedEntry[] = [];
  for (const [index, entry] of parseExportXml(xml).entries()) {
    const { properties } = entry;
    const parsedEntry = parseFilterEntry(entry);
    if ("filter" in parsedEntry) {
      filters.push(parsedEntry.filter);
      entries.push({ properties, key: parsedEntry.key });
    } else left_out.push({ entry: index, properties, reason: parsedEntry.reason });
  }
  return { filters, entries, left_out };
}

/**
 * Warns about the filters of an export. Each warning appears once and names its first filter, because
 * the user cannot look up an index in a mailFilters.xml.
 */
function collectWarnings(filters: readonly FilterInput[]): readonly Finding[] {
  const findings: FilterFindings = new Findings(filterFindings);
  const parsedFilters = parseFilters(filters, findings);
  warnAboutFilters(parsedFilters, findings);
  warnAboutResult(parsedFilters, findings);
  const found = sortByHarm(findings.warnings).filter(
    ({ code, severity }) =>
      !WARNINGS_NOT_FOR_EXPORTS.has(code) && !(code === ALL_WORDS_REQUIRED && severity === "info"),
  );
  // Infos with the same code differ only in the quoted value.
  const same = groupBy(found, ({ code, severity, message }) =>
    severity === "info" ? code : `${code} ${message}`,
  );
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { code, path } = first;
    // That message begins with the filter's name.
    const filter = code === "duplicate-filter" ? undefined : parsedFilters[Number(path[1])];
    const more = others.length > 0 && `likewise in ${formatCount(others.length, "more filter")}`;
    const notes = [filter && `in ${quoteTitle(filter)}`, more].filter(Boolean).join("; ");
    return { ...first, message: notes === "" ? first.message : `${first.message} (${notes})` };
  });
}

/** An export proves that an address is verified, and a warning about its deletions comes too late. */
const WARNINGS_NOT_FOR_EXPORTS: ReadonlySet<string> = new Set([
  ...["broad-delete", "forward-unverified", "read-as"],
]);

const ALL_WORDS_REQUIRED = "all-words-required";

/**
 * Turns an entry into a filter, or explains why it is skipped. The filter is written again and compared,
 * so that a wrong reading can never change what Gmail does:
 *
 *     entry ─ readSearch ──────────────────────────────► search ─┐
 *       └──── parseConditions, parseActions ─► filter            ├─ same key? ─► filter
 *                                                └─ tryWriteFilter ► criteria ─┘
 */
function parseFilterEntry(entry: ExportedEntry) {
  const { properties }: { readonly properties: Properties } = entry;
  const unsupported = findUnsupportedPart(entry);
  if (unsupported !== undefined) return { reason: unsupported };
  const searchOrReason = readSearch(properties);
  if ("reason" in searchOrReason) return searchOrReason;
  const actions = parseActions(properties);
  if ("reason" in actions) return actions;
  if (Object.keys(actions.fields).length === 0) return { reason: SKIP_REASONS.noOp() };
  const conditions = parseConditions(properties);
  if (Object.keys(conditions).length === 0) return { reason: SKIP_REASONS.unconditional() };
  const name = isDecoration(entry.comment.trim()) ? "" : truncateName(entry.comment);
  const rewritten = tryWriteFilter({ ...(name && { name }), ...actions.fields, ...conditions });
  if ("reason" in rewritten) return rewritten;
  const key = filterKey(rewritten.criteria, rewritten.actions);
  const originalActions = propertiesKey(({ property }) => properties[property] ?? "");
  return key === `${searchKey(searchOrReason.search)}\n${originalActions}`
    ? { filter: rewritten.filter, key }
    : { reason: SKIP_REASONS.changed() };
}

/** Whether a comment is not a name: our own `Filter 1`, or only punctuation. */
const isDecoration = (comment: string): boolean =>
  /^Filter \d+$/.test(comment) || !/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]|^\p{RGI_Emoji}$/v.test(comment);

/**
 * Converts the conditions of an entry. A value that a list cannot express goes to `has_words`:
 * `from:(Jo Boss)` requires both words, but `from: ["Jo Boss"]` is the phrase.
 */
function parseConditions(properties: Properties): Conditions {
  const conditions: Editable<Conditions> = {};
  const words: string[] = [];
  for (const { property, field } of SEARCH_CONDITIONS) {
    const value = quoteCurlyText(properties[property] ?? "");
    if (value === "") continue;
    if (field === "has_words") {
      words.push(...parseWords(value));
      continue;
    }
    const isExcluded = field === "does_not_have";
    const items = isExcluded ? parseExclusions(value) : splitAlternatives(value);
    if (listMatchesProperty(property, { [field]: items }, value)) {
      conditions[field] = [...items];
      continue;
    }
    const group = isExcluded ? `{${value}}` : `(${value})`;
    const whole = (isExcluded ? "-" : `${property}:`) + (isBracketed(value) ? value : group);
    // An OR that is too long for one entry can be split.
    const isSplit = whole.length > GMAIL_LIMITS.itemLength && !isExcluded && items.length > 1;
    words.push(isSplit ? items.map((item) => `${property}:(${item})`).join(" OR ") : whole);
  }
  if (words.length > 0) conditions.has_words = words;
  for (const { operator, text } of parseSizeAndAttachment(properties)) {
    const megabytes = Number(text) / BYTES_PER_MB;
    if (operator === "has") conditions.has_attachment = true;
    if (operator === "larger") conditions.larger_than_mb = megabytes;
    if (operator === "smaller") conditions.smaller_than_mb = megabytes;
  }
  return conditions;
}

/**
 * Rewrites a search so that the input can express it, without changing its meaning: puts words with
 * curly quotes in straight quotes, and removes lone commas.
 */
const quoteCurlyText = (search: string): string =>
  collapseSpaces(
    search.replace(
      /"[^"]*"|([^\s"(){}|:-][^\s"(){}|:]*)/g,
      (written: string, word: string | undefined) => {
        if (word === undefined) return written;
        if (/^[,;]+$/.test(word)) return "";
        return /[“”„‟]/.test(word) ? `"${word}"` : word;
      },
    ),
  );

/** Whether one pair of brackets encloses the whole value. */
function isBracketed(value: string): boolean {
  if (!/^[({]/.test(value)) return false;
  const parsed = parseExpression(value);
  return "expression" in parsed && parsed.expression.terms.length === 1;
}

function listMatchesProperty(
  name: "from" | "to" | "subject" | "doesNotHaveTheWord",
  filter: FilterInput,
  value: string,
): boolean {
  const findings: FilterFindings = new Findings(filterFindings);
  const criteria = parseCriteria(filter, findings);
  const parsed = parseExpression(value);
  return (
    "expression" in parsed &&
    searchKey(criteriaSearch(criteria)) === searchKey(propertySearch(name, parsed.expression))
  );
}

function parseExclusions(value: string): readonly string[] {
  const group = `{${value}}`;
  const items = splitAlternatives(group);
  return items[0] === group ? [value] : items;
}

/** Splits plain words, because an item of several words would be a phrase. */
function parseWords(words: string): readonly string[] {
  const parsed = parseExpression(words);
  if ("problem" in parsed || !hasOnlyWords(parsed.expression)) return [words];
  const items = words.split(" ");
  const areWords =
    items.every((item) => ONE_WORD.test(item) && isSearchable(item)) &&
    new Set(items).size === items.length;
  // Without brackets, it would be read as a phrase.
  return areWords ? items : [`(${words})`];
}

function parseActions(
  properties: Properties,
): { readonly fields: object } | { readonly reason: string } {
  const fields: Record<string, string | boolean> = {};
  for (const { field, value = true, property, prefix, names } of ACTIONS) {
    const raw = properties[property];
    if (raw === undefined) continue;
    if (Object.hasOwn(fields, field)) return { reason: SKIP_REASONS.opposite(property) };
    const text = raw.slice(prefix && raw.startsWith(prefix) ? prefix.length : 0);
    if (names && !Object.hasOwn(names, text)) return { reason: SKIP_REASONS.value(field, raw) };
    fields[field] = prefix === undefined ? value : text;
  }
  return { fields };
}
