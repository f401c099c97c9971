import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings, Path } from "../issues.ts";
import { addressTerms } from "./address-terms.ts";
import { exclusionTerm } from "./exclusions.ts";
import { readList } from "./read-list.ts";
import { readWords } from "./read-words.ts";
import { readSizes, type SizeRange } from "./size.ts";
import { type ListTerm, textTerm } from "./text-term.ts";
import type { WordsTerm } from "./words.ts";

/** What selects mail, in Gmail's search syntax, item by item. */
export interface Criteria extends SizeRange {
  /** Any of them. */
  readonly from: readonly string[];
  /** Any of them. */
  readonly to: readonly string[];
  /** Any of them. */
  readonly subject: readonly string[];
  /** All of them. */
  readonly words: readonly WordsTerm[];
  /** None of them. */
  readonly exclusions: readonly string[];
  readonly hasAttachment: boolean;
}

/** Reads a filter's conditions; what cannot be honoured is refused through `findings`. */
export function readCriteria(filter: FilterInput, path: Path, findings: Findings): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) =>
    readList(filter[field], [...path, field], findings, (item, itemPath) =>
      toListTerms(readItem(item, itemPath, findings)),
    ).map(({ text }) => text);
  return {
    from: read("from", addressTerms),
    to: read("to", addressTerms),
    subject: read("subject", textTerm),
    words: readWords(filter, [...path, "has_words"], findings),
    exclusions: read("does_not_have", exclusionTerm),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, path, findings),
  };
}

/** The term or terms that an item became, none when it was refused. */
type ItemTerms = string | readonly string[] | undefined;
type ReadItem = (text: string, path: Path, findings: Findings) => ItemTerms;

const toListTerms = (terms: ItemTerms = []): readonly ListTerm[] =>
  [terms].flat().map((text) => ({ text, key: text.toLowerCase() }));
