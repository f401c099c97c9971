import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { type FilterDiagnostics, type ItemDiagnostics, ListDiagnostics } from "../diagnostics.ts";
import { LIST_FIELDS } from "../fields.ts";
import { BYTES_PER_MB, isAboveAnyMail, NO_SUCH_MAIL, operatorKind } from "../gmail.ts";
import { recipientTerms, senderTerms } from "./address.ts";
import { exclusionTerms } from "./exclusion.ts";
import { normaliseSearchText } from "./normalise.ts";
import { allOf, anyOf, listLeaves, not, parseListTerm, type Search, searchLeaf } from "./search.ts";
import { subjectTerm } from "./text.ts";
import { type ListTerm, type WordsTerm, wordsTerm } from "./words.ts";

/** The conditions of a filter in Gmail's search syntax, item by item. */
export interface Criteria extends SizeRange {
  /** Any of them. */
  readonly from: readonly ListTerm[];
  /** Any of them. */
  readonly to: readonly ListTerm[];
  /** Any of them. */
  readonly subject: readonly ListTerm[];
  /** All of them. */
  readonly words: readonly WordsTerm[];
  /** None of them. */
  readonly exclusions: readonly ListTerm[];
  readonly hasAttachment: boolean;
}

/** Reads a filter's conditions, and rejects those that Gmail cannot express. */
export function readCriteria(filter: FilterInput, diagnostics: FilterDiagnostics): Criteria {
  const read = (field: "from" | "to" | "subject" | "does_not_have", readItem: ReadItem) =>
    readList(filter[field], diagnostics.at(field), (item, here) =>
      toTerms(readItem(item, here), field === "does_not_have" ? undefined : field),
    );
  return {
    from: read("from", senderTerms),
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

const toTerms = (terms: ItemTerms = [], operator?: string): readonly ListTerm[] =>
  [terms].flat().map((text) => ({
    text,
    key: text.toLowerCase(),
    search: parseListTerm(text, operator),
  }));

export const toTexts = (terms: readonly ListTerm[]): readonly string[] =>
  terms.map(({ text }) => text);

/** All that a filter asks for, as one search. */
export const criteriaSearch = (criteria: Criteria): Search => {
  const { words, exclusions, hasAttachment, larger, smaller } = criteria;
  return allOf([
    ...LIST_FIELDS.flatMap((field) =>
      criteria[field].length > 0 ? [anyOf(criteria[field].map(({ search }) => search))] : [],
    ),
    ...words.map(({ search }) => search),
    ...exclusions.map(({ search }) => not(search)),
    ...(hasAttachment ? [searchLeaf("has", "attachment")] : []),
    ...(larger ? [searchLeaf("larger", String(inBytes(larger)))] : []),
    ...(smaller ? [searchLeaf("smaller", String(inBytes(smaller)))] : []),
  ]);
};

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
  const [first, second] = terms.filter(({ isExpression }) => !isExpression);
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

const asksForSize = ({ search }: WordsTerm): boolean =>
  listLeaves(search).some(({ operator }) => operatorKind(operator) === "size");

/** A size as both the filter and the search write it, so that the two cannot differ. */
export interface Size {
  /** The size in the filter. */
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
  if (larger && isAboveAnyMail(inBytes(larger))) {
    diagnostics.at("larger_than_mb").warn("larger-than-any-mail", NO_SUCH_MAIL);
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

export const inBytes = ({ value, unit }: Size): number =>
  unit === "MB" ? value * BYTES_PER_MB : value;

/** `5M` or `1572864`, after `larger:` or `smaller:`. */
export const searchSize = ({ value, unit }: Size): string =>
  unit === "MB" ? `${value}M` : String(value);
