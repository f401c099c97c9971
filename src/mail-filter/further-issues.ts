import { manyFiltersInput } from "../../schemas/inputs/mail-filter.ts";
import type { ValidMailFilterInput } from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { groupBy } from "../group-by.ts";
import type { Issue } from "../issues.ts";
import { validInput } from "../tool.ts";
import { keepValidFields } from "../validate.ts";
import { ACTION_FIELDS, CONDITIONS } from "./fields.ts";
import { readFilter } from "./filter.ts";
import { type FilterFindings, filterFindings } from "./findings.ts";

/**
 * Finds more issues in an input that breaks the schema, by reading the fields that are valid, so
 * that the user can fix all problems at once.
 *
 * @param known the issues that the schema finds.
 */
export function furtherIssues(input: unknown, known: readonly Issue[]): readonly Issue[] {
  const filters = Object(input).filters;
  if (!Array.isArray(filters) || known.some(({ path }) => path === "filters")) return [];
  const findings: FilterFindings = new Findings(filterFindings);
  const pathsByIndex = pathsByFilter(known);
  for (const [index, filter] of filters.entries()) {
    const paths = pathsByIndex.get(index) ?? new Set();
    if (paths.has(`filters[${index}]`)) continue;
    const isComplete = paths.size === 0;
    readFilter(
      keepValidFields(filter, FILTER_FIELDS, `filters[${index}]`, paths),
      index,
      findings.at("filters", index),
      isComplete,
    );
  }
  return findings.issues;
}

const FILTER_FIELDS: ReadonlySet<string> = new Set(["name", ...CONDITIONS, ...ACTION_FIELDS]);

/**
 * The filters of an input with the local limits, up to 10,000.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const validFilters = (input: unknown): ValidMailFilterInput["filters"] =>
  validInput(manyFiltersInput, input, furtherIssues).filters;

/** The paths of issues, by the index of the filter that they are in. */
function pathsByFilter(
  issues: readonly Issue[],
): ReadonlyMap<number | undefined, ReadonlySet<string>> {
  const groups = groupBy(issues, ({ path }) => filterIndex(path));
  return new Map(
    [...groups].map(([index, group]) => [index, new Set(group.map(({ path }) => path))]),
  );
}

/** The index of the filter that a path is in; undefined for another path. */
export const filterIndex = (path: string): number | undefined => {
  const index = /^filters\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? undefined : Number(index);
};
