import type { Findings, Path } from "../issues.ts";
import { normaliseSearchText } from "./normalise.ts";
import type { ListTerm } from "./text-term.ts";

/** Reads the items of a list one by one and leaves out terms that repeat an earlier one. */
export function readList<Term extends ListTerm>(
  items: readonly string[] | undefined,
  path: Path,
  findings: Findings,
  readItem: (text: string, path: Path) => readonly Term[],
): readonly Term[] {
  const terms = new Map<string, Term>();
  for (const [index, item] of (items ?? []).entries()) {
    const itemPath = [...path, index];
    const text = normaliseSearchText(item, itemPath, findings);
    for (const term of text === undefined ? [] : readItem(text, itemPath)) {
      if (terms.has(term.key)) {
        findings.info("repeated", itemPath, `${term.text} is already in the list, left out`);
      } else {
        terms.set(term.key, term);
      }
    }
  }
  return [...terms.values()];
}
