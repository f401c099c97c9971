import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings, Path } from "../issues.ts";
import { allGroups } from "./expression.ts";
import { readList } from "./read-list.ts";
import { type WordsTerm, wordsTerm } from "./words.ts";

/** Reads the `has_words` of a filter, with remarks on what its items mean together. */
export function readWords(
  filter: FilterInput,
  path: Path,
  findings: Findings,
): readonly WordsTerm[] {
  const terms = readList(filter.has_words, path, findings, (text, itemPath) => {
    const term = wordsTerm(text, itemPath, findings);
    return term ? [term] : [];
  });
  const [first, second] = terms.filter(({ expression }) => !expression);
  if (first && second) {
    findings.info(
      "all-words-required",
      path,
      `a mail must have all of these; for any of them write one item, as in ${first.text} OR ${second.text}`,
    );
  }
  const sized = filter.larger_than_mb !== undefined || filter.smaller_than_mb !== undefined;
  if (sized && terms.some(asksForSize)) {
    findings.warn(
      "size-twice",
      path,
      "also asks for a size, beside larger_than_mb or smaller_than_mb",
    );
  }
  return terms;
}

const asksForSize = ({ expression }: WordsTerm): boolean =>
  expression !== undefined &&
  allGroups(expression)
    .flatMap(({ terms }) => terms)
    .some(({ operator }) => /^(?:size|larger|smaller)$/i.test(operator ?? ""));
