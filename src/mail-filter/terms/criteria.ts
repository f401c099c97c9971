import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { type FilterDiagnostics, type ItemDiagnostics, ListDiagnostics } from "../diagnostics.ts";
import { BYTES_PER_MB, kindOf } from "../gmail.ts";
import { addressTerms, recipientTerms } from "./address.ts";
import { exclusionTerms } from "./exclusion.ts";
import { allGroups } from "./expression.ts";
import { normaliseSearchText } from "./normalise.ts";
import { type ListTerm, subjectTerm } from "./text.ts";
import { type WordsTerm, wordsTerm } from "./words.ts";

/** The conditions of a filter in Gmail's search syntax, item by item. */
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

/** Reads a filter's conditions, and rejects those that Gmail cannot express. */
export function readCriteria(filter: FilterInput, diagnostics: FilterDiagnostics): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) =>
    readList(filter[field], diagnostics.at(field), (item, here) =>
      toListTerms(readItem(item, here)),
    ).map(({ text }) => text);
  return {
    from: read("from", addressTerms),
    to: read("to", recipientTerms),
    subject: read("subject", subjectTerm),
    words: readWords(filter, diagnostics.at("has_words")),
    exclusions: read("does_not_have", exclusionTerms),
    hasAttachment: filter.has_attachment === true,
    ...readSizes(filter, diagnostics),
  };
}

/** The term or terms of an item; none when it was rejected. */
type ItemTerms = string | readonly string[] | undefined;
type ReadItem = (text: string, diagnostics: ItemDiagnostics) => ItemTerms;

const toListTerms = (terms: ItemTerms = []): readonly ListTerm[] =>
  [terms].flat().map((text) => ({ text, key: text.toLowerCase() }));

/** Reads the items of a list one by one and leaves out terms that repeat an earlier one. */
function readList<Term extends ListTerm>(
  items: readonly string[] | undefined,
  diagnostics: FilterDiagnostics,
  readItem: (text: string, diagnostics: ItemDiagnostics) => readonly Term[],
): readonly Term[] {
  if (items === undefined) return [];
  const terms = new Map<string, Term>();
  const found = new ListDiagnostics(diagnostics);
  for (const [index, item] of items.entries()) {
    const text = normaliseSearchText(item, found);
    for (const term of text === undefined ? [] : readItem(text, found)) {
      if (terms.has(term.key)) {
        found.info("repeated", `${term.text} is already in the list, left out`);
      } else {
        terms.set(term.key, term);
      }
    }
    found.endItem(index);
  }
  found.endList();
  return [...terms.values()];
}

/** Reads the `has_words` of a filter, with warnings about its items taken together. */
function readWords(filter: FilterInput, diagnostics: FilterDiagnostics): readonly WordsTerm[] {
  const terms = readList(filter.has_words, diagnostics, (text, here) => {
    const term = wordsTerm(text, here);
    return term ? [term] : [];
  });
  const [first, second] = terms.filter(({ expression }) => !expression);
  if (first && second) {
    diagnostics.info(
      "all-words-required",
      `a mail must have all of these; for any of them write one item, as in ${first.text} OR ${second.text}`,
    );
  }
  const sized = filter.larger_than_mb !== undefined || filter.smaller_than_mb !== undefined;
  if (sized && terms.some(asksForSize)) {
    diagnostics.warn(
      "size-twice",
      "also asks for a size, beside `larger_than_mb` or `smaller_than_mb`",
    );
  }
  return terms;
}

const asksForSize = ({ expression }: WordsTerm): boolean =>
  expression !== undefined &&
  allGroups(expression)
    .flatMap(({ terms }) => terms)
    .some(({ operator }) => kindOf(operator) === "size");

/** A size as both the filter and the search write it, so that the two cannot differ. */
export interface Size {
  /** As it was asked for. */
  readonly megabytes: number;
  readonly value: number;
  readonly unit: "MB" | "bytes";
}

interface SizeRange {
  readonly larger?: Size;
  readonly smaller?: Size;
}

function readSizes(filter: FilterInput, diagnostics: FilterDiagnostics): SizeRange {
  const larger = readSize(filter.larger_than_mb, diagnostics.at("larger_than_mb"));
  const smaller = readSize(filter.smaller_than_mb, diagnostics.at("smaller_than_mb"));
  if (larger && smaller && inBytes(larger) >= inBytes(smaller)) {
    diagnostics
      .at("larger_than_mb")
      .reject("must be less than `smaller_than_mb`, or no mail can match");
  }
  if (larger && inBytes(larger) >= LARGEST_MAIL_MB * BYTES_PER_MB) {
    diagnostics
      .at("larger_than_mb")
      .warn(
        "larger-than-any-mail",
        `Gmail receives mail of up to ${LARGEST_MAIL_MB} MB, so nothing may match`,
      );
  }
  return { ...(larger && { larger }), ...(smaller && { smaller }) };
}

function readSize(megabytes: number | undefined, diagnostics: FilterDiagnostics): Size | undefined {
  if (megabytes === undefined) return undefined;
  if (megabytes * BYTES_PER_MB < 1) diagnostics.reject("must be at least one byte");
  return toSize(megabytes);
}

/** Whole megabytes keep Gmail's unit; others become whole bytes, rounded. */
const toSize = (megabytes: number): Size =>
  Number.isInteger(megabytes)
    ? { megabytes, value: megabytes, unit: "MB" }
    : { megabytes, value: Math.round(megabytes * BYTES_PER_MB), unit: "bytes" };

/** Mail above this size does not reach Gmail. */
const LARGEST_MAIL_MB = 50;

export const inBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** `5M` or `1572864`, after `larger:` or `smaller:`. */
export const searchSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);
