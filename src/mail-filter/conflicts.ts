import type { Findings } from "../findings.ts";
import type { Actions } from "./actions.ts";
import type { Criteria } from "./criteria.ts";
import { overlaps } from "./overlap.ts";

interface ReadFilter {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

/**
 * Remarks on pairs of filters. Gmail applies every filter that matches, in no promised order and
 * without a stop rule, so opposite actions on the same mail have no defined outcome.
 */
export function findConflicts(filters: readonly ReadFilter[], findings: Findings): void {
  for (const [later, filter] of filters.entries()) {
    for (const [earlier, other] of filters.slice(0, later).entries()) {
      const path = ["filters", later];
      if (isSame(filter, other)) {
        findings.warn(
          "duplicate-filter",
          path,
          `is the same as filters[${earlier}]; the import adds both`,
        );
      } else if (overlaps(filter.criteria, other.criteria)) {
        const conflict = oppositeActions(filter.actions, other.actions);
        if (conflict) {
          findings.warn(
            "conflicting-filters",
            path,
            `can match the same mail as filters[${earlier}], but ${conflict}; Gmail applies both, in no promised order`,
          );
        }
      }
      remarkOnLabelCase(filter.actions.label, other.actions.label, [...path, "label"], findings);
    }
  }
}

const isSame = (a: ReadFilter, b: ReadFilter): boolean =>
  JSON.stringify(a.criteria).toLowerCase() === JSON.stringify(b.criteria).toLowerCase() &&
  JSON.stringify(a.actions) === JSON.stringify(b.actions);

function oppositeActions(a: Actions, b: Actions): string | undefined {
  const keeps = (actions: Actions) =>
    !actions.delete && (actions.star || actions.label || actions.importance === "always");
  if ((a.delete && keeps(b)) || (b.delete && keeps(a))) return "only one of them deletes it";
  if (a.importance && b.importance && a.importance !== b.importance) {
    return "one marks it as important and the other as unimportant";
  }
  if (a.category && b.category && a.category !== b.category) {
    return "they put it in different categories";
  }
  return undefined;
}

function remarkOnLabelCase(
  label: string | undefined,
  other: string | undefined,
  path: readonly (string | number)[],
  findings: Findings,
): void {
  if (label !== other && label?.toLowerCase() === other?.toLowerCase()) {
    findings.warn(
      "label-differs-in-case",
      path,
      `differs from the label ${other} only in case; Gmail takes them for one`,
    );
  }
}
