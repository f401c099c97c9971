import { Diagnostics, type Issue } from "../issues.ts";
import { soundPart } from "../sound-part.ts";
import type { FilterDiagnostics } from "./diagnostics.ts";
import { FIELDS } from "./filter.ts";
import { readFilter } from "./generate.ts";

/**
 * What else is wrong with an input that breaks the schema: the fields in which the schema finds
 * nothing are read as always, so that all problems can be mended in one go.
 *
 * @param known what the schema finds.
 */
export function furtherIssues(input: unknown, known: readonly Issue[]): readonly Issue[] {
  const filters = Object(input).filters;
  if (!Array.isArray(filters) || known.some(({ path }) => path === "filters")) return [];
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const pathsOf = pathsByFilter(known);
  for (const [index, filter] of filters.entries()) {
    const paths = pathsOf.get(index) ?? new Set();
    if (paths.has(`filters[${index}]`)) continue;
    const isComplete = paths.size === 0;
    readFilter(
      soundPart(filter, FIELDS, `filters[${index}]`, paths),
      index,
      diagnostics.at("filters", index),
      isComplete,
    );
  }
  return diagnostics.issues;
}

/** The paths of issues, by the index of the filter that they are in. */
function pathsByFilter(issues: readonly Issue[]): ReadonlyMap<number, ReadonlySet<string>> {
  const paths = new Map<number, Set<string>>();
  for (const { path } of issues) {
    const index = Number(/^filters\[(\d+)\]/.exec(path)?.[1]);
    const ofFilter = paths.get(index) ?? new Set();
    paths.set(index, ofFilter.add(path));
  }
  return paths;
}
