import type { FilterProperties } from "../../schemas/mail-filter.ts";
import { formatCount, joinWithConjunction } from "../text.ts";
import { CONDITIONS, type ListField } from "./filter-fields.ts";
import { type Criteria, formatSize, type Size, toBytes, toTexts } from "./search/criteria.ts";
import type { ListTerm, WordsTerm } from "./search/has-words.ts";
import { allOf, anyOf, not, OR, type Search, searchLeaf } from "./search/search-tree.ts";

/** The names and values of one entry's `apps:property` elements. */
export type Properties = Readonly<FilterProperties>;

/** A condition in each output. Without the condition, all of them are empty. */
interface Condition {
  readonly meaning: (criteria: Criteria) => readonly Search[];
  /** A part of the search string. */
  readonly search: (criteria: Criteria) => string;
  /** Properties in the file, which may be empty strings. */
  readonly properties: (criteria: Criteria) => Properties;
  /**
   * Continues "Mail …".
   *
   * @param max the number of terms to list; more are only counted.
   */
  readonly explanations: (criteria: Criteria, max: number) => readonly string[];
}

const anyTerm = (
  field: ListField,
  noun: string,
  explain: (terms: string) => string,
): Condition => ({
  meaning: ({ [field]: terms }) =>
    terms.length === 0 ? [] : [anyOf(terms.map(({ search }) => search))],
  // Gmail rewrites the fields of a filter in this way.
  search: ({ [field]: terms }) => (terms.length === 0 ? "" : `${field}:(${joinTerms(terms, OR)})`),
  properties: ({ [field]: terms }) => ({ [field]: joinTerms(terms, OR) }),
  explanations: ({ [field]: terms }, most) => explainTerms(terms, most, "any", noun, explain),
});

/** An entry has room for one size. A second size goes to `hasTheWord`. */
const sizeCondition = (
  operator: "larger" | "smaller",
  sizeOperator: "s_sl" | "s_ss",
): Condition => ({
  meaning: ({ [operator]: size }) => (size ? [searchLeaf(operator, String(toBytes(size)))] : []),
  search: ({ [operator]: size }) => (size ? `${operator}:${formatSize(size)}` : ""),
  properties: ({ [operator]: size, larger }) =>
    size && (size === larger || !larger)
      ? {
          size: String(size.value),
          sizeOperator,
          sizeUnit: size.unit === "MB" ? "s_smb" : "s_sb",
        }
      : {},
  explanations: ({ [operator]: size }) => (size ? [`${operator} than ${describeSize(size)}`] : []),
});

const CONDITION_DEFINITIONS: Readonly<Record<(typeof CONDITIONS)[number], Condition>> = {
  from: anyTerm("from", "sender", (terms) => `from ${terms}`),
  to: anyTerm("to", "recipient", (terms) => `to ${terms}`),
  subject: anyTerm("subject", "phrase", (terms) => `with ${terms} in the subject`),
  has_words: {
    meaning: ({ words }) => words.map(({ search }) => search),
    search: ({ words }) => joinTerms(words, " "),
    properties: ({ words, larger, smaller }) => {
      const second = larger && smaller ? ` smaller:${formatSize(smaller)}` : "";
      return { hasTheWord: `${joinTerms(words, " ")}${second}`.trim() };
    },
    explanations: ({ words }, max) => [
      ...explainTerms(words.filter(isPlainTerm), max, "all", "word", (terms) => `with ${terms}`),
      ...explainTerms(
        words.filter(isExpression),
        max,
        "all",
        "expression",
        (terms) => `matching ${terms}`,
      ),
    ],
  },
  does_not_have: {
    meaning: ({ exclusions }) => exclusions.map(({ search }) => not(search)),
    // Any one of the terms excludes a message.
    search: ({ exclusions }) =>
      exclusions.length > 1
        ? `-{${joinTerms(exclusions, " ")}}`
        : exclusions.map(({ text }) => `-${text}`).join(""),
    properties: ({ exclusions }) => ({ doesNotHaveTheWord: joinTerms(exclusions, OR) }),
    explanations: ({ exclusions }, max) =>
      explainTerms(exclusions, max, "any", "word", (terms) => `without ${terms}`),
  },
  has_attachment: {
    meaning: ({ hasAttachment }) => (hasAttachment ? [searchLeaf("has", "attachment")] : []),
    search: ({ hasAttachment }) => (hasAttachment ? "has:attachment" : ""),
    properties: ({ hasAttachment }) => ({ hasAttachment: hasAttachment ? "true" : "" }),
    explanations: ({ hasAttachment }) => (hasAttachment ? ["with an attachment"] : []),
  },
  larger_than_mb: sizeCondition("larger", "s_sl"),
  smaller_than_mb: sizeCondition("smaller", "s_ss"),
};

/** All conditions, in the order of a search and of an explanation. */
export const CONDITION_OUTPUTS = CONDITIONS.map((field) => ({
  field,
  ...CONDITION_DEFINITIONS[field],
}));

export const criteriaSearch = (criteria: Criteria): Search =>
  allOf(CONDITION_OUTPUTS.flatMap(({ meaning }) => meaning(criteria)));

const joinTerms = (terms: readonly ListTerm[], joiner: string): string =>
  toTexts(terms).join(joiner);

const isExpression = (term: WordsTerm): boolean => term.isExpression;
const isPlainTerm = (term: WordsTerm): boolean => !term.isExpression;

function explainTerms(
  terms: readonly ListTerm[],
  max: number,
  needed: "any" | "all",
  noun: string,
  explain: (terms: string) => string,
): readonly string[] {
  if (terms.length === 0) return [];
  if (terms.length > max) return [explain(`${needed} of ${formatCount(terms.length, noun)}`)];
  return [explain(joinWithConjunction(toTexts(terms), needed === "any" ? "or" : "and"))];
}

/** Rounds to two decimals. The search has the exact number of bytes. */
function describeSize({ megabytes, value }: Size): string {
  if (megabytes < 0.01) return formatCount(value, "byte");
  const rounded = Math.round(megabytes * 100) / 100;
  return rounded === megabytes ? `${megabytes} MB` : `about ${rounded} MB`;
}
