import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import { type Actions, readActions } from "./actions.ts";
import { caution } from "./cautions.ts";
import { type Criteria, readCriteria } from "./criteria.ts";
import { normaliseName } from "./normalise.ts";
import { requireParts } from "./requirements.ts";
import { searchString } from "./search.ts";
import { MAX_SEARCH_LENGTH, split } from "./split.ts";

/** A filter after reading: what it selects, what it does, and the entries it is written as. */
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
  return {
    name: name || `Filter ${index + 1}`,
    criteria,
    actions,
    parts: splitOrRefuse(criteria, actions, path, findings),
  };
}

function splitOrRefuse(
  criteria: Criteria,
  actions: Actions,
  path: Path,
  findings: Findings,
): readonly Criteria[] {
  const parts = split(criteria);
  if (!parts) {
    const [words, exclusions] = [criteria.words.join(" "), criteria.exclusions.join(" ")];
    const field = words.length >= exclusions.length ? "has_words" : "does_not_have";
    findings.refuse(
      [...path, field],
      `must be shorter: a Gmail filter holds ${MAX_SEARCH_LENGTH} characters, and only from, to and subject can be split over several`,
    );
    return [];
  }
  if (parts.some((part) => byteLength(searchString(part)) > MAX_SEARCH_LENGTH)) {
    findings.info(
      "long-in-bytes",
      path,
      "is near the limit once written in bytes; check after the import that Gmail took it whole",
    );
  }
  if (parts.length > 1) {
    findings.info(
      "split",
      path,
      `was too long for one filter and became ${parts.length}, which together match the same mail`,
    );
    if (actions.forwardTo) {
      findings.warn(
        "forward-split",
        [...path, "forward_to"],
        "may get a mail twice that matches two of the filters this one became",
      );
    }
  }
  return parts;
}

/** Nobody knows whether Gmail counts its limit in characters or in bytes. */
const byteLength = (text: string): number => new TextEncoder().encode(text).length;
