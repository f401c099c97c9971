import type { MailFilterResult } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../../src/findings.ts";
import { formatProblem, InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../../src/json-tree.ts";
import { compareInDetail } from "../../../src/mail-filter/compare-export.ts";
import { filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { FilterWithEntries } from "../../../src/mail-filter/mail-filter.ts";
import { mergeValidFilters } from "../../../src/mail-filter/merge-filters.ts";
import { type GmailExport, parseEntries } from "../../../src/mail-filter/parse-export.ts";
import { validFilters } from "../../../src/mail-filter/parse-filter.ts";
import { removeMergeReport, removeSchemaKey } from "../../../src/parse-json.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { sentence } from "../components.tsx";
import { type FormChange, OPENED_FILE, type ReadOutcome } from "../form/form-state.ts";
import { asText, type FormValues, toInput } from "../form/form-values.ts";
import { filterFormFields, openFile, setFilters } from "./filter-form.ts";

/** Reads a `mailFilters.xml`, or an input in JSON, and adds its filters to those of the form. */
export function parseOpenedFile(text: string, form: FormValues, name = "This text"): ReadOutcome {
  if (asText(form.get(OPENED_FILE)) === text)
    return { reason: `${name} is open already.`, isOpen: true };
  try {
    const isJson = /^\uFEFF?\s*[{/]/.test(text);
    const read = isJson ? undefined : parseEntries(text);
    const filters =
      read?.filters ?? validFilters(removeMergeReport(removeSchemaKey(parseJsonTree(text).value)));
    if (filters.length === 0)
      return {
        reason: [`${name} has no filter to read.`, ...(read ? describeSkipped(read) : [])].join(
          " ",
        ),
      };
    const count = formatCount(filters.length, "filter");
    if (filters.length > MAX_FILTERS)
      return {
        reason: `${name} has ${count}, and Gmail keeps at most ${formatNumber(MAX_FILTERS)}.`,
      };
    // A name that only repeats the label tells nothing apart.
    const named = filters.map(({ name, ...filter }) =>
      name === filter.label ? filter : { name, ...filter },
    );
    const file = { name, filters: named, source: read && text };
    // A question about the file follows.
    const notice = form.has(OPENED_FILE) ? "" : `Read ${count}.`;
    return { notice, change: (form) => openFile(form, file) };
  } catch (error) {
    return { reason: formatReason(name, describeError(error, text)) };
  }
}

/** The library puts a remedy behind a semicolon. */
function formatReason(name: string, message: string): string {
  const [problem, ...remedies] = message.split("; ");
  return [`${name} ${problem}`, ...remedies.map(sentence)].map((text) => `${text}.`).join(" ");
}

function describeError(error: unknown, text: string): string {
  if (error instanceof JsonTextError)
    return `cannot be read: line ${text.slice(0, error.offset).split(/\r\n|\r|\n/).length}: ${error.message}`;
  if (!(error instanceof InvalidInputError)) throw error;
  const [problem = { path: [], message: "" }] = error.problems;
  if (problem.path.length === 0) return problem.message;
  return `cannot be read: ${replaceFieldNames(formatProblem(problem))}`;
}

/** The entries of a file that are no filters of the form, and why, a sentence each. */
const describeSkipped = ({ left_out }: Pick<GmailExport, "left_out">): readonly string[] =>
  left_out.map(({ entry, properties, reason }) => {
    const { from, to, subject, hasTheWord } = properties;
    const condition = from ?? to ?? subject ?? hasTheWord;
    const quoted = condition === undefined ? "" : ` (“${condition.slice(0, 60)}”)`;
    return `Entry ${formatNumber(entry + 1)}${quoted} ${reason}.`;
  });

/** What a form changes of an export. An import adds and replaces nothing: what is old is deleted by hand. */
export interface ExportChanges {
  /** Numbers of filters in Gmail. The changed ones are imported, and their old ones deleted. */
  readonly counts: Readonly<Record<"changed" | "new" | "deleted", number>>;
  /** The file to import. It must not overwrite the export in the same folder. */
  readonly file: Omit<MailFilterResult["file"], "name"> & { readonly name: string };
  readonly steps: readonly string[];
  /** The filters to import, by their indexes. */
  readonly added: ReturnType<typeof compareInDetail>["added"];
  /** The filters to delete, in the order of Gmail's list. */
  readonly gone: ReturnType<typeof compareInDetail>["gone"];
  /** Whether the account has no room for the new filters until old ones are deleted. */
  readonly isAboveLimit: boolean;
}

/** An offer to merge filters, or to remove repeats. */
export interface MergeOffer {
  /** The view with these filters. */
  readonly view: "merge" | "twice";
  /** "Merge 4 into 1" */
  readonly label: string;
  /** The filters that are merged or the same, by their indexes. */
  readonly indexes: readonly number[];
  /** How many more filters in Gmail are then to be deleted. */
  readonly toDelete: number;
  readonly change: FormChange;
  /** The message afterwards: "58 filters became 54." */
  readonly doneMessage: string;
}

/** An export to which a form is compared. */
export function trackExport(source: string) {
  const read = parseEntries(source);
  return {
    source,
    /** The number of filters that were read. */
    size: read.filters.length,
    skipped: describeSkipped(read),
    /** @param written the filters of the form, which the tool has read already. */
    findChanges(written: readonly FilterWithEntries[]): ExportChanges {
      const { comparison, added, gone } = compareInDetail(
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
    /** @param added the filters that Gmail does not have: they leave nothing there to delete. */
    findMergeOffers(input: unknown, added: ExportChanges["added"]): readonly MergeOffer[] {
      const given = validFilters(input);
      const { merged, dropped, filters: all } = mergeValidFilters(given, read.left_out);
      const replaced = merged.flatMap(({ replaces }) => replaces);
      /**
       * @param lost the filters that go.
       * @param write is given the filters of the form, which may have been edited since.
       */
      const offer = (
        view: MergeOffer["view"],
        indexes: readonly number[],
        lost: readonly number[],
        label: string,
        left: number,
        write: (typed: Filters) => Filters,
      ): MergeOffer => ({
        view,
        label,
        indexes,
        toDelete: lost.filter((index) => !added.has(index)).length,
        doneMessage: `${formatCount(given.length, "filter")} became ${formatNumber(left)}.`,
        change(form) {
          setFilters(form, write(validFilters(toInput(form, filterFormFields).input)));
          return "download";
        },
      });
      const offers = [
        merged.length > 0 &&
          offer(
            "merge",
            replaced,
            replaced,
            `Merge ${formatNumber(replaced.length)} into ${formatNumber(merged.length)}`,
            all.length,
            (typed) => mergeWithNewFirst(typed, read.left_out),
          ),
        dropped.length > 0 &&
          offer(
            "twice",
            dropped.flatMap(({ index, duplicate_of }) => [index, duplicate_of]),
            dropped.map(({ index }) => index),
            dropped.length > 1
              ? `Remove ${formatNumber(dropped.length)} repeats`
              : "Remove the repeat",
            given.length - dropped.length,
            (typed) => {
              const { dropped } = mergeValidFilters(typed, read.left_out);
              const repeats = new Set(dropped.map(({ index }) => index));
              return typed.filter((_, index) => !repeats.has(index));
            },
          ),
      ];
      return offers.filter((offer) => offer !== false);
    },
  };
}

type Filters = ReturnType<typeof validFilters>;

function mergeWithNewFirst(typed: Filters, leftOut: GmailExport["left_out"]): Filters {
  const { filters, merged } = mergeValidFilters(typed, leftOut);
  const isNew = new Set(merged.map(({ index }) => index));
  return [
    ...filters.filter((_, at) => isNew.has(at)),
    ...filters.filter((_, at) => !isNew.has(at)),
  ];
}

/** The form compared with an opened export. */
export interface OpenedExport {
  readonly opened: ReturnType<typeof trackExport>;
  readonly changes: ExportChanges;
  readonly offers: readonly MergeOffer[];
  /** The number of filters, and the closed ones: while these stay, the offers do. */
  readonly closedFilters: string;
}
