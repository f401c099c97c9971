import type { SettingsOf } from "../../schemas/contract.ts";
import {
  type FilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Diagnostics } from "../issues.ts";
import { runTool, type Tool } from "../tool.ts";
import { warnAboutConflicts } from "./conflicts.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import { explain, howToImport } from "./explain.ts";
import {
  type Actions,
  type Criteria,
  readActions,
  readCriteria,
  requireConditionAndAction,
} from "./filter.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { type Limits, requireResultWithin } from "./result-size.ts";
import { entryProperties, type Properties, previewUrl, searchString } from "./search.ts";
import { split } from "./split.ts";
import { normaliseName } from "./terms/normalise.ts";
import { renderMailFilter } from "./text.ts";
import { warnAboutFilter } from "./warnings.ts";
import { writeXml, type XmlEntry } from "./xml.ts";

/**
 * Turns mail rules into Gmail search strings and an importable `mailFilters.xml`.
 *
 * @param input 1 to 20 filters, each with a condition and an action; sizes in MB of 1,048,576 bytes.
 * @param options `limits: "gmail"` takes as much as Gmail does: 1,000 filters, lists of 500 items,
 * items of 1,400 characters.
 * @returns the file's text, and for each filter its search string, a link that previews it in
 * Gmail, an explanation, and the entries it became.
 * @throws {InvalidInputError} when the input breaks the schema or a filter has no honest
 * translation; `issues` says where and why.
 *
 * @example
 * const { file, filters } = mailFilter({
 *   filters: [{ from: ["@shop.example"], subject: ["invoice"], label: "Money/Bills" }],
 * });
 * filters[0].search; // from:(@shop.example) subject:(invoice)
 */
export function mailFilter(
  input: MailFilterInput,
  { limits = "public" }: MailFilterOptions = {},
): MailFilterResult {
  return runTool(limits === "gmail" ? gmailLimitsTool : mailFilterTool, input);
}

export interface MailFilterOptions {
  /** "public", the limits of the service, unless given. */
  readonly limits?: "public" | "gmail";
}

export const mailFilterTool = {
  contract: mailFilterContract,
  run: generate,
  render: renderMailFilter,
} satisfies Tool<typeof mailFilterContract>;

const gmailLimitsTool = {
  ...mailFilterTool,
  contract: { ...mailFilterContract, input: mailFilterContract.local_input },
};

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that has no honest translation.
 */
function generate(
  { filters }: ValidMailFilterInput,
  _settings: SettingsOf<typeof mailFilterContract>,
  limits?: Limits,
): MailFilterResult {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const read = filters.map((filter, index) =>
    readFilter(filter, index, diagnostics.at("filters", index)),
  );
  refuseTooMany(read, diagnostics);
  diagnostics.throwIfRefused();

  warnAboutConflicts(read, diagnostics);
  const frame = resultWithoutEntries(read, diagnostics);
  if (limits) requireResultWithin(limits, read, frame);
  const entries = read.map((filter, index) => toEntries(filter, diagnostics.at("filters", index)));
  const xmlEntries = read.flatMap(({ name }, index) => toXmlEntries(name, entries[index] ?? []));
  return {
    ...frame,
    file: { ...frame.file, content: writeXml(xmlEntries) },
    filters: frame.filters.map((filter, index) => ({ ...filter, entries: entries[index] ?? [] })),
    warnings: [...diagnostics.warnings],
  };
}

/** All that is known of the result before its entries are written. */
function resultWithoutEntries(
  filters: readonly ReadFilter[],
  diagnostics: FilterDiagnostics,
): MailFilterResult {
  const count = filters.reduce((total, { chunks }) => total + chunks.length, 0);
  return {
    file: { name: "mailFilters.xml", media_type: "application/xml", content: "" },
    filters: filters.map(({ name, search, criteria, actions }) => ({
      name,
      search,
      preview_url: previewUrl(search),
      explanation: explain(criteria, actions),
      entries: [],
    })),
    how_to_import: howToImport(
      count,
      filters.map(({ actions }) => actions),
    ),
    warnings: [...diagnostics.warnings],
  };
}

/** A filter after reading: what it selects, what it does, and the chunks it is written as. */
interface ReadFilter {
  readonly name: string;
  readonly criteria: Criteria;
  readonly search: string;
  readonly actions: Actions;
  readonly chunks: readonly Criteria[];
}

/** Reads one filter; what has no honest translation is refused through `diagnostics`. */
function readFilter(
  filter: FilterInput,
  index: number,
  diagnostics: FilterDiagnostics,
): ReadFilter {
  requireConditionAndAction(filter, diagnostics);
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
    diagnostics.refuse(
      `must be shorter: it would become more than ${MAX_FILTERS} filters, and Gmail keeps no more`,
    );
    return [];
  }
  if (chunks === "too-long") {
    const words = criteria.words.map(({ text }) => text).join(" ");
    const exclusions = criteria.exclusions.join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    diagnostics
      .at(field)
      .refuse(
        `must be shorter: a Gmail filter holds ${MAX_SEARCH_LENGTH} characters, and only from, to and subject can be split over several`,
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
      .refuse(
        `must be shorter: together they would become ${count} filters, and Gmail keeps at most ${MAX_FILTERS}`,
      );
  }
}

/** One `<entry>` of the file, as a search and as properties. */
interface Entry {
  readonly search: string;
  readonly properties: Properties;
}

/** The entries that a filter is written as. */
function toEntries(
  { chunks, search, actions }: ReadFilter,
  diagnostics: FilterDiagnostics,
): Entry[] {
  const entries = chunks.map((chunk) => ({
    search: chunks.length === 1 ? search : searchString(chunk),
    properties: entryProperties(chunk, actions),
  }));
  if (entries.some((entry) => isLongInBytes(entry.search))) {
    diagnostics.info(
      "long-in-bytes",
      "is near the limit once written in bytes; check after the import that Gmail took it whole",
    );
  }
  return entries;
}

/** Whether Gmail counts its limit in characters or in bytes is unknown. A UTF-16 unit is 1 to 3 bytes. */
const isLongInBytes = (text: string): boolean =>
  text.length * 3 > MAX_SEARCH_LENGTH && new TextEncoder().encode(text).length > MAX_SEARCH_LENGTH;

const toXmlEntries = (name: string, entries: readonly Entry[]): readonly XmlEntry[] =>
  entries.map(({ properties }, index) => ({
    comment: entries.length === 1 ? name : `${name} (${index + 1} of ${entries.length})`,
    properties,
  }));
