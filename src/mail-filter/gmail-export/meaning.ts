import { PROPERTY_NAMES } from "../../../schemas/mail-filter.ts";
import { ACTIONS } from "../fields.ts";
import { BYTES_PER_MB, kindOf, operatorOf } from "../gmail.ts";
import {
  bareWord,
  type Group,
  isGroup,
  parseExpression,
  type Term,
  type Text,
} from "../terms/expression.ts";
import { collapseSpaces, visibleText } from "../terms/normalise.ts";
import type { Properties } from "../write.ts";
import type { FeedEntry } from "./feed.ts";

/** The same as `meaningOf` for an entry of a file, which may have more than an input can express. */
export const meaningOfEntry = (entry: FeedEntry): string | undefined =>
  oddityOf(entry) === undefined && brokenSearch(entry.properties) === undefined
    ? meaningOf(entry.properties)
    : undefined;

/** The first part of an entry that this tool neither writes nor reads. */
export function oddityOf({ properties, repeated }: FeedEntry): string | undefined {
  const [unknown] = unknownNames(properties);
  if (unknown !== undefined) return `has ${unknown}, which this tool does not write`;
  if (repeated.length > 0) return `has ${repeated[0]} twice, with different values`;
  const { size, sizeOperator = "s_sl", sizeUnit = "s_smb" } = properties;
  if (size === undefined) return undefined;
  const isSize =
    /^\d+(?:\.\d+)?$/.test(size) &&
    ["s_sl", "s_ss"].includes(sizeOperator) &&
    Object.hasOwn(BYTES, sizeUnit);
  return isSize
    ? undefined
    : `has the size ${size} ${sizeUnit} (${sizeOperator}), which this tool cannot read`;
}

export const unknownNames = (properties: Properties): readonly string[] =>
  Object.keys(properties).filter((name) => !PROPERTY_NAMES.some((known) => known === name));

/**
 * A text that is equal for entries which select the same mail and do the same with it: without
 * the order and case of alternatives, needless brackets and quotes, the spelling of a domain, and
 * the case of a label.
 *
 * @returns undefined when a search in it cannot be read.
 */
export function meaningOf(properties: Properties): string | undefined {
  const search = searchMeaning(searchOf(properties));
  return search === undefined ? undefined : `${search}\n${actionsMeaning(properties)}`;
}

/**
 * True when a filter, written again, means the same as an entry. Of one that became several entries
 * the whole search counts: together they match the same mail.
 */
export function isSameMeaning(
  { search, entries: [first, ...others] }: { search: string; entries: readonly Properties[] },
  meant: Properties,
): boolean {
  const meaning = meaningOf(meant);
  if (meaning === undefined || !first) return false;
  if (others.length === 0) return meaningOf(first) === meaning;
  return `${searchMeaning(search)}\n${actionsMeaning(first)}` === meaning;
}

/**
 * The properties with a text that every list can express: words with curly quotes are in straight
 * ones, which keep them a text, and lone commas are left out. The meaning is the same.
 */
export const tidied = (properties: Properties): Properties => ({
  ...properties,
  ...Object.fromEntries(
    SEARCHES.flatMap((name) => {
      const value = properties[name];
      return value === undefined ? [] : [[name, tidiedSearch(value)]];
    }),
  ),
});

const tidiedSearch = (search: string): string =>
  search.replace(
    /"[^"]*"|([^\s"(){}|:-][^\s"(){}|:]*)/g,
    (written: string, word: string | undefined) => {
      if (word === undefined) return written;
      if (/^[,;]+$/.test(word)) return "";
      return /[“”„‟]/.test(word) ? `"${word}"` : word;
    },
  );

/** The problem of the first property whose search cannot be read. */
export function brokenSearch(properties: Properties): string | undefined {
  for (const name of SEARCHES) {
    const parsed = parseExpression(collapseSpaces(properties[name] ?? ""));
    if ("problem" in parsed) {
      return `has a broken search in ${name}: ${parsed.problem.replace(/^has /, "")}`;
    }
    if (!parsed.expression.hasWord && properties[name] !== undefined) {
      return `${name} is only ${properties[name]}`;
    }
  }
  return undefined;
}

const SEARCHES = ["from", "to", "subject", "hasTheWord", "doesNotHaveTheWord"] as const;

/** The whole search of an entry, as Gmail puts it together. */
export function searchOf(properties: Properties): string {
  const { from, to, subject, hasTheWord, doesNotHaveTheWord, hasAttachment } = properties;
  return [
    from && `from:(${from})`,
    to && `to:(${to})`,
    subject && `subject:(${subject})`,
    hasTheWord && `(${hasTheWord})`,
    doesNotHaveTheWord && `-{${doesNotHaveTheWord}}`,
    hasAttachment && "has:attachment",
    sizeOf(properties),
  ]
    .filter(Boolean)
    .join(" ");
}

/** `larger:5242880`. Gmail also exports a unit without a size, which means nothing. */
function sizeOf({ size, sizeOperator, sizeUnit }: Properties): string {
  if (size === undefined) return "";
  const factor = BYTES[sizeUnit ?? "s_smb"] ?? Number.NaN;
  return `${sizeOperator === "s_ss" ? "smaller" : "larger"}:${Number(size) * factor}`;
}

