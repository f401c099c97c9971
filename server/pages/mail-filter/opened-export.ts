import type { FilterInput, MailFilterResult } from "../../../schemas/mail-filter.ts";
import { Findings, type RawResult } from "../../../src/findings.ts";
import { formatProblem, InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../../src/json-tree.ts";
import { compareInDetail } from "../../../src/mail-filter/compare-export.ts";
import { filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { FilterWithEntries } from "../../../src/mail-filter/mail-filter.ts";
import { mergeValidFilters } from "../../../src/mail-filter/merge-filters.ts";
import { type GmailExport, parseEntries } from "../../../src/mail-filter/parse-export.ts";
import { validateFilters } from "../../../src/mail-filter/parse-filter.ts";
import { removeMergeReport, removeSchemaKey } from "../../../src/parse-json.ts";
import { formatCount, formatNumber } from "../../../src/text.ts";
import { capitalise } from "../components.tsx";
import {
  OPENED_FILE,
  type ReadOutcome,
  type RunContext,
  type ViewProps,
} from "../form/form-state.ts";
import { asText, type FormValues } from "../form/form-values.ts";
import { isFileOpen, openFile } from "./filter-form.ts";

/** Reads a `mailFilters.xml`, or an input in JSON, and adds its filters to those of the form. */
export function readText(
  text: string,
  field: string,
  form: FormValues,
  name = "This text",
): ReadOutcome | undefined {
  if (field !== "") return undefined;
  if (isFileOpen(form, text)) return { reason: `${name} is open already.`, isOpen: true };
  try {
    const isJson = /^\uFEFF?\s*[{/]/.test(text);
    const parsedExport = isJson ? undefined : parseEntries(text);
    const filters =
      parsedExport?.filters ??
      validateFilters(removeMergeReport(removeSchemaKey(parseJsonTree(text).value)));
    if (filters.length === 0) {
      const skipped = parsedExport ? describeSkipped(parsedExport) : [];
      return { reason: [`${name} has no filter to read.`, ...skipped].join(" ") };
    }
    const count = formatCount(filters.length, "filter");
    if (filters.length > MAX_FILTERS)
      return {
        reason: `${name} has ${count}, and Gmail keeps at most ${formatNumber(MAX_FILTERS)}.`,
      };
    // A name that only repeats the label tells nothing apart.
    const filtersWithOwnNames = filters.map(({ name, ...filter }) =>
      name === filter.label ? filter : { name, ...filter },
    );
    const file = { name, filters: filtersWithOwnNames, text, isExport: parsedExport !== undefined };
    // A question about the file follows, and the form stays as it is.
    const notice = form.has(OPENED_FILE) ? "" : `Read ${count}.`;
    return { notice, change: (form) => openFile(form, file) };
  } catch (error) {
    return { reason: formatReason(name, describeError(error, text)) };
  }
}

/** The library puts a remedy behind a semicolon. */
function formatReason(name: string, message: string): string {
  const [problem, ...remedies] = message.split("; ");
  return [`${name} ${problem}`, ...remedies.map(capitalise)].map((text) => `${text}.`).join(" ");
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

export type MailResult = RawResult<MailFilterResult>;

/** The props of the page, whose form may have an opened export. */
export type MailProps = ViewProps<MailResult, OpenedExport | undefined>;

export type MailState = MailProps["state"];

/** A form compared with an opened export. */
export interface OpenedExport {
  readonly opened: ReturnType<typeof readExport>;
  readonly changes: ExportChanges;
  readonly offers: readonly MergeOffer[];
}

/**
 * Compares a form with its opened export.
 *
 * @param filtersWithEntries the filters of the form, which the tool has parsed already.
 */
export function compareWithOpened(
  { form, lastExtra: last, isTyping }: RunContext<OpenedExport | undefined>,
  filtersWithEntries: readonly FilterWithEntries[],
  input: unknown,
): OpenedExport {
  const source = asText(form.get(OPENED_FILE));
  const isSame = last?.opened.source === source;
  const opened = isSame ? last.opened : readExport(source);
  const changes = findChanges(filtersWithEntries, opened);
  // Looking for merges is slow.
  const offers =
    isSame && isTyping
      ? last.offers
      : findMergeOffers(validateFilters(input), opened, changes.added);
  return { opened, changes, offers };
}

function readExport(source: string) {
  const parsedExport = parseEntries(source);
  return { ...parsedExport, source, skipped: describeSkipped(parsedExport) };
}

/** The changes to an export. An import only adds filters: users delete the old ones by hand. */
const KEEP_ONE = " · Gmail has it more than once: keep one";

export type ExportChanges = ReturnType<typeof findChanges>;

function findChanges(
  filtersWithEntries: readonly FilterWithEntries[],
  opened: Omit<GmailExport, "warnings">,
) {
  const { comparison, added, kinds, gone } = compareInDetail(
    filtersWithEntries,
    new Findings(filterFindings),
    opened,
  );
  const { result, counts } = comparison;
  const keyOf = ({ index }: { readonly index: number }) => opened.entries[index]?.key;
  const copies = Map.groupBy(opened.entries, ({ key }) => key);
  const goneCopies = Map.groupBy(gone, keyOf);
  return {
    /** Changed filters are imported, and their old versions are deleted. */
    counts: {
      changed: kinds.filter((kind) => kind === "changed").length,
      merged: kinds.filter((kind) => kind === "merged").length,
      new: kinds.filter((kind) => kind === "new").length,
      deleted: gone.filter(({ isChanged }) => !isChanged).length,
    },
    /** The file to import. It must not overwrite the export in the same folder. */
    file: { ...result.file, name: "new-filters.xml" },
    steps: result.how_to_import,
    /** The filters to import, by their indexes. */
    added,
    /** The filters to delete, in the order of Gmail's list. */
    gone: gone.map((entry) => {
      const key = keyOf(entry) ?? "";
      const filter = opened.filters[entry.index] ?? {};
      // Whoever deleted all copies would lose the filter.
      const hasCopy = (copies.get(key)?.length ?? 0) > (goneCopies.get(key)?.length ?? 0);
      return { ...entry, filter, note: hasCopy ? KEEP_ONE : "" };
    }),
    /** Whether the account has no room for the new filters until old ones are deleted. */
    isAboveLimit: opened.entries.length + opened.left_out.length + counts.new > MAX_FILTERS,
  };
}

/** An offer to merge filters, or to remove repeats. */
interface MergeOffer {
  /** The view with these filters. */
  readonly view: "merge" | "twice";
  /** "Merge 4 into 1" */
  readonly label: string;
  /** The filters that are merged or the same, by their indexes. */
  readonly indexes: readonly number[];
  /** How many more filters in Gmail are then to be deleted. */
  readonly toDelete: number;
  /** @returns all filters after the change. @param input the form's input, which may be newer. */
  readonly apply: (input: unknown) => readonly FilterInput[];
}

/** @param added the filters that are not in Gmail: merging them leaves nothing there to delete. */
function findMergeOffers(
  filters: ReturnType<typeof validateFilters>,
  { left_out: leftOut }: Pick<GmailExport, "left_out">,
  added: ExportChanges["added"],
): readonly MergeOffer[] {
  const { merged, dropped } = mergeValidFilters(filters, leftOut);
  const countInGmail = (indexes: readonly number[]) =>
    indexes.filter((index) => !added.has(index)).length;
  const repeats = dropped.map(({ index }) => index);
  const replaced = merged.flatMap(({ replaces }) => replaces);
  const offers: readonly MergeOffer[] = [
    {
      view: "merge",
      label: [
        `Merge ${formatNumber(replaced.length)} into ${formatNumber(merged.length)}`,
        ...(repeats.length > 0 ? [`remove ${formatCount(repeats.length, "repeat")}`] : []),
      ].join(" and "),
      indexes: replaced,
      toDelete: countInGmail([...replaced, ...repeats]),
      apply(input) {
        const { filters, merged } = mergeValidFilters(validateFilters(input), leftOut);
        const isNew = new Set(merged.map(({ index }) => index));
        return [true, false].flatMap((first) =>
          filters.filter((_, index) => isNew.has(index) === first),
        );
      },
    },
    {
      view: "twice",
      label:
        repeats.length > 1 ? `Remove ${formatNumber(repeats.length)} repeats` : "Remove the repeat",
      indexes: dropped.flatMap(({ index, duplicate_of }) => [index, duplicate_of]),
      toDelete: countInGmail(repeats),
      apply(input) {
        const filters = validateFilters(input);
        const { dropped } = mergeValidFilters(filters, leftOut);
        const repeats = new Set(dropped.map(({ index }) => index));
        return filters.filter((_, index) => !repeats.has(index));
      },
    },
  ];
  return offers.filter(({ indexes }) => indexes.length > 0);
}
