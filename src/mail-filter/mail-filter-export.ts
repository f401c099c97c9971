import type { Editable, Warning } from "../../schemas/index.ts";
import type { FilterInput, ValidMailFilterInput } from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { compareWith, type MailFilterComparison } from "./compare.ts";
import { abbreviate } from "./explain.ts";
import { readEntries } from "./export.ts";
import { cutToName, entryLine, type LeftOut, writeFilter } from "./export-entry.ts";
import { readFeed } from "./export-feed.ts";
import { leftOut } from "./export-findings.ts";
import { validFilters } from "./filter.ts";
import { type FilterFindings, filterFindings } from "./findings.ts";
import { type MailFilterMerge, mergeValidFilters } from "./merge.ts";
import { type BeforeMerge, mergeReport } from "./merge-report.ts";

/** Filters after a merge. */
export interface MergeResult {
  /** The filters as an input; for a merge of an export only the new ones. */
  readonly input: { readonly filters: readonly FilterInput[] };
  /** The whole outcome, for programs. */
  readonly result: MailFilterMerge;
  /** The merged filters and the steps to take, one a line. */
  readonly report: readonly string[];
  readonly isEmpty: boolean;
}

/** The filters of a `mailFilters.xml`, each with a name. */
export interface GmailExport {
  /** The number of entries in the file. */
  readonly size: number;
  readonly filters: Editable<FilterInput>[];
  /** The filters as other formats are read: one input, or none where there are no filters. */
  readonly inputs: readonly { readonly filters: readonly FilterInput[] }[];
  /** The number of entries that each filter was read from. */
  readonly counts: readonly number[];
  readonly left_out: readonly LeftOut[];
  /** Those of `left_out` that do nothing in Gmail. */
  readonly idle: readonly LeftOut[];
  /** Findings about the filters, after those about each entry that no input can express. */
  readonly warnings: readonly Warning[];
  /** Merges the filters; the result has the new ones only, since Gmail has the others. */
  readonly merge: () => MergeResult;
  /** Compares an input with the file. */
  readonly compare: (input: ValidMailFilterInput) => MailFilterComparison;
}

/**
 * Reads a `mailFilters.xml`.
 *
 * @throws {InvalidInputError} for a text that is not such a file.
 */
export function readExport(xml: string): GmailExport {
  const feed = readFeed(xml);
  const { entries, left_out, warnings, ...read } = readEntries(feed);
  const filters = read.filters.map(withName);
  const counts = entries.map(({ length }) => length);
  const findings: FilterFindings = new Findings(filterFindings);
  for (const { entry, properties, reason } of left_out) {
    const line = abbreviate(entryLine(properties));
    findings.at("entry", entry).add("left-out", { line, reason });
  }
  return {
    size: feed.length,
    filters,
    inputs: filters.length > 0 ? [{ filters }] : [],
    counts,
    left_out,
    idle: left_out.filter(({ reason }) => reason === leftOut.idle()),
    warnings: [...findings.warnings, ...warnings],
    merge: () => {
      const result = mergeValidFilters(filters, left_out, counts);
      const added = result.merged.flatMap(({ into }) => result.filters[into] ?? []);
      return { input: { filters: added }, ...withReport(result, { entries, left_out }) };
    },
    compare: compareWith(feed, left_out),
  };
}

/** A filter of a Gmail export has no name, so its label or first condition becomes one. */
function withName({ name, ...filter }: Editable<FilterInput>): Editable<FilterInput> {
  const { label, from = [], to = [], subject = [], has_words = [] } = filter;
  const [first] = [...from, ...to, ...subject, ...has_words];
  const words = cutToName(name ?? label ?? first ?? "");
  return words === "" ? filter : { name: words, ...filter };
}

/**
 * Merges the filters of an input.
 *
 * @throws {InvalidInputError} when a filter breaks the schema or Gmail cannot express it.
 */
export function mergeInput(input: unknown): MergeResult {
  const filters = validFilters(input);
  const result = mergeValidFilters(filters, []);
  const entries = filters.map((filter) => {
    const written = writeFilter(filter);
    return "reason" in written ? [] : written.entries;
  });
  return { input: { filters: result.filters }, ...withReport(result, { entries, left_out: [] }) };
}

const withReport = (result: MailFilterMerge, before: BeforeMerge) => ({
  result,
  report: mergeReport(result, before),
  isEmpty: result.merged.length === 0,
});