/** The units of `sizeUnit`, in bytes. */
export const BYTES: Readonly<Record<string, number>> = {
  s_smb: BYTES_PER_MB,
  s_skb: 1024,
  s_sb: 1,
};

const actionsMeaning = (properties: Properties): string =>
  ACTIONS.map(({ property }) => visibleText(properties[property] ?? "").toLowerCase()).join("\n");

/** The normal form of a search; undefined when it cannot be read. */
export function searchMeaning(search: string): string | undefined {
  const parsed = parseExpression(collapseSpaces(search));
  return "problem" in parsed ? undefined : write(groupMeaning(parsed.expression, ""));
}

/** A condition: a text, its opposite, or several that are joined. */
type Meaning =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not"; readonly of: Meaning }
  | { readonly kind: "all" | "any" | "ordered"; readonly parts: readonly Meaning[] };

/**
 * The meaning of a list of terms. It is unsure whether Gmail joins by OR or by space first, so where a
 * list has both, only the same terms in the same order are equal.
 *
 * @param operator the one before the brackets around the group: it holds for each part.
 */
function groupMeaning({ bracket, terms, joiners, hasWord }: Group, operator: string): Meaning {
  const parts = terms.map((term) => termMeaning(term, operator));
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const between = joiners.slice(0, -1);
  if (between.every((joiner) => joiner === "") && terms.some(isLoneSign)) {
    const rest = terms.filter((term) => !isLoneSign(term));
    if (rest.length > 0) {
      return groupMeaning({ bracket, terms: rest, joiners: rest.map(() => ""), hasWord }, operator);
    }
  }
  const isAnyOf = bracket === "{" && between.every((joiner) => joiner === "" || joiner === "OR");
  if (isAnyOf || between.every((joiner) => joiner === "OR")) return joined("any", parts);
  const isAllOf = between.every((joiner) => joiner === "" || joiner === "AND");
  return isAllOf && bracket !== "{" ? joined("all", parts) : inOrder(parts, between);
}

/** A comma or semicolon on its own, which Gmail skips between words. */
const isLoneSign = (term: Term): boolean => /^[,;]+$/.test(bareWord(term) ?? "");

const inOrder = (parts: readonly Meaning[], joiners: readonly string[]): Meaning => ({
  kind: "ordered",
  parts: parts.flatMap((part, index) => {
    const joiner = joiners[index] ?? "";
    return joiner === "" ? [part] : [part, { kind: "text", text: `<${joiner}>` } as const];
  }),
});

/** Joined parts of the same kind are one list, without repeats. */
function joined(kind: "all" | "any", parts: readonly Meaning[]): Meaning {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const unique = new Map(flat.map((part) => [write(part), part]));
  const sorted = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
  const [only, ...others] = sorted;
  return only && others.length === 0 ? only : { kind, parts: sorted };
}

function termMeaning({ negated, operator, exact, operand }: Term, outer: string): Meaning {
  const inner = operator === undefined ? outer : operator.toLowerCase();
  const found = isGroup(operand) ? groupMeaning(operand, inner) : textMeaning(operand, inner);
  const meaning: Meaning = exact ? { kind: "text", text: `+(${write(found)})` } : found;
  return negated ? opposite(meaning) : meaning;
}

/** None of several is the opposite of each. */
const opposite = (meaning: Meaning): Meaning =>
  meaning.kind === "any"
    ? joined("all", meaning.parts.map(opposite))
    : { kind: "not", of: meaning };

function textMeaning({ text, quoted }: Text, operator: string): Meaning {
  const folded = collapseSpaces(visibleText(text)).toLowerCase();
  if (kindOf(operator) === "size") return { kind: "text", text: sizeMeaning(folded, operator) };
  const isOfPeople = kindOf(operator) === "address";
  const word = isOfPeople ? folded.replace(/^\*\.?(?=[^*@\s]+\.)|^\*@/, "@") : folded;
  // Gmail's word for the account, and an operator, are mere texts in quotes.
  const isOwnWord = (isOfPeople && word === "me") || operatorOf(word) !== undefined;
  const needsQuotes = quoted && (isOwnWord || !ONE_WORD.test(word.replace(CURLY_QUOTES, "")));
  const value = needsQuotes ? JSON.stringify(word) : word;
  return { kind: "text", text: operator === "" ? value : `${operator}:${value}` };
}

/** A text that Gmail reads as one word or phrase, in quotes or not. */
export const ONE_WORD = /^[\p{L}\p{N}\p{M}_.@'/\\=:&-]+$/u;

/** To Gmail they are punctuation. */
const CURLY_QUOTES = /[“”„‟]/g;

function sizeMeaning(value: string, operator: string): string {
  const [, number, unit] = /^(\d+)([mk]?)b?$/.exec(value) ?? [];
  const factor = unit === "m" ? BYTES.s_smb : unit === "k" ? BYTES.s_skb : 1;
  const bytes = number === undefined ? value : Number(number) * (factor ?? 1);
  return `${operator === "smaller" ? "smaller" : "larger"}:${bytes}`;
}

function write(meaning: Meaning): string {
  if (meaning.kind === "text") return meaning.text;
  if (meaning.kind === "not") return `-(${write(meaning.of)})`;
  return `${meaning.kind}(${meaning.parts.map(write).join(" ")})`;
}
