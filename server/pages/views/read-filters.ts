import { InvalidInputError } from "../../../src/issues.ts";
import type { LeftOut } from "../../../src/mail-filter/existing/read-mail-filters.ts";
import { plural } from "../../../src/text.ts";
import type { ReadText } from "../view.ts";

/**
 * Reads the filters of a `mailFilters.xml`, which is opened and never pasted. Undefined for any other
 * text, and for a file without a filter that the form can hold.
 */
export async function readFilters(text: string, field?: string): Promise<ReadText | undefined> {
  const { readMailFilters } = await import(
    "../../../src/mail-filter/existing/read-mail-filters.ts"
  );
  if (field !== undefined) return undefined;
  try {
    const { filters, left_out } = readMailFilters(text);
    if (filters.length === 0) return undefined;
    return {
      input: { filters },
      summary: `Read ${plural(filters.length, "filter")}.${leftOutWords(left_out)}`,
    };
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
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
