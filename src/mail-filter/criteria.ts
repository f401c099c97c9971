import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import { addressTerms } from "./address.ts";
import { exclusionTerm } from "./exclusions.ts";
import { literal } from "./literal.ts";
import { normaliseSearchText } from "./normalise.ts";
import { readSizes, type SizeRange } from "./size.ts";
import { wordsTerm } from "./words.ts";

/** What selects mail, in Gmail's search syntax, item by item. */
export interface Criteria extends SizeRange {
  /** Any of them. */
  readonly from: readonly string[];
  /** Any of them. */
  readonly to: readonly string[];
  /** Any of them. */
  readonly subject: readonly string[];
  /** All of them. */
  readonly words: readonly string[];
  /** None of them. */
  readonly exclusions: readonly string[];
  readonly hasAttachment: boolean;
}

/** Gives the terms of one item, none when it was refused. */
type ReadItem = (text: string, path: Path, findings: Findings) => readonly string[];

const one =
  (read: (text: string, path: Path, findings: Findings) => string | undefined): ReadItem =>
  (text, path, findings) => {
    const term = read(text, path, findings);
    return term === undefined ? [] : [term];
  };

/** Reads a filter's conditions; what cannot be honoured is refused through `findings`. */
export function readCriteria(filter: FilterInput, path: Path, findings: Findings): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) =>
    readTerms(filter[field], [...path, field], findings, readItem);
  return {
    from: read("from", addressTerms),
    to: read("to", addressTerms),
    subject: read("subject", one(literal)),
    words: readWords(filter, [...path, "has_words"], findings),
    exclusions: read("does_not_have", one(exclusionTerm)),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, path, findings),
  };
}

function readWords(filter: FilterInput, path: Path, findings: Findings): readonly string[] {
  const plain = new Set<string>();
  const terms = readTerms(filter.has_words, path, findings, (text, itemPath) => {
    const term = wordsTerm(text, itemPath, findings);
    if (term?.plain) plain.add(term.text);
    return term ? [term.text] : [];
  });
  const [first, second] = terms.filter((term) => plain.has(term));
  if (second !== undefined) {
    findings.info(
      "all-words-required",
      path,
      `a mail must have all of these; for any of them write one item, as in ${first} OR ${second}`,
    );
  }
  const sized = filter.larger_than_mb !== undefined || filter.smaller_than_mb !== undefined;
  if (sized && terms.some((term) => /(?:^|[\s(-])(?:size|larger|smaller):/i.test(term))) {
    findings.warn(
      "size-twice",
      path,
      "also asks for a size, beside larger_than_mb or smaller_than_mb",
    );
  }
  return terms;
}

function readTerms(
  items: readonly string[] | undefined,
  path: Path,
  findings: Findings,
  readItem: ReadItem,
): readonly string[] {
  const terms = new Map<string, string>();
  for (const [index, item] of (items ?? []).entries()) {
    const itemPath = [...path, index];
    const text = normaliseSearchText(item, itemPath, findings);
    for (const term of text === undefined ? [] : readItem(text, itemPath, findings)) {
      const key = withoutCase(term);
      if (terms.has(key)) findings.info("repeated", itemPath, `${term} is already in the list`);
      else terms.set(key, term);
    }
  }
  return [...terms.values()];
}

/** Gmail ignores case but in its operators: `a or b` is not `a OR b`. */
const withoutCase = (term: string): string =>
  term.replace(/\S+/g, (word) => (/^(?:OR|AND|AROUND)$/.test(word) ? word : word.toLowerCase()));
