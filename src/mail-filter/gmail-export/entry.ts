import { actionEntries, type FilterInput, GMAIL_LIMITS } from "../../../schemas/mail-filter.ts";
import { Diagnostics } from "../../issues.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import { ACTIONS, type Action, type Conditions, LIST_FIELDS } from "../fields.ts";
import { BYTES_PER_MB } from "../gmail.ts";
import { readCriteria } from "../terms/criteria.ts";
import { alternativesOf, parseExpression, writeTerm } from "../terms/expression.ts";
import { collapseSpaces, isSearchable } from "../terms/normalise.ts";
import { hasOnlyWords } from "../terms/words.ts";
import { entryProperties, type Properties } from "../write.ts";
import { BYTES, ONE_WORD, searchMeaning } from "./meaning.ts";

/**
 * The conditions of an entry as fields of the input. A value that no list can express goes to
 * has_words: `from:(Jo Boss)` asks for both words, `from: ["Jo Boss"]` for the phrase.
 */
export function conditionsOf(properties: Properties): EntryConditions {
  const lists: { -readonly [Field in keyof Conditions]: Conditions[Field] } = {};
  const expressions: string[] = [];
  const origins: string[] = [];
  for (const field of LIST_FIELDS) {
    const value = collapseSpaces(properties[field] ?? "");
    if (value === "") continue;
    const items = alternativesOf(value);
    if (isSame(field, { [field]: items }, value)) lists[field] = packed(items);
    else {
      expressions.push(`${field}:${isBracketed(value) ? value : `(${value})`}`);
      origins.push(field);
    }
  }
  const excluded = collapseSpaces(properties.doesNotHaveTheWord ?? "");
  const exclusions = excluded === "" ? [] : exclusionsOf(excluded);
  if (exclusions.length > 0) {
    if (isSame("doesNotHaveTheWord", { does_not_have: exclusions }, excluded)) {
      lists.does_not_have = exclusions;
    } else {
      expressions.push(`-${isBracketed(excluded) ? excluded : `{${excluded}}`}`);
      origins.push("doesNotHaveTheWord");
    }
  }
  const { words, ...sizes } = sizesOf(properties);
  const has_words = [...expressions, ...wordsOf(words)];
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

/** True when this tool reads the list with the meaning of the property. */
function isSame(
  name: "from" | "to" | "subject" | "doesNotHaveTheWord",
  filter: FilterInput,
  value: string,
): boolean {
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const criteria = readCriteria(filter, diagnostics);
  const written = entryProperties(criteria, {})[name] ?? "";
  return written === value || inField(name, written) === inField(name, value);
}

const inField = (name: string, value: string): string | undefined =>
  searchMeaning(name === "doesNotHaveTheWord" ? `-{${value}}` : `${name}:(${value})`);

/** The words, phrases and operators of which any one keeps a mail out. */
function exclusionsOf(value: string): string[] {
  const alternatives = alternativesOf(value);
  if (alternatives.length > 1) return [...alternatives];
  const parsed = parseExpression(value);
  if ("problem" in parsed || parsed.expression.joiners.some((joiner) => joiner !== "")) {
    return [value];
  }
  return parsed.expression.terms.map((term) => writeTerm(term));
}

/** Plain words one by one, as an item of several words is a phrase; any other text as it is. */
function wordsOf(words: string): string[] {
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
function sizesOf(properties: Properties): Pick<Conditions, "larger_than_mb" | "smaller_than_mb"> & {
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
  if (!(megabytes > 0 && megabytes <= 50)) {
    const bytes = Math.round(megabytes * BYTES_PER_MB);
    return { words: `${words} ${isSmaller ? "smaller" : "larger"}:${bytes}`.trim() };
  }
  if (isSmaller) return { words, smaller_than_mb: megabytes };
  const [, before, number, unit] = /^(.* |)smaller:(\d+)(M?)$/.exec(words) ?? [];
  const smaller = unit === "M" ? Number(number) : bytesAsMegabytes(Number(number));
  return before !== undefined && smaller > megabytes && smaller <= 50
    ? { words: before.trim(), larger_than_mb: megabytes, smaller_than_mb: smaller }
    : { words, larger_than_mb: megabytes };
}

/** Whole megabytes would be written in Gmail's unit for them; this far from one it is bytes. */
const bytesAsMegabytes = (bytes: number): number =>
  bytes % BYTES_PER_MB === 0 ? bytes / BYTES_PER_MB - 1e-9 : bytes / BYTES_PER_MB;

/** The actions of an entry as fields of the input, or why they cannot be expressed there. */
export function actionsOf(
  properties: Properties,
): { readonly fields: object } | { readonly reason: string } {
  const fields: Record<string, string | number | boolean> = {};
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
    fields[field] = text === undefined ? value : inputValue(field, text);
  }
  return { fields };
}

/** The text of a property as its field has it. */
function inputValue(field: Action["field"], text: string): string | number {
  const { type }: { readonly type: string } = actionEntries[field].wrapped;
  return type === "number" ? Number(text) : text;
}

const textAfter = (prefix: string, written: string): string =>
  written.startsWith(prefix) ? written.slice(prefix.length) : written;

/** The items of a list; of a long one several are one item. */
export function packed(items: readonly string[]): string[] {
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
