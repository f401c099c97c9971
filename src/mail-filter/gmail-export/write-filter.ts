import type { Editable } from "../../../schemas/common.ts";
import { MAX_FILTER_NAME } from "../../../schemas/inputs/mail-filter.ts";
import { type FilterInput, mailFilterContract } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../findings.ts";
import { InvalidInputError, type Issue } from "../../issues.ts";
import { validate } from "../../validate.ts";
import { ACTIONS, SEARCH_CONDITIONS } from "../fields.ts";
import { type ParsedFilter, readFilter } from "../filter.ts";
import { type FilterFindings, filterFindings } from "../findings.ts";
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
    const findings: FilterFindings = new Findings(filterFindings);
    const parsed = readFilter(valid, 0, findings.at("filters", 0));
    findings.throwIfRejected();
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
