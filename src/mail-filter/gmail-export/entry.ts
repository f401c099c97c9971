import { GMAIL_LIMITS, MAX_MAIL_MB } from "../../../schemas/inputs/mail-filter.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../findings.ts";
import { ACTIONS, type Conditions, SEARCH_CONDITIONS } from "../fields.ts";
import { type FilterFindings, filterFindings } from "../findings.ts";
import { BYTES_PER_MB } from "../gmail.ts";
import { criteriaSearch, readCriteria } from "../terms/criteria.ts";
import { parseExpression, splitAlternatives, writeTerm } from "../terms/expression.ts";
import { collapseSpaces, isSearchable } from "../terms/normalise.ts";
import { ONE_WORD, searchKey } from "../terms/search.ts";
import { hasOnlyWords } from "../terms/words.ts";
import type { Properties } from "../write.ts";
import { BYTES, propertySearch } from "./meaning.ts";

/**
 * The conditions of an entry as fields of the input. A value that no list can express goes to
 * has_words: `from:(Jo Boss)` asks for both words, `from: ["Jo Boss"]` for the phrase.
 */
export function parseConditions(properties: Properties): EntryConditions {
  const lists: { -readonly [Field in keyof Conditions]: Conditions[Field] } = {};
  const expressions: string[] = [];
  const origins: string[] = [];
  for (const { property: name, field } of SEARCH_CONDITIONS) {
    if (field === "has_words") continue;
    const value = collapseSpaces(properties[name] ?? "");
    if (value === "") continue;
    const isExcluded = field === "does_not_have";
    const items = isExcluded ? parseExclusions(value) : splitAlternatives(value);
    if (isSame(name, { [field]: items }, value)) lists[field] = packItems(items);
    else {
      const group = isExcluded ? `{${value}}` : `(${value})`;
      expressions.push((isExcluded ? "-" : `${name}:`) + (isBracketed(value) ? value : group));
      origins.push(name);
    }
  }
  const { words, ...sizes } = sizeFields(properties);
  const has_words = [...expressions, ...parseWords(words)];
  const conditions = {
    ...lists,
    ...(has_words.length > 0 && { has_words }),
    ...(properties.hasAttachment && { has_attachment: true }),
    ...sizes,
  };
  return { conditions, origins };
}

interface EntryConditions {
  readonly conditions: Conditions;
  /** The properties that the first items of `has_words` come from; the others are of `hasTheWord`. */
  readonly origins: readonly string[];
}

/** True when one pair of brackets encloses the whole text. */
function isBracketed(value: string): boolean {
  if (!/^[({]/.test(value)) return false;
  const parsed = parseExpression(value);
  return "expression" in parsed && parsed.expression.terms.length === 1;
}

/** True when the list, as this tool reads it, has the meaning of the property. */
function isSame(
  name: "from" | "to" | "subject" | "doesNotHaveTheWord",
  filter: FilterInput,
  value: string,
): boolean {
  const findings: FilterFindings = new Findings(filterFindings);
  const criteria = readCriteria(filter, findings);
  const parsed = parseExpression(value);
  return (
    "expression" in parsed &&
    searchKey(criteriaSearch(criteria)) === searchKey(propertySearch(name, parsed.expression))
  );
}

/** The words, phrases and operators that keep a mail out; any one of them is enough. */
function parseExclusions(value: string): string[] {
  const alternatives = splitAlternatives(value);
  if (alternatives.length > 1) return [...alternatives];
  const parsed = parseExpression(value);
  if ("problem" in parsed || parsed.expression.joiners.some((joiner) => joiner !== "")) {
    return [value];
  }
  return parsed.expression.terms.map((term) => writeTerm(term));
}

/** Plain words one by one, as an item of several words is a phrase; any other text as it is. */
function parseWords(words: string): string[] {
  if (words === "") return [];
  const parsed = parseExpression(words);
  if ("problem" in parsed) return [words];
  if (!hasOnlyWords(parsed.expression)) return [words];
  const items = words.split(" ");
  const areWords =
    items.every((item) => ONE_WORD.test(item) && isSearchable(item)) &&
    new Set(items).size === items.length;
  // Brackets make an expression of a text that would be read as a phrase.
  return areWords ? items : [`(${words})`];
}

/** The sizes of an entry, which holds one: this tool writes a second one at the end of the words. */
function sizeFields(properties: Properties): Pick<
  Conditions,
  "larger_than_mb" | "smaller_than_mb"
> & {
  readonly words: string;
} {
  const { size, sizeOperator, sizeUnit } = properties;
  const words = collapseSpaces(properties.hasTheWord ?? "");
  if (size === undefined) return { words };
  const megabytes =
    sizeUnit === "s_sb"
      ? bytesAsMegabytes(Number(size))
      : (Number(size) * (BYTES[sizeUnit ?? "s_smb"] ?? Number.NaN)) / BYTES_PER_MB;
  const isSmaller = sizeOperator === "s_ss";
  if (!(megabytes > 0 && megabytes <= MAX_MAIL_MB)) {
    const bytes = Math.round(megabytes * BYTES_PER_MB);
    return { words: `${words} ${isSmaller ? "smaller" : "larger"}:${bytes}`.trim() };
  }
  if (isSmaller) return { words, smaller_than_mb: megabytes };
  const [, before, number, unit] = /^(.* |)smaller:(\d+)(M?)$/.exec(words) ?? [];
  const smaller = unit === "M" ? Number(number) : bytesAsMegabytes(Number(number));
  return before !== undefined && smaller > megabytes && smaller <= MAX_MAIL_MB
    ? { words: before.trim(), larger_than_mb: megabytes, smaller_than_mb: smaller }
    : { words, larger_than_mb: megabytes };
}

/**
 * Megabytes that are written as bytes again, as in the export: a whole number would be written in
 * MB, and one that is 1e-9 less is not.
 */
const bytesAsMegabytes = (bytes: number): number =>
  bytes % BYTES_PER_MB === 0 ? bytes / BYTES_PER_MB - 1e-9 : bytes / BYTES_PER_MB;

/** The actions of an entry as fields of the input, or why they cannot be expressed there. */
export function parseActions(
  properties: Properties,
): { readonly fields: object } | { readonly reason: string } {
  const fields: Record<string, string | boolean> = {};
  for (const { field, value = true, property, prefix, names } of ACTIONS) {
    const written = properties[property];
    if (written === undefined) continue;
    if (Object.hasOwn(fields, field)) {
      return { reason: `has ${property} beside its opposite` };
    }
    const text = prefix === undefined ? undefined : textAfter(prefix, written);
    if (names && !Object.hasOwn(names, text ?? "")) {
      return { reason: `has the ${field} ${written}, which this tool does not know` };
    }
    fields[field] = text ?? value;
  }
  return { fields };
}

const textAfter = (prefix: string, written: string): string =>
  written.startsWith(prefix) ? written.slice(prefix.length) : written;

/** The items of a list. A list of too many gets items of several terms, joined by OR. */
export function packItems(items: readonly string[]): string[] {
  if (items.length <= GMAIL_LIMITS.items) return [...items];
  const packs = [""];
  for (const item of items) {
    const pack = packs.at(-1) ?? "";
    const longer = pack === "" ? item : `${pack} OR ${item}`;
    if (longer.length <= GMAIL_LIMITS.itemLength) packs[packs.length - 1] = longer;
    else packs.push(item);
  }
  return packs;
}
