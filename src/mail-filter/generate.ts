import type { MailFilterResult, ValidMailFilterInput } from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { findConflicts } from "./conflicts.ts";
import { explain } from "./explain.ts";
import { howToImport } from "./how-to-import.ts";
import { entryProperties } from "./properties.ts";
import { type ReadFilter, readFilter } from "./read-filter.ts";
import { previewUrl, searchString } from "./search.ts";
import { writeXml } from "./xml.ts";

/** Gmail keeps at most this many filters in an account (API reference, filters.create). */
const MAX_FILTERS = 1000;

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that has no honest translation.
 */
export function generate({ filters }: ValidMailFilterInput): MailFilterResult {
  const findings = new Findings();
  const read = filters.map((filter, index) => readFilter(filter, index, findings));
  findings.throwIfRefused();
  findConflicts(read, findings);

  const entries = read.flatMap(xmlEntries);
  if (entries.length > MAX_FILTERS) {
    findings.warn(
      "too-many-entries",
      ["filters"],
      `become ${entries.length} filters in Gmail, which keeps at most ${MAX_FILTERS}; shorten the lists`,
    );
  }
  return {
    file: {
      name: "mailFilters.xml",
      media_type: "application/xml",
      content: writeXml(entries),
    },
    filters: read.map(describe),
    how_to_import: howToImport(
      entries.length,
      read.map(({ actions }) => actions),
    ),
    warnings: findings.warnings,
  };
}

const xmlEntries = ({ name, actions, parts }: ReadFilter) =>
  parts.map((part, index) => ({
    comment: parts.length === 1 ? name : `${name} (${index + 1} of ${parts.length})`,
    properties: entryProperties(part, actions),
  }));

function describe({
  name,
  criteria,
  actions,
  parts,
}: ReadFilter): MailFilterResult["filters"][number] {
  const search = searchString(criteria);
  return {
    name,
    search,
    preview_url: previewUrl(search),
    explanation: explain(criteria, actions),
    entries: parts.map((part) => ({
      search: searchString(part),
      properties: entryProperties(part, actions),
    })),
  };
}
