import type { Findings, Path } from "../issues.ts";
import {
  codePointName,
  collapseSpaces,
  findNotXml,
  isSearchable,
  removeInvisible,
  removeNotXml,
} from "./characters.ts";

/**
 * Brings a text to the form in which Gmail would compare it: single spaces, nothing invisible.
 *
 * @returns undefined when it had to be refused.
 */
export function normalise(text: string, path: Path, findings: Findings): string | undefined {
  const forbidden = findNotXml(text);
  if (forbidden !== undefined) {
    findings.refuse(path, `must not contain ${codePointName(forbidden)}, which XML cannot carry`);
    return undefined;
  }
  const visible = withoutInvisible(text, path, findings);
  if (visible === "") {
    findings.refuse(path, "must not be blank");
    return undefined;
  }
  return visible;
}

/** The same for a text to search for, which needs a letter or a digit. */
export function normaliseSearchText(
  text: string,
  path: Path,
  findings: Findings,
): string | undefined {
  const normal = normalise(text, path, findings);
  if (normal === undefined || isSearchable(normal)) return normal;
  findings.refuse(path, "must contain a letter or a digit: Gmail does not search for punctuation");
  return undefined;
}

/** Names are only comments, so what XML cannot carry is removed from them rather than refused. */
export function normaliseName(name: string, path: Path, findings: Findings): string {
  const carried = removeNotXml(name);
  if (carried !== name) {
    findings.warn(
      "characters-removed",
      path,
      "characters that XML cannot carry were removed from the name",
    );
  }
  return withoutInvisible(carried, path, findings);
}

function withoutInvisible(text: string, path: Path, findings: Findings): string {
  const visible = removeInvisible(text);
  if (visible !== text) {
    findings.warn("invisible-removed", path, "invisible characters were removed");
  }
  return collapseSpaces(visible);
}
