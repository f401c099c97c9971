import { mailFilterContract } from "../../../schemas/mail-filter.ts";
import { InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { withoutReport, withoutSchema } from "../../../src/json-text.ts";
import { validFilters } from "../../../src/mail-filter/filter.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import { type GmailExport, readExport } from "../../../src/mail-filter/mail-filter-export.ts";
import { mergeValidFilters } from "../../../src/mail-filter/merge.ts";
import { listSomeClauses, plural, thousands } from "../../../src/text.ts";
import { validate } from "../../../src/validate.ts";
import { sentence } from "../parts.ts";
import type { ReadExtras, ReadText, UnreadText } from "../view.ts";
import { exportChanges } from "./export-changes.ts";
import { filterMeaning, listFilters } from "./mail-trial/mail-trial.ts";

/** Reads the filters of a `mailFilters.xml` or of our JSON; nothing of a text pasted into a field. */
export async function readFilters(
  text: string,
  field?: string,
): Promise<ReadText | UnreadText | undefined> {
  if (field !== undefined) return undefined;
  if (/^\uFEFF?\s*[{/]/.test(text)) return readOwnJson(text);
  try {
    const read = readExport(text);
    const { filters } = read;
    if (filters.length === 0)
      return { reason: `This file has no filter to read.${leftOutWords(read)}` };
    if (filters.length > MAX_FILTERS) return { ...tooMany(filters), ...offerToMerge(read) };
    return {
      input: { filters },
      summary: `Read ${plural(filters.length, "filter")}.${leftOutWords(read)}`,
      ...exportExtras(read, text),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [issue] = error.issues;
    return { reason: `This ${issue?.message}.` };
  }
}

/** An input of the command line, perhaps with comments, or what its `merge --json` prints. */
async function readOwnJson(text: string): Promise<ReadText | UnreadText> {
  const { JsonTextError, readJsonTree } = await import("../../../src/json-tree.ts");
  try {
    const input = withoutReport(withoutSchema(readJsonTree(text).value));
    const filters = validFilters(input);
    if (filters.length > MAX_FILTERS) return tooMany(filters);
    return { input: { filters }, summary: `Read ${plural(filters.length, "filter")}.` };
  } catch (error) {
    if (error instanceof JsonTextError) {
      const line = text.slice(0, error.offset).split(/\r\n|\r|\n/).length;
      return { reason: `This file cannot be read: line ${line}: ${error.message}.` };
    }
    if (!(error instanceof InvalidInputError)) throw error;
    const [{ path, message } = { path: "", message: "" }] = error.issues;
    const problem = [path, replaceFieldNames(message)].filter(Boolean).join(": ");
    return { reason: `This file cannot be read: ${problem}.` };
  }
}

const tooMany = ({ length }: readonly unknown[]): UnreadText => ({
  reason: `This file has ${plural(length, "filter")}, and Gmail keeps at most ${thousands(MAX_FILTERS)}.`,
});

/** What an export gives besides its filters: the form is compared with it, also after a merge. */
function exportExtras(read: GmailExport, source: string): ReadExtras {
  const offer = offerToMerge(read, () => extras);
  const joined = new Set(read.merge().input.filters.map(filterMeaning));
  // A filter that the file has already does not show that the form was merged.
  for (const filter of read.filters) joined.delete(filterMeaning(filter));
  const extras: ReadExtras = {
    source,
    changes: perInput((input) => {
      const filters = listFilters(input);
      const isMerged = filters.some((filter) => joined.has(filterMeaning(filter)));
      return exportChanges(compareTo(read, input), filters.length, isMerged);
    }),
    ...offer,
    idle: read.idle.map(({ entry, reason }) => `Filter ${entry + 1} of the file ${reason}.`),
  };
  return extras;
}

/** Compares a valid input with the file. */
const compareTo = ({ compare }: GmailExport, input: unknown) =>
  compare(validate(mailFilterContract.local_input, input));

/**
 * Offers a merge of the form's filters, or to leave out repeats. Where Gmail has no room for old and
 * new at once, the new filters are offered alone, with a report on how to bring them there.
 *
 * @param extras those of a file that the form can be compared with.
 */
function offerToMerge(
  read: GmailExport,
  extras?: () => ReadExtras,
): Pick<ReadExtras, "offer" | "report"> {
  const { filters, size } = read;
  if (extras) {
    const offer: NonNullable<ReadExtras["offer"]> = perInput((input) => {
      const fewer = input === undefined ? undefined : mergeForm(read, input);
      if (!fewer) return undefined;
      const { label, replaces } = fewer;
      const { counts, only_there: gone } = compareTo(read, fewer.read.input);
      const imports =
        counts.new > 0 ? `Import the ${plural(counts.new, "new filter")}, then delete` : "Delete";
      return {
        label,
        hint: `${AS_BEFORE} ${imports} the ${plural(gone.length, "old one")} in Gmail.`,
        done: "Merged",
        replaces,
        read: { ...fewer.read, ...extras() },
      };
    });
    const all = mergeForm(read, { filters });
    if (!all) return {};
    if (size + compareTo(read, all.read.input).counts.new <= MAX_FILTERS) return { offer };
  }
  const { input, result, report: lines } = read.merge();
  const report = lines.join("\n");
  const mergedFrom = new Set(result.merged.flatMap(({ from }) => from));
  if (mergedFrom.size === 0) return result.dropped.length > 0 ? { report } : {};
  const [before, after] = [mergedFrom.size, result.merged.length].map(thousands);
  const inBatches = {
    label: `Merge ${before} of them into ${after}`,
    hint: `${AS_BEFORE} The report says what to import and what to delete.`,
    done: "Merged",
    replaces: filters.filter((_, index) => mergedFrom.has(index)),
    read: {
      input,
      summary: `${after} new in place of ${before}: import first, then delete what the report names.`,
      report,
    },
  };
  return { offer: () => inBatches };
}

const AS_BEFORE = "Your mail is treated exactly as before.";

/** The form with fewer filters, the new ones first; undefined when there is nothing to merge. */
function mergeForm({ filters, counts, left_out }: GmailExport, input: unknown) {
  const known = new Map(filters.map((filter, index) => [filterMeaning(filter), counts[index]]));
  const given = validate(mailFilterContract.local_input, input).filters;
  const countsOf = given.map((filter) => known.get(filterMeaning(filter)));
  const { merged, dropped, filters: all } = mergeValidFilters(given, left_out, countsOf);
  if (merged.length + dropped.length === 0) return undefined;
  const mergedFrom = new Set(merged.flatMap(({ from }) => from));
  const added = new Set(merged.map(({ into }) => all[into]));
  const repeats = dropped.length > 0 && `leave out ${plural(dropped.length, "repeat")}`;
  const joins =
    merged.length > 0 &&
    `merge ${thousands(mergedFrom.size)} of them into ${thousands(merged.length)}`;
  return {
    read: {
      input: { filters: [...added, ...all.filter((filter) => !added.has(filter))] },
      summary: `${plural(given.length, "filter")} became ${thousands(all.length)}.`,
    },
    replaces: given.filter((_, index) => mergedFrom.has(index)),
    label: sentence([joins, repeats].filter(Boolean).join(" and ")),
  };
}

/** Does some work once for an input, though a page shows its outcome in several places. */
function perInput<Value>(work: (input: unknown) => Value): (input: unknown) => Value {
  let last: { readonly input: unknown; readonly value: Value } | undefined;
  return (input) => {
    if (!last || last.input !== input) last = { input, value: work(input) };
    return last.value;
  };
}

function leftOutWords({ left_out, idle }: Pick<GmailExport, "left_out" | "idle">): string {
  if (left_out.length === 0) return "";
  const named = left_out.map(({ entry, properties, reason }) => {
    const { from, to, subject, hasTheWord } = properties;
    const condition = from ?? to ?? subject ?? hasTheWord;
    return `filter ${entry + 1}${condition === undefined ? "" : ` (${condition.slice(0, 60)})`} ${reason}`;
  });
  const keep = left_out.length > 1 ? "Keep them in Gmail." : "Keep it in Gmail.";
  return ` Left out: ${listSomeClauses(named)}.${idle.length < left_out.length ? ` ${keep}` : ""}`;
}
