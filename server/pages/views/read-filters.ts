import { mailFilterMergeInput } from "../../../schemas/mail-filter.ts";
import { InvalidInputError, replaceFieldNames } from "../../../src/issues.ts";
import { withoutReport, withoutSchema } from "../../../src/json-text.ts";
import { furtherIssues } from "../../../src/mail-filter/filter.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { LeftOut } from "../../../src/mail-filter/gmail-export/read-mail-filters.ts";
import type { readExport } from "../../../src/mail-filter/mail-filter-export.ts";
import { plural, thousands } from "../../../src/text.ts";
import { validInput } from "../../../src/tool.ts";
import type { ReadText, UnreadText } from "../view.ts";

/** Reads the filters of a `mailFilters.xml` or of our JSON, which is opened and never pasted. */
export async function readFilters(
  text: string,
  field?: string,
): Promise<ReadText | UnreadText | undefined> {
  const { readExport } = await import("../../../src/mail-filter/mail-filter-export.ts");
  if (field !== undefined) return undefined;
  if (/^\uFEFF?\s*[{/]/.test(text)) return readOwnJson(text);
  try {
    const { filters, left_out, idle, merge } = readExport(text);
    const fewer = offerOf(merge(), filters);
    if (filters.length === 0)
      return { reason: `This file has no filter to read.${leftOutWords(left_out)}` };
    if (filters.length > MAX_FILTERS) return { ...tooMany(filters), ...fewer };
    return {
      input: { filters },
      summary: `Read ${plural(filters.length, "filter")}.${leftOutWords(left_out)}`,
      ...fewer,
      idle: idle.map(({ entry, reason }) => `Filter ${entry + 1} of the file ${reason}.`),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [issue] = error.issues;
    if (!text.includes("<feed")) return { reason: "This is not a Gmail export." };
    return { reason: `This file ${issue?.message.replace(/\.$/, "")}.` };
  }
}

/** An input of the command line, perhaps with comments, or what its `--merge --json` prints. */
async function readOwnJson(text: string): Promise<ReadText | UnreadText> {
  const { JsonTextError, readJsonTree } = await import("../../../src/json-tree.ts");
  try {
    const input = withoutReport(withoutSchema(readJsonTree(text).value));
    const { filters } = validInput(mailFilterMergeInput, input, furtherIssues);
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

/** The new filters of a merge, to be chosen, or the repeats alone. */
function offerOf(
  { input, result: { merged, dropped }, report }: ExportMerge,
  filters: readonly object[],
) {
  if (merged.length + dropped.length === 0) return {};
  const text = report.join("\n");
  if (merged.length === 0) return { report: text };
  const places = new Set(merged.flatMap(({ from }) => from));
  const replaced = places.size;
  const count = plural(merged.length, "filter");
  return {
    offer: {
      label: `Merge ${thousands(replaced)} of them into ${thousands(merged.length)}`,
      hint: "The same happens to all mail. You import the new ones, and then delete the old ones by hand.",
      done: "Merged",
      read: {
        input,
        summary: `${count} in place of ${thousands(replaced)}: import first, then delete what the report names.`,
        report: text,
      },
      replaces: filters.filter((_, index) => places.has(index)),
    },
  };
}

type ExportMerge = ReturnType<ReturnType<typeof readExport>["merge"]>;

/** Gmail can export a thousand filters. */
const MAX_NAMED = 3;

function leftOutWords(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return "";
  const named = leftOut
    .slice(0, MAX_NAMED)
    .map(({ entry, reason }) => `filter ${entry + 1} ${reason}`);
  const others = leftOut.length - named.length;
  return ` Left out: ${[...named, ...(others > 0 ? [`and ${others} more`] : [])].join("; ")}.`;
}
