import type {
  FilterInput,
  MailFilterResult,
  ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Diagnostics } from "../issues.ts";
import { hasMoreBytes, thousands } from "../text.ts";
import type { Limits } from "../tool.ts";
import { warnAboutConflicts } from "./conflicts.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import { explain, howToImport } from "./explain.ts";
import {
  type Actions,
  type Criteria,
  type ReadFilter,
  readActions,
  readCriteria,
  requireConditionAndAction,
} from "./filter.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { requireResultWithin } from "./result-size.ts";
import { entryProperties, type Properties, previewUrl, searchString } from "./search.ts";
import { split } from "./split.ts";
import { normaliseName } from "./terms/normalise.ts";
import { warnAboutFilter } from "./warnings.ts";
import { writeXml, type XmlEntry } from "./xml.ts";

export interface GenerateOptions extends Partial<Limits> {
  /** Entries that need not be written, as they are in Gmail already. */
  readonly isThere?: (properties: Properties) => boolean;
}

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that has no honest translation.
 */
export function generate(
  { filters }: ValidMailFilterInput,
  { resultBytes, isThere }: GenerateOptions = {},
): MailFilterResult {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const read = filters.map((filter, index) =>
    readFilter(filter, index, diagnostics.at("filters", index)),
  );
  refuseTooMany(read, diagnostics);
  diagnostics.throwIfRejected();

  warnAboutConflicts(read, diagnostics);
  if (resultBytes !== undefined) {
    const frame = () => toResult(read.map(withoutEntries), diagnostics);
    requireResultWithin({ resultBytes }, read, diagnostics.warnings, frame);
  }
  const written = read.map((filter, index) => ({
    ...filter,
    entries: toEntries(filter, diagnostics.at("filters", index)),
  }));
  if (!isThere) return toResult(written, diagnostics);
  const missing = written
    .map((filter) => ({
      ...filter,
      entries: filter.entries.filter(({ properties }) => !isThere(properties)),
    }))
    .filter(({ entries }) => entries.length > 0);
  return toResult(missing, diagnostics, true);
}

/** A filter with the entries that it is written as, all or some. */
interface WrittenFilter extends ReadFilter {
  readonly entries: readonly Entry[];
}

const withoutEntries = (filter: ReadFilter): WrittenFilter => ({ ...filter, entries: [] });

/** @param isAddition whether the file is imported beside filters that are in Gmail. */
function toResult(
  filters: readonly WrittenFilter[],
  diagnostics: FilterDiagnostics,
  isAddition = false,
): MailFilterResult {
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
      isAddition ? entries.length : filters.reduce((total, { chunks }) => total + chunks.length, 0),
      filters.map(({ actions }) => actions),
      isAddition,
    ),
    warnings: [...diagnostics.warnings],
  };
}

/**
 * Reads one filter; what has no honest translation is refused through `diagnostics`.
 *
 * @param isComplete false when fields are missing because they were refused before.
 */
export function readFilter(
  filter: FilterInput,
  index: number,
  diagnostics: FilterDiagnostics,
  isComplete = true,
): ReadFilter {
  if (isComplete) requireConditionAndAction(filter, diagnostics);
  const name = normaliseName(filter.name ?? "", diagnostics.at("name"));
  const criteria = readCriteria(filter, diagnostics);
  const actions = readActions(filter, diagnostics);
  warnAboutFilter(criteria, actions, diagnostics);
  const search = searchString(criteria);
  const chunks = splitOrRefuse(criteria, search, diagnostics);
  if (chunks.length > 1) warnAboutSplit(chunks.length, actions, diagnostics);
  return { name: name || `Filter ${index + 1}`, criteria, search, actions, chunks };
}

function splitOrRefuse(
  criteria: Criteria,
  search: string,
  diagnostics: FilterDiagnostics,
): readonly Criteria[] {
  const chunks = split(criteria, search.length);
  if (chunks === "too-many") {
    diagnostics.reject(
      `must be shorter: it would become more than ${thousands(MAX_FILTERS)} filters, and Gmail keeps no more`,
    );
    return [];
  }
  if (chunks === "too-long") {
    const words = criteria.words.map(({ text }) => text).join(" ");
    const exclusions = criteria.exclusions.join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    diagnostics
      .at(field)
      .reject(
        `must be shorter: a Gmail filter holds ${thousands(MAX_SEARCH_LENGTH)} characters, and only from, to and subject can be split over several`,
      );
    return [];
  }
  return chunks;
}

function warnAboutSplit(count: number, actions: Actions, diagnostics: FilterDiagnostics): void {
  diagnostics.info(
    "split",
    `was too long for one filter and became ${count}, which together match the same mail`,
  );
  if (actions.forwardTo) {
    diagnostics
      .at("forward_to")
      .warn(
        "forward-split",
        "may get a mail twice that matches two of the filters this one became",
      );
  }
}

function refuseTooMany(filters: readonly ReadFilter[], diagnostics: FilterDiagnostics): void {
  const count = filters.reduce((total, { chunks }) => total + chunks.length, 0);
  if (count > MAX_FILTERS) {
    diagnostics
      .at("filters")
      .reject(
        `must be shorter: together they would become ${thousands(count)} filters, and Gmail keeps at most ${thousands(MAX_FILTERS)}`,
      );
  }
}

/** One `<entry>` of the file, as a search and as properties. */
interface Entry extends XmlEntry {
  readonly search: string;
}

/** The entries that a filter is written as. */
function toEntries(
  { name, chunks, search, actions }: ReadFilter,
  diagnostics: FilterDiagnostics,
): Entry[] {
  const entries = chunks.map((chunk, index) => ({
    comment: chunks.length === 1 ? name : `${name} (${index + 1} of ${chunks.length})`,
    search: chunks.length === 1 ? search : searchString(chunk),
    properties: entryProperties(chunk, actions),
  }));
  // Whether Gmail counts its limit in characters or in bytes is unknown.
  if (entries.some((entry) => hasMoreBytes(entry.search, MAX_SEARCH_LENGTH))) {
    diagnostics.info(
      "long-in-bytes",
      "is near the limit once written in bytes; check after the import that Gmail took it whole",
    );
  }
  return entries;
}
