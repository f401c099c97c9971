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
import { sentence } from "../components.tsx";
import { type FormChange, OPENED_FILE, type ReadOutcome } from "../form/form-state.ts";
import { toInput } from "../form/form-values.ts";
import { addFilters, filterFormFields, listFilters, toMeaningKey } from "./filter-form.ts";

/** Reads a `mailFilters.xml`, or an input in JSON, and adds its filters to those of the form. */
export function parseOpenedFile(text: string): ReadOutcome {
  try {
    const isJson = /^\uFEFF?\s*[{/]/.test(text);
    const read = isJson ? undefined : parseExport(text);
    const filters =
      read?.filters ?? validFilters(removeMergeReport(removeSchemaKey(parseJsonTree(text).value)));
    const left = read ? describeSkipped(read) : "";
    if (filters.length === 0) return { reason: `This file has no filter to read.${left}` };
    const count = formatCount(filters.length, "filter");
    if (filters.length > MAX_FILTERS)
      return {
        reason: `This file has ${count}, and Gmail keeps at most ${formatNumber(MAX_FILTERS)}.`,
      };
    return {
      notice: `Read ${count}.${left}`,
      change(tree) {
        if (read) tree.set(OPENED_FILE, text);
        // A name that only repeats the label tells nothing apart.
        const named = filters.map(({ name, ...filter }) =>
          name === filter.label ? filter : { name, ...filter },
        );
        return addFilters(tree, named);
      },
    };
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

function describeSkipped({ left_out, noOps }: GmailExport): string {
  if (left_out.length === 0) return "";
  const named = left_out.map(({ entry, properties, reason }) => {
    const { from, to, subject, hasTheWord } = properties;
    const condition = from ?? to ?? subject ?? hasTheWord;
    return `filter ${entry + 1}${condition === undefined ? "" : ` (${condition.slice(0, 60)})`} ${reason}`;
  });
  const keep = left_out.length > 1 ? "Keep them in Gmail." : "Keep it in Gmail.";
  return ` Left out: ${formatSomeClauses(named)}.${noOps.length < left_out.length ? ` ${keep}` : ""}`;
}

/** What a form changes of an export. An import adds and replaces nothing: what is old is deleted by hand. */
export interface ExportChanges {
  readonly summary: string;
  /** What is new, for a button: "2 changed filters"; empty if there is nothing to import. */
  readonly added: string;
  /** True when all that is new came of a merge: the whole is then of no use. */
  readonly isMerged: boolean;
  readonly file: Omit<MailFilterResult["file"], "name"> & { readonly name: string };
  readonly steps: readonly string[];
  /** True for a filter that the export has. */
  readonly isKnown: (filter: object) => boolean;
  /** The filters to delete, as Gmail lists them. */
  readonly old: readonly string[];
  /** The filters of the export that do nothing, each in a line. */
  readonly idle: readonly string[];
}

/** An offer to merge the filters of the form. */
export interface MergeOffer {
  readonly label: string;
  readonly hint: string;
  readonly change: FormChange;
  /** What was done: "58 filters became 54." */
  readonly done: string;
  /** The meanings of the filters that it replaces. */
  readonly replaces: ReadonlySet<string>;
}

/** An export to which a form is compared. */
export function trackExport(source: string) {
  const read = parseExport(source);
  const own = new Set(read.filters.map(toMeaningKey));
  const { filters: merged } = mergeValidFilters(read.filters, read.left_out);
  // A filter that the file has already does not show that the form was merged.
  const joined = new Set(merged.map(toMeaningKey).filter((meaning) => !own.has(meaning)));
  return {
    source,
    /** @param written the filters of the form, which the tool has read already. */
    findChanges(input: object, written: readonly FilterWithEntries[]): ExportChanges {
      const {
        result,
        counts,
        only_in_gmail: old,
      } = compareParsedWithExport(written, new Findings(filterFindings), read);
      const filters = listFilters(input);
      const isMerged = filters.some((filter) => joined.has(toMeaningKey(filter)));
      // As many as are to be deleted: an edit makes a new one of an old one.
      const added = formatAdded(counts.new, isMerged ? 0 : Math.min(counts.new, old.length));
      const toDelete = formatCount(old.length, "old filter");
      const imports = counts.new > 0 ? `${added} to import` : "nothing to import";
      const rest =
        counts.new > 0 ? "" : `: your Gmail has ${formatCount(filters.length, "filter")} already`;
      return {
        summary: sentence(
          `${imports}${old.length > 0 ? `, ${toDelete} to delete in Gmail` : rest}.`,
        ),
        added: counts.new > 0 ? added : "",
        isMerged,
        isKnown: (filter) => own.has(toMeaningKey(filter)),
        // Another name than that of the export, which may be in the same folder.
        file: { ...result.file, name: "new-filters.xml" },
        steps: [
          ...(counts.new > 0 ? result.how_to_import : []),
          ...(counts.new > 0 && old.length > 0
            ? [`Only then delete by hand what is listed below: ${toDelete}.`]
            : []),
        ],
        old,
        idle: read.noOps.map(({ entry, reason }) => `Filter ${entry + 1} of the file ${reason}.`),
      };
    },
    /** Offers to merge the filters of a form, or to leave out repeats. */
    findOffer(input: object): MergeOffer | undefined {
      const given = validFilters(input);
      const { merged, dropped, filters: all } = mergeValidFilters(given, read.left_out);
      if (merged.length + dropped.length === 0) return undefined;
      const replaced = [...new Set(merged.flatMap(({ replaces }) => replaces))];
      const added = new Set(merged.map(({ index }) => all[index]));
      const joins =
        added.size > 0 &&
        `merge ${formatNumber(replaced.length)} of them into ${formatNumber(added.size)}`;
      const repeats = dropped.length > 0 && `leave out ${formatCount(dropped.length, "repeat")}`;
      const hasRoom = read.entries.length + read.left_out.length + added.size <= MAX_FILTERS;
      return {
        label: sentence([joins, repeats].filter(Boolean).join(" and ")),
        hint: `Your mail is treated exactly as before.${hasRoom ? "" : ` Gmail keeps ${formatNumber(MAX_FILTERS)} filters: import the new ones in parts, each after you have deleted what it replaces.`}`,
        done: `${formatCount(given.length, "filter")} became ${formatNumber(all.length)}.`,
        replaces: new Set(
          replaced.flatMap((index) => (given[index] ? toMeaningKey(given[index]) : [])),
        ),
        change(tree) {
          // What was typed since the offer was made counts too.
          const typed = validFilters(toInput(tree, filterFormFields).input);
          const { filters: now, merged: joined } = mergeValidFilters(typed, read.left_out);
          const added = new Set(joined.map(({ index }) => now[index]));
          const isOld = (filter: object) => Number(!added.has(filter));
          tree.delete("filters");
          addFilters(
            tree,
            now.toSorted((one, other) => isOld(one) - isOld(other)),
          );
          return "download";
        },
      };
    },
  };
}

/** What the form is, beside an opened export. */
export interface MailFilterRead {
  readonly opened: ReturnType<typeof trackExport>;
  readonly changes: ExportChanges;
  readonly offer: MergeOffer | undefined;
}

/** A number of filters to import: "2 new and 1 changed filters". */
function formatAdded(all: number, changed: number): string {
  if (changed === 0) return formatCount(all, "new filter");
  const words = formatCount(changed, "changed filter");
  return all === changed ? words : `${formatNumber(all - changed)} new and ${words}`;
}
