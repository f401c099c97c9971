import { InvalidInputError } from "../../../src/issues.ts";
import { MAX_FILTERS } from "../../../src/mail-filter/gmail.ts";
import type { LeftOut } from "../../../src/mail-filter/gmail-export/read-mail-filters.ts";
import { plural, thousands } from "../../../src/text.ts";
import type { ReadText, UnreadText } from "../view.ts";

/** Reads the filters of a `mailFilters.xml`, which is opened and never pasted. */
export async function readFilters(
  text: string,
  field?: string,
): Promise<ReadText | UnreadText | undefined> {
  const { readMailFilters } = await import(
    "../../../src/mail-filter/gmail-export/read-mail-filters.ts"
  );
  if (field !== undefined) return undefined;
  try {
    const { filters, left_out } = readMailFilters(text);
    if (filters.length === 0)
      return { reason: `This file has no filter to read.${leftOutWords(left_out)}` };
    if (filters.length > MAX_FILTERS) {
      const limit = thousands(MAX_FILTERS);
      return {
        reason: `This file has ${plural(filters.length, "filter")}, and Gmail keeps at most ${limit}.`,
      };
    }
    return {
      input: { filters },
      summary: `Read ${plural(filters.length, "filter")}.${leftOutWords(left_out)}`,
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [issue] = error.issues;
    return { reason: `This file ${issue?.message.replace(/\.$/, "")}.` };
  }
}

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
