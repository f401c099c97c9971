import type { FilterInput, MailFilterResult } from "../../../schemas/mail-filter.ts";
import { Findings, type RawResult } from "../../../src/findings.ts";
import { formatProblem, InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { JsonTextError, parseJsonTree } from "../../../src/json-tree.ts";
import { compareInDetail } from "../../../src/mail-filter/compare-export.ts";
import { filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { FilterWithEntries } from "../../../src/mail-filter/mail-filter.ts";
import { findRepeats, mergeValidFilters } from "../../../src/mail-filter/merge-filters.ts";
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
import { openFile } from "./filter-form.ts";

/** Reads a `mailFilters.xml`, or an input in JSON, and adds its filters to those of the form. */
export function readText(
  text: string,
  field: string,
  form: FormValues,
  name = "This text",
): ReadOutcome | undefined {
  if (field !== "") return undefined;
  if (form.get(OPENED_FILE) === text) return { reason: `${name} is open already.`, isOpen: true };
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
  readonly groups: readonly FilterGroup[];
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
  const groups =
    isSame && isTyping ? last.groups : findGroups(validateFilters(input), opened.left_out);
  return { opened, changes, groups };
}

function readExport(source: string) {
  const parsedExport = parseEntries(source);
  return { ...parsedExport, source, skipped: describeSkipped(parsedExport) };
}

export type ExportChanges = ReturnType<typeof findChanges>;

const GONE_NOTES = {
  removed: " · was removed",
  changed: " · was changed",
  merged: " · was merged",
  // Whoever deleted all copies would lose the filter.
  repeat: " · Gmail has it more than once: keep one",
};

/** The changes to an export. An import only adds filters: users delete the old ones by hand. */
function findChanges(
  filtersWithEntries: readonly FilterWithEntries[],
  { entries, filters, left_out }: Omit<GmailExport, "warnings">,
) {
  const findings = new Findings(filterFindings);
  const compared = compareInDetail(filtersWithEntries, findings, { entries, left_out });
  const { result, counts } = compared.comparison;
  const keyOf = ({ index }: { readonly index: number }) => entries[index]?.key;
  const copies = Map.groupBy(entries, ({ key }) => key);
  const goneCopies = Map.groupBy(compared.gone, keyOf);
  const gone = compared.gone.map((entry) => {
    const key = keyOf(entry) ?? "";
    const hasCopy = (copies.get(key)?.length ?? 0) > (goneCopies.get(key)?.length ?? 0);
    const kind = hasCopy && entry.kind === "removed" ? "repeat" : entry.kind;
    const note = GONE_NOTES[hasCopy ? "repeat" : kind];
    const filter = filters[entry.index] ?? {};
    return { ...entry, kind, actions: `${entry.actions}${note}`, filter };
  });
  return {
    summary: summarise(
      [...compared.added.values()],
      gone.map(({ kind }) => kind),
    ),
    /** The file to import. It must not overwrite the export in the same folder. */
    file: { ...result.file, name: "new-filters.xml" },
    entryCount: counts.new,
    /** The filters to import, by their indexes. */
    added: compared.added,
    /** The filters to delete, in the order of Gmail's list. */
    gone,
    /** Whether the account has no room for the new filters until old ones are deleted. */
    isAboveLimit: entries.length + left_out.length + counts.new > MAX_FILTERS,
  };
}

/** "2 changed, 1 removed, 24 merged into 7, 2 repeats removed" */
function summarise(added: readonly string[], gone: readonly string[]): string {
  const count = (kinds: readonly string[], kind: string) =>
    kinds.filter((other) => other === kind).length;
  const repeats = count(gone, "repeat");
  const parts = [
    [count(added, "changed"), "changed"],
    [count(added, "added"), "added"],
    [count(gone, "removed"), "removed"],
    [count(gone, "merged"), `merged into ${formatNumber(count(added, "merged"))}`],
    [repeats, `repeat${repeats > 1 ? "s" : ""} removed`],
  ] as const;
  return parts
    .flatMap(([number, words]) => (number > 0 ? `${formatNumber(number)} ${words}` : []))
    .join(", ");
}

/** Filters that one filter can replace. */
interface FilterGroup {
  /** The view with them: those to merge, or equal ones. */
  readonly view: "merge" | "duplicate-filter";
  /** Their indexes. */
  readonly members: readonly number[];
  readonly filter: FilterInput;
}

function findGroups(
  filters: ReturnType<typeof validateFilters>,
  leftOut: GmailExport["left_out"],
): readonly FilterGroup[] {
  const { merged, filters: after } = mergeValidFilters(filters, leftOut);
  return [
    ...merged.map(({ index, replaces }) => ({
      view: "merge" as const,
      members: replaces,
      filter: after[index] ?? {},
    })),
    ...findRepeats(filters, leftOut).map((members) => ({
      view: "duplicate-filter" as const,
      members,
      filter: filters[members[0] ?? 0] ?? {},
    })),
  ];
}
