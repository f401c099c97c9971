import {
  type FilterInput,
  type MailFilterInput,
  type MailFilterResult,
  mailFilterContract,
  type ValidMailFilterInput,
} from "../../schemas/mail-filter.ts";
import { Findings, type Path } from "../issues.ts";
import { runTool, type Tool } from "../tool.ts";
import { findConflicts } from "./conflicts.ts";
import { explain, howToImport } from "./explain.ts";
import { type Actions, type Criteria, readActions, readCriteria, requireParts } from "./filter.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./gmail.ts";
import { entryProperties, type Properties, previewUrl, searchString } from "./search.ts";
import { split } from "./split.ts";
import { normaliseName } from "./terms/normalise.ts";
import { renderMailFilter } from "./text.ts";
import { caution } from "./warnings.ts";
import { writeXml, type XmlEntry } from "./xml.ts";

/** A filter after reading: what it selects, what it does, and the parts it is written as. */
interface ReadFilter {
  readonly name: string;
  readonly criteria: Criteria;
  readonly actions: Actions;
  readonly parts: readonly Criteria[];
}

/** Reads one filter; what cannot be honoured is refused through `findings`. */
function readFilter(filter: FilterInput, index: number, findings: Findings): ReadFilter {
  const path: Path = ["filters", index];
  requireParts(filter, path, findings);
  const name = normaliseName(filter.name ?? "", [...path, "name"], findings);
  const criteria = readCriteria(filter, path, findings);
  const actions = readActions(filter, path, findings);
  caution(criteria, actions, path, findings);
  const parts = splitOrRefuse(criteria, path, findings);
  if (parts.length > 1) remarkOnSplit(parts.length, actions, path, findings);
  return { name: name || `Filter ${index + 1}`, criteria, actions, parts };
}

function splitOrRefuse(criteria: Criteria, path: Path, findings: Findings): readonly Criteria[] {
  const parts = split(criteria);
  if (parts === "too-many") {
    findings.refuse(
      path,
      `must be shorter: it would become more than ${MAX_FILTERS} filters, and Gmail keeps no more`,
    );
    return [];
  }
  if (parts === "too-long") {
    const words = criteria.words.map(({ text }) => text).join(" ");
    const exclusions = criteria.exclusions.join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    findings.refuse(
      [...path, field],
      `must be shorter: a Gmail filter holds ${MAX_SEARCH_LENGTH} characters, and only from, to and subject can be split over several`,
    );
    return [];
  }
  return parts;
}

function remarkOnSplit(count: number, actions: Actions, path: Path, findings: Findings): void {
  findings.info(
    "split",
    path,
    `was too long for one filter and became ${count}, which together match the same mail`,
  );
  if (actions.forwardTo) {
    findings.warn(
      "forward-split",
      [...path, "forward_to"],
      "may get a mail twice that matches two of the filters this one became",
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
  { parts, actions }: ReadFilter,
  path: Path,
  findings: Findings,
): readonly Entry[] {
  const entries = parts.map((part) => ({
    search: searchString(part),
    properties: entryProperties(part, actions),
  }));
  if (entries.some(({ search }) => byteLength(search) > MAX_SEARCH_LENGTH)) {
    findings.info(
      "long-in-bytes",
      path,
      "is near the limit once written in bytes; check after the import that Gmail took it whole",
    );
  }
  return entries;
}

/** Nobody knows whether Gmail counts its limit in characters or in bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

interface WrittenFilter extends ReadFilter {
  readonly entries: readonly Entry[];
}

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that has no honest translation.
 */
function generate({ filters }: ValidMailFilterInput): MailFilterResult {
  const findings = new Findings();
  const read = filters.map((filter, index) => readFilter(filter, index, findings));
  refuseTooMany(read, findings);
  findings.throwIfRefused();

  findConflicts(read, findings);
  const written = read.map((filter, index) => ({
    ...filter,
    entries: toEntries(filter, ["filters", index], findings),
  }));
  const xmlEntries = written.flatMap(toXmlEntries);
  return {
    file: {
      name: "mailFilters.xml",
      media_type: "application/xml",
      content: writeXml(xmlEntries),
    },
    filters: written.map(describe),
    how_to_import: howToImport(
      xmlEntries.length,
      read.map(({ actions }) => actions),
    ),
    warnings: findings.warnings,
  };
}

function refuseTooMany(filters: readonly ReadFilter[], findings: Findings): void {
  const count = filters.reduce((total, { parts }) => total + parts.length, 0);
  if (count > MAX_FILTERS) {
    findings.refuse(
      ["filters"],
      `must be shorter: together they would become ${count} filters, and Gmail keeps at most ${MAX_FILTERS}`,
    );
  }
}

const toXmlEntries = ({ name, entries }: WrittenFilter): readonly XmlEntry[] =>
  entries.map(({ properties }, index) => ({
    comment: entries.length === 1 ? name : `${name} (${index + 1} of ${entries.length})`,
    properties,
  }));

function describe(filter: WrittenFilter): MailFilterResult["filters"][number] {
  const { name, criteria, actions, entries } = filter;
  const search = searchString(criteria);
  return {
    name,
    search,
    preview_url: previewUrl(search),
    explanation: explain(criteria, actions),
    entries: [...entries],
  };
}

export const mailFilterTool: Tool<typeof mailFilterContract> = {
  contract: mailFilterContract,
  run: generate,
  render: renderMailFilter,
};

/**
 * Turns mail rules into Gmail search strings and an importable `mailFilters.xml`.
 *
 * @param input 1 to 20 filters, each with a condition and an action; sizes in MB of 1,048,576 bytes.
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
export function mailFilter(input: MailFilterInput): MailFilterResult {
  return runTool(mailFilterTool, input);
}
