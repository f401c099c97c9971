import { PROPERTY_NAMES } from "../../../schemas/inputs/mail-filter.ts";
import { ACTIONS, SEARCH_CONDITIONS } from "../fields.ts";
import { abbreviate } from "../filter.ts";
import { propertiesKey } from "../filter-key.ts";
import { BYTES_PER_MB } from "../gmail.ts";
import { type Group, parseExpression } from "../terms/expression.ts";
import { collapseSpaces } from "../terms/normalise.ts";
import {
  allOf,
  groupToSearch,
  not,
  printSearch,
  type Search,
  type SearchLeaf,
  searchKey,
  searchLeaf,
} from "../terms/search.ts";
import type { Properties } from "../write.ts";
import type { FeedEntry } from "./feed.ts";

/** The key of an entry, which `filterKey` gives an equal filter, or the reason why it cannot be read. */
type Meaning =
  | { readonly key: string; readonly problem?: undefined }
  | { readonly key?: undefined; readonly problem: string };

export function readMeaning(entry: FeedEntry): Meaning {
  const { properties }: { readonly properties: Properties } = entry;
  const oddity = findOddity(entry);
  if (oddity !== undefined) return { problem: oddity };
  const read = readSearch(properties);
  if ("problem" in read) return read;
  const actions = propertiesKey(({ property }) => properties[property] ?? "");
  return { key: `${searchKey(read.search)}\n${actions}` };
}

/** The problem of the first part of an entry that this tool neither writes nor reads. */
function findOddity({ properties, repeated }: FeedEntry): string | undefined {
  const [unknown] = unknownNames(properties);
  if (unknown === "cannedResponse") return "sends a template, which a file cannot hold";
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

const unknownNames = (properties: Properties): readonly string[] =>
  Object.keys(properties).filter((name) => !PROPERTY_NAMES.some((known) => known === name));

/**
 * The properties, rewritten so that lists of an input can express them: words with curly quotes are put
 * into straight ones, which keep them a text, and lone commas are left out. The meaning is the same.
 */
export const tidied = (properties: Properties): Properties => ({
  ...properties,
  ...Object.fromEntries(
    SEARCH_CONDITIONS.flatMap(({ property: name }) => {
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

/** The search of an entry, or the problem of its first property that cannot be read. */
export function readSearch(
  properties: Properties,
): { readonly search: Search } | { readonly problem: string } {
  const parts: Search[] = [];
  for (const { property: name } of SEARCH_CONDITIONS) {
    const value = properties[name];
    if (value === undefined) continue;
    const parsed = parseExpression(collapseSpaces(value));
    if ("problem" in parsed) {
      return { problem: `has a broken search in ${name}: ${parsed.problem.replace(/^has /, "")}` };
    }
    if (!parsed.expression.hasWord) return { problem: `${name} is only ${value}` };
    parts.push(propertySearch(name, parsed.expression));
  }
  if (properties.hasAttachment) parts.push(searchLeaf("has", "attachment"));
  return { search: allOf([...parts, ...sizeSearches(properties)]) };
}

/** The search that Gmail makes of a property: the items of `doesNotHaveTheWord` are alternatives. */
export function propertySearch(name: SearchProperty, expression: Group): Search {
  if (name === "hasTheWord") return groupToSearch(expression);
  return name === "doesNotHaveTheWord"
    ? not(groupToSearch({ ...expression, bracket: "{" }))
    : groupToSearch(expression, { operator: name });
}

type SearchProperty = (typeof SEARCH_CONDITIONS)[number]["property"];

/** The whole search of an entry, as Gmail puts it together. */
export function printEntrySearch(properties: Properties): string {
  const { from, to, subject, hasTheWord, doesNotHaveTheWord, hasAttachment } = properties;
  return [
    from && `from:(${from})`,
    to && `to:(${to})`,
    subject && `subject:(${subject})`,
    hasTheWord && `(${hasTheWord})`,
    doesNotHaveTheWord && `-{${doesNotHaveTheWord}}`,
    hasAttachment && "has:attachment",
    ...sizeSearches(properties).map(printSearch),
  ]
    .filter(Boolean)
    .join(" ");
}

/** `larger:5242880`. Gmail also exports a unit without a size, which means nothing. */
function sizeSearches({
  size,
  sizeOperator,
  sizeUnit = "s_smb",
}: Properties): readonly SearchLeaf[] {
  if (size === undefined) return [];
  const bytes = Number(size) * (BYTES[sizeUnit] ?? Number.NaN);
  return [searchLeaf(sizeOperator === "s_ss" ? "smaller" : "larger", String(bytes))];
}

/** The units of `sizeUnit`, in bytes. */
export const BYTES: Readonly<Record<string, number>> = {
  s_smb: BYTES_PER_MB,
  s_skb: 1024,
  s_sb: 1,
};

/** An entry in one line: `from:(a@x.com) -> label Bills, archive`. */
export const entryLine = (properties: Properties): string =>
  `${printEntrySearch(properties)} -> ${printActions(properties)}`.trim();

/** The actions of an entry in short: `label Bills, archive`. */
export function printActions(properties: Properties): string {
  const unknown = unknownNames(properties);
  const rest = unknown.length > 0 ? ` (and ${unknown.join(", ")})` : "";
  return `${listActions(properties).join(", ") || "nothing"}${rest}`;
}

/** The known actions, one a text: `archive`. */
export const listActions = (properties: Properties): readonly string[] =>
  ACTIONS.flatMap(({ property, prefix, shortName }) => {
    const value = properties[property];
    if (value === undefined) return [];
    return prefix === undefined ? [shortName] : [`${shortName} ${value.replace(prefix, "")}`];
  });

/** An entry of an export that no input can express. */
export interface LeftOut {
  /** The index of the entry in the file. */
  readonly entry: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly reason: string;
}

/** The line for an entry that no input can express: no new filter replaces it. */
export const skippedLine = ({ properties, reason }: LeftOut): string =>
  `? ${abbreviate(entryLine(properties))}: ${reason}; keep this one`;
