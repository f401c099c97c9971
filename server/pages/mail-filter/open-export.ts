import {
  type FilterInput,
  type MailFilterResult,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { InvalidInputError, replaceFieldNames, validate } from "../../../src/issues.ts";
import { withoutSchema } from "../../../src/json-text.ts";
import { JsonTextError, readJsonTree } from "../../../src/json-tree.ts";
import { compareEntries } from "../../../src/mail-filter/compare.ts";
import { type GmailExport, readExport } from "../../../src/mail-filter/export.ts";
import { validFilters } from "../../../src/mail-filter/filter.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import { listSomeClauses, plural, thousands } from "../../../src/text.ts";

/** The filters of a text, or why there are none. `isExport` for what a form can be compared with. */
type Opened =
  | {
      readonly filters: readonly FilterInput[];
      readonly summary: string;
      readonly isExport: boolean;
    }
  | { readonly reason: string };

/** Reads a `mailFilters.xml`, or an input in JSON. */
export function openFilters(text: string): Opened {
  try {
    if (/^\uFEFF?\s*[{/]/.test(text)) {
      const filters = validFilters(withoutSchema(readJsonTree(text).value));
      return { filters, summary: `Read ${plural(filters.length, "filter")}.`, isExport: false };
    }
    const read = readExport(text);
    const count = read.filters.length;
    const left = leftOutWords(read);
    if (count === 0) return { reason: `This file has no filter to read.${left}` };
    if (count > MAX_FILTERS)
      return {
        reason: `This file has ${plural(count, "filter")}, and Gmail keeps at most ${thousands(MAX_FILTERS)}.`,
      };
    return {
      filters: read.filters,
      summary: `Read ${plural(count, "filter")}.${left}`,
      isExport: true,
    };
  } catch (error) {
    return { reason: `This file cannot be read: ${reasonOf(error, text)}.` };
  }
}

function reasonOf(error: unknown, text: string): string {
  if (error instanceof JsonTextError)
    return `line ${text.slice(0, error.offset).split(/\r\n|\r|\n/).length}: ${error.message}`;
  if (!(error instanceof InvalidInputError)) throw error;
  const [{ path, message } = { path: "", message: "" }] = error.issues;
  return [path, replaceFieldNames(message)].filter(Boolean).join(": ");
}

function leftOutWords({ left_out, idle }: GmailExport): string {
  if (left_out.length === 0) return "";
  const named = left_out.map(({ entry, reason }) => `filter ${entry + 1} ${reason}`);
  const keep = left_out.length > 1 ? "Keep them in Gmail." : "Keep it in Gmail.";
  return ` Left out: ${listSomeClauses(named)}.${idle.length < left_out.length ? ` ${keep}` : ""}`;
}

/** What a form changes of an export. An import adds and replaces nothing: what is old is deleted by hand. */
export interface Changes {
  readonly summary: string;
  readonly added: string;
  readonly file: MailFilterResult["file"];
  readonly steps: readonly string[];
  /** The filters to delete, as Gmail lists them. */
  readonly old: readonly string[];
}

let last: { readonly source: string; readonly read: GmailExport } | undefined;

export function findChanges(source: string, input: unknown): Changes {
  if (last?.source !== source) last = { source, read: readExport(source) };
  const valid = validate(mailFilterContract.local_input, input);
  const { result, counts, only_there: old } = compareEntries(valid, last.read);
  const changed = plural(counts.changed, "changed filter");
  const isNew = counts.new > counts.changed;
  const added = isNew
    ? `${counts.changed > 0 ? `${counts.new - counts.changed} new and ${changed}` : plural(counts.new, "new filter")}`
    : changed;
  const toDelete = plural(old.length, "old filter");
  return {
    added: counts.new > 0 ? added : "",
    summary: [
      counts.new > 0 ? `${added} to import` : "Nothing to import",
      old.length > 0 ? `${toDelete} to delete in Gmail` : "",
    ]
      .filter(Boolean)
      .join(", "),
    file: { ...result.file, name: result.file.name },
    steps: [
      ...(counts.new > 0 ? result.how_to_import : []),
      ...(counts.new > 0 && old.length > 0
        ? [`Only then delete the ${toDelete} by hand, named below.`]
        : []),
    ],
    old,
  };
}
