import type { MailFilterResult, ValidMailFilterInput } from "../../schemas/mail-filter.ts";
import { Findings } from "../issues.ts";
import { findConflicts } from "./conflicts.ts";
import { type Entry, toEntries } from "./entries.ts";
import { explain } from "./explain.ts";
import { howToImport } from "./how-to-import.ts";
import { MAX_FILTERS } from "./limits.ts";
import { type ReadFilter, readFilter } from "./read-filter.ts";
import { previewUrl, searchString } from "./search.ts";
import { writeXml, type XmlEntry } from "./xml.ts";

interface WrittenFilter extends ReadFilter {
  readonly entries: readonly Entry[];
}

/**
 * Turns valid filters into search strings and the file.
 *
 * @throws {InvalidInputError} for a filter that has no honest translation.
 */
export function generate({ filters }: ValidMailFilterInput): MailFilterResult {
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
