import type { Editable } from "../../../schemas/common.ts";
import {
  type FilterInput,
  MAX_FILTER_NAME,
  mailFilterContract,
} from "../../../schemas/mail-filter.ts";
import { Diagnostics, InvalidInputError, type Issue } from "../../issues.ts";
import { validate } from "../../validate.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { ACTIONS, SEARCH_CONDITIONS } from "../fields.ts";
import { type ParsedFilter, readFilter } from "../filter.ts";
import { entryProperties, type Properties } from "../write.ts";

export const cutToName = (text: string): string =>
  [...text.trim()].slice(0, MAX_FILTER_NAME).join("").trim();

/** A filter of the input, with its search and the entries that it is written as. */
interface Written extends ParsedFilter {
  readonly filter: Editable<FilterInput>;
  readonly entries: readonly Properties[];
}

/**
 * Writes one filter as entries, or says why Gmail cannot express it.
 *
 * @param origins the properties of an export that the first items of `has_words` come from.
 */
export function writeFilter(
  filter: object,
  origins: readonly string[] = [],
): Written | { readonly reason: string } {
  try {
    const input = validate(mailFilterContract.local_input, { filters: [filter] });
    const [valid = {}] = input.filters;
    const diagnostics: FilterDiagnostics = Diagnostics.start();
    const parsed = readFilter(valid, 0, diagnostics.at("filters", 0));
    diagnostics.throwIfRejected();
    const entries = parsed.parts.map((part) => entryProperties(part, parsed.actions));
    return { ...parsed, filter: valid, entries };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { reason: describeRejection(error.issues, origins) };
  }
}

/** The first issue of a filter, with the name that its field has in an export. */
function describeRejection([issue]: readonly Issue[], origins: readonly string[]): string {
  if (!issue) return "is rejected";
  const [, field = "", index] = /^filters\[0\]\.?(\w*)(?:\[(\d+)\])?/.exec(issue.path) ?? [];
  const origin = field === "has_words" ? origins[Number(index)] : undefined;
  const known = [...SEARCH_CONDITIONS, ...ACTIONS].find((one) => one.field === field);
  const property = origin ?? known?.property ?? field;
  return property === "" ? issue.message : `${property}: ${issue.message}`;
}
