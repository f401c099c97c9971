import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../../src/findings.ts";
import { InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../../src/json-tree.ts";
import { compareParsedWithExport } from "../../../src/mail-filter/compare-export.ts";
import { filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { FilterWithEntries } from "../../../src/mail-filter/mail-filter.ts";
import { mergeValidFilters } from "../../../src/mail-filter/merge-filters.ts";
import { type GmailExport, parseExport } from "../../../src/mail-filter/parse-export.ts";
import { validFilters } from "../../../src/mail-filter/parse-filter.ts";
import { removeMergeReport, removeSchemaKey } from "../../../src/parse-json.ts";
import { formatCount, formatNumber, formatSomeClauses } from "../../../src/text.ts";
import { type FormChange, OPENED_FILE, type ReadOutcome } from "../form/form-state.ts";
import { asText, type FormValues, toInput } from "../form/form-values.ts";
import { addFilters, askAboutFile, filterFormFields, setFilters } from "./filter-form.ts";

/** Reads a `mailFilters.xml`, or an input in JSON, and adds its filters to those of the form. */
export function parseOpenedFile(text: string, form: FormValues): ReadOutcome {
  if (asText(form.get(OPENED_FILE)) === text) return { reason: "This file is open already." };
  try {
    const isJson = /^\uFEFF?\s*[{/]/.test(text);
    const read = isJson ? undefined : parseExport(text);
    const filters =
      read?.filters ?? validFilters(removeMergeReport(removeSchemaKey(parseJsonTree(text).value)));
    if (filters.length === 0)
      return { reason: `This file has no filter to read. ${read ? describeSkipped(read) : ""}` };
    const count = formatCount(filters.length, "filter");
    if (filters.length > MAX_FILTERS)
      return {
        reason: `This file has ${count}, and Gmail keeps at most ${formatNumber(MAX_FILTERS)}.`,
      };
    // A name that only repeats the label tells nothing apart.
    const named = filters.map(({ name, ...filter }) =>
      name === filter.label ? filter : { name, ...filter },
    );
    const source = read && text;
    // In a form with an opened file the user chooses first.
    const change = form.has(OPENED_FILE)
      ? (form: FormValues) => askAboutFile(form, { filters: named, source })
      : (form: FormValues) => {
          if (source !== undefined) form.set(OPENED_FILE, source);
          return addFilters(form, named);
        };
    return { notice: `Read ${count}.`, change };
  } catch (error) {
    return { reason: `This ${describeError(error, text)}.` };
  }
}

function describeError(error: unknown, text: string): string {
  if (error instanceof JsonTextError)
    return `file cannot be read: line ${text.slice(0, error.offset).split(/\r\n|\r|\n/).length}: ${error.message}`;
  if (!(error instanceof InvalidInputError)) throw error;
  const [{ path, message } = { path: "", message: "" }] = error.issues;
  return path === "" ? message : `file cannot be read: ${path}: ${replaceFieldNames(message)}`;
}

/** The filters of a file that are no rows of the form, and why; empty for none. */
function describeSkipped({ left_out, noOps }: GmailExport): string {
  if (left_out.length === 0) return "";
  const named = left_out.map(({ entry, properties, reason }) => {
    const { from, to, subject, hasTheWord } = properties;
    const condition = from ?? to ?? subject ?? hasTheWord;
    return `filter ${entry + 1}${condition === undefined ? "" : ` (${condition.slice(0, 60)})`} ${reason}`;
  });
  const keep = left_out.length > 1 ? "Keep them in Gmail." : "Keep it in Gmail.";
  return `Left out: ${formatSomeClauses(named)}.${noOps.length < left_out.length ? ` ${keep}` : ""}`;
}

/** What a form changes of an export. An import adds and replaces nothing: what is old is deleted by hand. */
export interface ExportChanges {
  /** Numbers of filters in Gmail. The changed ones are imported, and their old ones deleted. */
  readonly counts: Readonly<Record<"changed" | "new" | "deleted", number>>;
  /** The file to import. It must not overwrite the export in the same folder. */
  readonly file: Omit<MailFilterResult["file"], "name"> & { readonly name: string };
  readonly steps: readonly string[];
  /** The filters to import, by their indexes. */
  readonly added: ReturnType<typeof compareParsedWithExport>["added"];
  /** The filters to delete, in the order of Gmail's list. */
  readonly gone: ReturnType<typeof compareParsedWithExport>["gone"];
  /** Whether the account has no room for the new filters until old ones are deleted. */
  readonly isAboveLimit: boolean;
}

/** An offer to merge filters, or to leave out repeats. */
export interface MergeOffer {
  /** "Merge 4 into 1" */
  readonly label: string;
  /** The filters that are merged or left out, by their indexes. */
  readonly indexes: ReadonlySet<number>;
  readonly change: FormChange;
  /** The message afterwards: "58 filters became 54." */
  readonly doneMessage: string;
}

/** An export to which a form is compared. */
export function trackExport(source: string) {
  const read = parseExport(source);
  return {
    source,
    /** The number of filters that were read. */
    size: read.filters.length,
    skipped: describeSkipped(read),
    /** @param written the filters of the form, which the tool has read already. */
    findChanges(written: readonly FilterWithEntries[]): ExportChanges {
      const { comparison, added, gone } = compareParsedWithExport(
        written,
        new Findings(filterFindings),
        read,
      );
      const { result, counts } = comparison;
      return {
        counts: {
          changed: counts.changed,
          new: counts.new - counts.changed,
          deleted: gone.length - counts.changed,
        },
        file: { ...result.file, name: "new-filters.xml" },
        steps: result.how_to_import,
        added,
        gone,
        isAboveLimit: read.entries.length + read.left_out.length + counts.new > MAX_FILTERS,
      };
    },
    findMergeOffer(input: object): MergeOffer | undefined {
      const given = validFilters(input);
      const { merged, dropped, filters: all } = mergeValidFilters(given, read.left_out);
      if (merged.length + dropped.length === 0) return undefined;
      const replaced = merged.flatMap(({ replaces }) => replaces);
      const joins =
        merged.length > 0 &&
        `merge ${formatNumber(replaced.length)} into ${formatNumber(merged.length)}`;
      const repeats = dropped.length > 0 && `leave out ${formatCount(dropped.length, "repeat")}`;
      return {
        label: [joins, repeats].filter(Boolean).join(" and "),
        indexes: new Set([...replaced, ...dropped.map(({ index }) => index)]),
        doneMessage: `${formatCount(given.length, "filter")} became ${formatNumber(all.length)}.`,
        change(form) {
          // Includes edits made since the offer.
          const typed = validFilters(toInput(form, filterFormFields).input);
          const { filters: now, merged: joined } = mergeValidFilters(typed, read.left_out);
          const isNew = new Set(joined.map(({ index }) => now[index]));
          const [first, rest] = [true, false].map((wanted) =>
            now.filter((filter) => isNew.has(filter) === wanted),
          );
          setFilters(form, [...(first ?? []), ...(rest ?? [])]);
          return "download";
        },
      };
    },
  };
}

/** The form compared with an opened export. */
export interface OpenedExport {
  readonly opened: ReturnType<typeof trackExport>;
  readonly changes: ExportChanges;
}
