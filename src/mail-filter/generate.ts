import type {
  FilterInput,
  MailFilterResult,
  ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Diagnostics, rejection } from "../issues.ts";
import { hasMoreBytes, jsonBytes, thousands } from "../text.ts";
import type { ResultLimit } from "../tool.ts";
import { warnAboutConflicts } from "./conflicts.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import { explain, howToImport } from "./explain.ts";
import { SEARCH_CONDITIONS } from "./fields.ts";
import { mostHarmfulFirst, warnAboutAll } from "./file-warnings.ts";
import { type ParsedFilter, readFilters } from "./filter.ts";
import { filterIndex } from "./further-issues.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { type Criteria, toTexts } from "./terms/criteria.ts";
import { entryProperties, previewUrl, searchString, writeXml, type XmlEntry } from "./write.ts";

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that Gmail cannot express.
 */
export function generate(
  { filters }: ValidMailFilterInput,
  { resultBytes }: ResultLimit = {},
): MailFilterResult {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const written = writeFilters(filters, diagnostics);
  return resultBytes === undefined
    ? toResult(written, diagnostics)
    : toResultWithin(resultBytes, written, diagnostics);
}

/** A filter with all or some of its entries. */
export interface WrittenFilter extends ParsedFilter {
  readonly entries: readonly WrittenEntry[];
}

/** One `<entry>` of the file, as a search and as properties. */
interface WrittenEntry extends XmlEntry {
  readonly search: string;
  readonly part: Criteria;
}

/**
 * Writes valid filters as entries.
 *
 * @throws {InvalidInputError} for a filter that Gmail cannot express.
 */
export function writeFilters(
  filters: readonly FilterInput[],
  diagnostics: FilterDiagnostics,
): readonly WrittenFilter[] {
  const read = readFilters(filters, diagnostics);
  checkFilterCount(read, diagnostics);
  diagnostics.throwIfRejected();

  warnAboutConflicts(read, diagnostics);
  return read.map((filter, index) => ({
    ...filter,
    entries: toEntries(filter, diagnostics.at("filters", index)),
  }));
}

/**
 * The result for the entries that Gmail does not have.
 *
 * @param filters all of them, each with its missing entries alone.
 */
export function toAddition(
  filters: readonly WrittenFilter[],
  diagnostics: FilterDiagnostics,
): MailFilterResult {
  const added = filters.filter(({ entries }) => entries.length > 0);
  const result = toResult(added, diagnostics, true);
  // Filters that are in Gmail already need no advice.
  const warnings = result.warnings.filter(({ path }) => {
    const index = filterIndex(path);
    return index === undefined || filters[index]?.entries.length !== 0;
  });
  return { ...result, warnings };
}

/** @param isAddition whether Gmail keeps the filters that it has, and the file adds to them. */
function toResult(
  filters: readonly WrittenFilter[],
  diagnostics: FilterDiagnostics,
  isAddition = false,
): MailFilterResult {
  warnAboutAll(filters, diagnostics);
  const entries = filters.flatMap((filter) => filter.entries);
  return {
    file: {
      name: "mailFilters.xml",
      media_type: "application/xml",
      content: writeXml(entries),
    },
    filters: filters.map((filter) => ({
      name: filter.name,
      search: filter.search,
      preview_url: previewUrl(filter.search),
      explanation: explain(filter.criteria, filter.actions),
      entries: filter.entries.map(({ search, properties }) => ({ search, properties })),
    })),
    how_to_import: howToImport(
      isAddition ? entries.length : filters.reduce((total, { parts }) => total + parts.length, 0),
      filters.map(({ actions }) => actions),
      isAddition,
    ),
    warnings: mostHarmfulFirst(diagnostics.warnings),
  };
}

function checkFilterCount(filters: readonly ParsedFilter[], diagnostics: FilterDiagnostics): void {
  const count = filters.reduce((total, { parts }) => total + parts.length, 0);
  if (count > MAX_FILTERS) {
    diagnostics
      .at("filters")
      .reject(
        `must be shorter: together they would become ${thousands(count)} filters, and Gmail keeps at most ${thousands(MAX_FILTERS)}`,
      );
  }
}

function toEntries(
  { name, parts, search, actions }: ParsedFilter,
  diagnostics: FilterDiagnostics,
): WrittenEntry[] {
  const entries = parts.map((part, index) => ({
    comment: parts.length === 1 ? name : `${name} (${index + 1} of ${parts.length})`,
    search: parts.length === 1 ? search : searchString(part),
    properties: entryProperties(part, actions),
    part,
  }));
  // Gmail's limit may be in characters or in bytes.
  if (entries.some((entry) => hasMoreBytes(entry.search, MAX_SEARCH_LENGTH))) {
    diagnostics.info(
      "long-in-bytes",
      "is near Gmail's limit when counted in bytes; check after the import that Gmail kept all of it",
    );
  }
  return entries;
}

/** @throws {InvalidInputError} for a result above the limit, which a few kilobytes of input can make. */
function toResultWithin(
  resultBytes: number,
  filters: readonly WrittenFilter[],
  diagnostics: FilterDiagnostics,
): MailFilterResult {
  const lengths = filters.map(({ entries }) =>
    entries.reduce((sum, { search }) => sum + search.length, 0),
  );
  const length = lengths.reduce((sum, filterLength) => sum + filterLength, 0);
  // The result has each search three times: as such, as properties, and in the file.
  if (length * 3 <= resultBytes) {
    const result = toResult(filters, diagnostics);
    if (jsonBytes(result) <= resultBytes) return result;
  }
  const index = lengths.indexOf(Math.max(...lengths));
  const message = `makes a result of more than ${thousands(resultBytes)} bytes; shorten it, or send the filters in several requests`;
  throw rejection(message, "filters", index, ...longestField(filters[index]?.criteria));
}

/** The path of the longest list in a filter's search. */
function longestField(criteria: Criteria | undefined): readonly string[] {
  if (!criteria) return [];
  const [longest] = SEARCH_CONDITIONS.map(({ field, criterion }) => ({
    field,
    length: toTexts(criteria[criterion]).join().length,
  })).sort((a, b) => b.length - a.length);
  return longest && longest.length > 0 ? [longest.field] : [];
}
