import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings, Path } from "../issues.ts";
import { type Actions, readActions } from "./actions.ts";
import { caution } from "./cautions.ts";
import { type Criteria, readCriteria } from "./criteria.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "./limits.ts";
import { normaliseName } from "./normalise.ts";
import { requireParts } from "./requirements.ts";
import { split } from "./split.ts";

/** A filter after reading: what it selects, what it does, and the parts it is written as. */
export interface ReadFilter {
  readonly name: string;
  readonly criteria: Criteria;
  readonly actions: Actions;
  readonly parts: readonly Criteria[];
}

/** Reads one filter; what cannot be honoured is refused through `findings`. */
export function readFilter(filter: FilterInput, index: number, findings: Findings): ReadFilter {
  const path: Path = ["filters", index];
  requireParts(filter, path, findings);
  const name = normaliseName(filter.name ?? "", [...path, "name"], findings);
  const criteria = readCriteria(filter, path, findings);
  const actions = readActions(filter, path, findings);
  caution(criteria, actions, path, findings);
  const parts = splitOrRefuse(criteria, path, findings);
  if (parts.length > 1) remarkOnSplit(parts.length, actions, path, findings);
  return { name: name || `Filter ${index + 1}`, criteria, actions, parts };
}

function splitOrRefuse(criteria: Criteria, path: Path, findings: Findings): readonly Criteria[] {
  const parts = split(criteria);
  if (parts === "too-many") {
    findings.refuse(
      path,
      `must be shorter: it would become more than ${MAX_FILTERS} filters, and Gmail keeps no more`,
    );
    return [];
  }
  if (parts === "too-long") {
    const words = criteria.words.map(({ text }) => text).join(" ");
    const exclusions = criteria.exclusions.join(" ");
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    findings.refuse(
      [...path, field],
      `must be shorter: a Gmail filter holds ${MAX_SEARCH_LENGTH} characters, and only from, to and subject can be split over several`,
    );
    return [];
  }
  return parts;
}

function remarkOnSplit(count: number, actions: Actions, path: Path, findings: Findings): void {
  findings.info(
    "split",
    path,
    `was too long for one filter and became ${count}, which together match the same mail`,
  );
  if (actions.forwardTo) {
    findings.warn(
      "forward-split",
      [...path, "forward_to"],
      "may get a mail twice that matches two of the filters this one became",
    );
  }
}
