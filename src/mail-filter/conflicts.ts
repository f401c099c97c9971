import type { Findings, Path } from "../issues.ts";
import type { Actions } from "./actions.ts";
import { type Comparable, toComparable } from "./comparable.ts";
import type { Criteria } from "./criteria.ts";
import { overlaps } from "./overlap.ts";

interface Compared {
  readonly criteria: Criteria;
  readonly actions: Actions;
}

interface Candidate {
  readonly index: number;
  readonly actions: Actions;
  readonly criteria: Comparable;
  readonly criteriaKey: string;
  readonly actionsKey: string;
}

/**
 * Remarks on filters that do not go with an earlier one. Gmail applies every filter that
 * matches, in no promised order and without a stop rule, so opposite actions on the same mail
 * have no defined outcome.
 */
export function findConflicts(filters: readonly Compared[], findings: Findings): void {
  const candidates = filters.map(toCandidate);
  for (const [index, candidate] of candidates.entries()) {
    const earlier = candidates.slice(0, index);
    remarkOnPair(candidate, earlier, ["filters", index], findings);
    remarkOnLabelCase(candidate, earlier, ["filters", index, "label"], findings);
  }
}

function toCandidate({ criteria, actions }: Compared, index: number): Candidate {
  const comparable = toComparable(criteria);
  return {
    index,
    actions,
    criteria: comparable,
    criteriaKey: JSON.stringify(comparable),
    actionsKey: JSON.stringify(actions),
  };
}

/** One remark for a filter, on the first that it repeats or contradicts. */
function remarkOnPair(
  filter: Candidate,
  earlier: readonly Candidate[],
  path: Path,
  findings: Findings,
): void {
  const alike = earlier.filter((other) => other.criteriaKey === filter.criteriaKey);
  const same = alike.find((other) => other.actionsKey === filter.actionsKey);
  if (same) {
    findings.warn(
      "duplicate-filter",
      path,
      `is the same as filters[${same.index}]; the import adds both`,
    );
    return;
  }
  for (const other of earlier) {
    const conflict = oppositeActions(filter.actions, other.actions);
    if (conflict && (alike.includes(other) || overlaps(filter.criteria, other.criteria))) {
      findings.warn(
        "conflicting-filters",
        path,
        `can match the same mail as filters[${other.index}], but ${conflict}; Gmail applies both, in no promised order`,
      );
      return;
    }
  }
}

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
  { actions: { label } }: Candidate,
  earlier: readonly Candidate[],
  path: Path,
  findings: Findings,
): void {
  const other = earlier
    .map(({ actions }) => actions.label)
    .find((name) => name !== label && name?.toLowerCase() === label?.toLowerCase());
  if (other !== undefined) {
    findings.warn(
      "label-differs-in-case",
      path,
      `differs from the label ${other} only in case; Gmail takes them for one`,
    );
  }
}
