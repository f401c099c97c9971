import {
  extendedMailFilterInput,
  type FilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  mailFilterInput,
  type ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Findings, formatWarnings, type RawResult } from "../findings.ts";
import { validate } from "../issues.ts";
import { hasMoreBytes } from "../text.ts";
import { optionsSchema, type RunOptions, type Tool, type ToolOptions } from "../tool.ts";
import { type FilterFindings, filterFindings } from "./filter-findings.ts";
import { sortByHarm, warnAboutFilters, warnAboutResult } from "./filter-warnings.ts";
import { MAX_FILTERS } from "./gmail.ts";
import { type ParsedFilter, parseFilters } from "./parse-filter.ts";
import type { Criteria } from "./search/criteria.ts";
import {
  entryProperties,
  explain,
  howToImport,
  previewUrl,
  searchString,
  writeXml,
  type XmlEntry,
} from "./write-xml.ts";

/**
 * Turns filters into Gmail search strings and an importable `mailFilters.xml`.
 *
 * @param input 1 to 20 filters, each with a condition and an action; sizes in MB of 1,048,576 bytes.
 * @param options `limits: "extended"` allows as much as Gmail does: 1,000 filters, lists of 500 items,
 * items of 1,400 code points, labels under `[Gmail]/`, and every forwarding address that Gmail
 * accepts.
 * @returns the content of the file, and for each filter its search string, a link that previews it in
 * Gmail, an explanation, and its entries in the file.
 * @throws {InvalidInputError} if the input or the options break their schema, or Gmail cannot express a
 * filter. `issues` explains where and why.
 *
 * @example
 * const { file, filters } = createMailFilters({
 *   filters: [{ from: ["@shop.example"], subject: ["invoice"], label: "Money/Bills" }],
 * });
 * filters[0].search; // from:(@shop.example) subject:(invoice)
 */
export function createMailFilters(
  input: MailFilterInput,
  options: ToolOptions = {},
): MailFilterResult {
  const { limits, ...others } = validate(FilterOptionsSchema, options, ["options"]);
  const schema = limits === "extended" ? extendedMailFilterInput : mailFilterInput;
  return formatWarnings(createResult(validate(schema, input), others).result);
}

const FilterOptionsSchema = optionsSchema({});

export const mailFilterTool = {
  contract: mailFilterContract,
  options: FilterOptionsSchema,
  run: (input, options) => createResult(input, options).result,
} satisfies Tool<typeof mailFilterContract>;

/**
 * @returns the result, and the written filters, so that a comparison with an export need not parse them
 * again.
 * @throws {InvalidInputError} if Gmail cannot express a filter.
 */
export function createResult(
  { filters }: ValidMailFilterInput,
  { resultBytes = Infinity }: RunOptions = {},
) {
  const findings: FilterFindings = new Findings(filterFindings);
  const filtersWithEntries = writeFilters(filters, findings, resultBytes);
  const entries = filtersWithEntries.flatMap((filter) => filter.entries);
  if (entries.length > MAX_FILTERS) {
    findings.at("filters").fail("too-many-filters", { most: MAX_FILTERS });
  }
  const result = toResult(filtersWithEntries, findings);
  // Most results are surely small enough, and counting bytes is slow. An entry has about 700 bytes besides
  // its strings, and a character becomes at most 30 bytes in all places.
  const mayExceed =
    resultBytes !== Infinity && countCharacters(entries) * 50 + 50_000 > resultBytes;
  if (mayExceed && hasMoreBytes(JSON.stringify(result), resultBytes)) {
    rejectLargest(filtersWithEntries, resultBytes);
  }
  return { filtersWithEntries, result };
}

const countCharacters = (entries: FilterWithEntries["entries"]): number =>
  entries
    .flatMap(({ search, comment, properties }) => [search, comment, ...Object.values(properties)])
    .reduce((sum, text) => sum + String(text).length, 0);

function rejectLargest(filtersWithEntries: readonly FilterWithEntries[], bytes: number): never {
  const lengths = filtersWithEntries.map(({ entries }) => countCharacters(entries));
  const index = lengths.indexOf(Math.max(...lengths));
  const findings: FilterFindings = new Findings(filterFindings, ["filters", index]);
  return findings.fail("result-too-large", { bytes });
}

export interface FilterWithEntries extends ParsedFilter {
  readonly entries: readonly (XmlEntry & { readonly search: string; readonly part: Criteria })[];
}

/**
 * @param resultBytes stops when the entries are longer, because a few kilobytes of input can produce
 * megabytes.
 * @throws {InvalidInputError} if Gmail cannot express a filter, or the entries are too long.
 */
export function writeFilters(
  filters: readonly FilterInput[],
  findings: FilterFindings,
  resultBytes = Infinity,
): readonly FilterWithEntries[] {
  const parsed = parseFilters(filters, findings);
  warnAboutFilters(parsed, findings);
  const filtersWithEntries: FilterWithEntries[] = [];
  let left = resultBytes;
  for (const filter of parsed) {
    const { name, parts, search, actions } = filter;
    const entries = parts.map((part, index) => ({
      comment: parts.length === 1 ? name : `${name} (${index + 1} of ${parts.length})`,
      search: parts.length === 1 ? search : searchString(part),
      properties: entryProperties(part, actions),
      part,
    }));
    filtersWithEntries.push({ ...filter, entries });
    left -= countCharacters(entries);
    if (left < 0) rejectLargest(filtersWithEntries, resultBytes);
  }
  return filtersWithEntries;
}

/**
 * @param all filters that Gmail already has, and that need no warnings, have no entries.
 * @param isAddition whether the file adds to filters that stay in Gmail.
 */
export function toResult(
  all: readonly FilterWithEntries[],
  findings: FilterFindings,
  isAddition = false,
): RawResult<MailFilterResult> {
  const filters = all.filter(({ entries }) => entries.length > 0);
  warnAboutResult(filters, findings);
  const warnings = findings.warnings.filter(
    ({ path: [, index] }) => all[Number(index)]?.entries.length !== 0,
  );
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
      entries.length,
      filters.map(({ actions }) => actions),
      isAddition,
    ),
    warnings: sortByHarm(warnings),
  };
}
