import type { Editable } from "../../schemas/common.ts";
import {
  type FilterInput,
  MAX_FILTER_NAME_LENGTH,
  mailFilterContract,
  PROPERTY_NAMES,
} from "../../schemas/mail-filter.ts";
import { Findings } from "../findings.ts";
import { InvalidInputError, validate } from "../issues.ts";
import type { Properties } from "./conditions.ts";
import { ACTIONS, SEARCH_CONDITIONS } from "./filter-fields.ts";
import { type FilterFindings, filterFindings } from "./filter-findings.ts";
import { BYTES_PER_MB } from "./gmail.ts";
import type { ExportedEntry } from "./parse-export-xml.ts";
import { abbreviate, type ParsedFilter, parseFilter } from "./parse-filter.ts";
import { collapseSpaces, parseExpression, type SearchGroup } from "./search/parse-search.ts";
import {
  allOf,
  formatSearch,
  groupToSearch,
  not,
  type Search,
  type SearchLeaf,
  searchLeaf,
} from "./search/search-tree.ts";
import { entryProperties } from "./write-xml.ts";

/** Why an entry of an export is skipped. Properties have the names of the export. */
export const SKIP_REASONS = {
  template: () => "sends a template, which a file cannot contain",
  unknown: (name: string) => `has ${name}, which this tool does not support`,
  repeated: (name: string) => `has ${name} twice, with different values`,
  size: (size: string, unit: string, operator: string) =>
    `has the size ${size} ${unit} (${operator}), which this tool cannot read`,
  broken: (name: string, problem: string) =>
    `has a broken search in ${name}: ${problem.replace(/^must not have /, "")}`,
  empty: (name: string, value: string) => `has only ${value} in ${name}, which finds nothing`,
  opposite: (name: string) => `has both ${name} and its opposite`,
  value: (field: string, value: string) =>
    `has the ${field} ${value}, which this tool does not know`,
  noOp: () => "does nothing in Gmail; perhaps its label was deleted",
  unconditional: () => "has no condition",
  changed: () => "cannot be expressed in this tool's input without changing its meaning",
};

export function findUnsupportedPart({
  properties,
  repeated: [twice],
}: ExportedEntry): string | undefined {
  const [unknown] = unknownNames(properties);
  if (unknown === "cannedResponse") return SKIP_REASONS.template();
  if (unknown !== undefined) return SKIP_REASONS.unknown(unknown);
  if (twice !== undefined) return SKIP_REASONS.repeated(twice);
  const { size, sizeOperator = "s_sl", sizeUnit = "s_smb" } = properties;
  if (size === undefined) return undefined;
  const isSize =
    /^\d{1,12}(?:\.\d{1,12})?$/.test(size) &&
    ["s_sl", "s_ss"].includes(sizeOperator) &&
    Object.hasOwn(BYTES_BY_UNIT, sizeUnit);
  return isSize ? undefined : SKIP_REASONS.size(size, sizeUnit, sizeOperator);
}

const unknownNames = (properties: Properties): readonly string[] =>
  Object.keys(properties).filter((name) => !PROPERTY_NAMES.some((known) => known === name));

export function readSearch(
  properties: Properties,
): { readonly search: Search } | { readonly reason: string } {
  const parts: Search[] = [];
  for (const { property: name } of SEARCH_CONDITIONS) {
    const value = properties[name];
    if (value === undefined) continue;
    const parsed = parseExpression(collapseSpaces(value));
    if ("problem" in parsed) return { reason: SKIP_REASONS.broken(name, parsed.problem) };
    if (!parsed.expression.hasWord) return { reason: SKIP_REASONS.empty(name, value) };
    parts.push(propertySearch(name, parsed.expression));
  }
  return { search: allOf([...parts, ...parseSizeAndAttachment(properties)]) };
}

type SearchProperty = (typeof SEARCH_CONDITIONS)[number]["property"];

/** Reads a property as Gmail does: any one term of `doesNotHaveTheWord` excludes a message. */
export function propertySearch(name: SearchProperty, expression: SearchGroup): Search {
  if (name === "hasTheWord") return groupToSearch(expression);
  return name === "doesNotHaveTheWord"
    ? not(groupToSearch({ ...expression, bracket: "{" }))
    : groupToSearch(expression, { operator: name });
}

/** Gmail also exports a unit without a size, which means nothing. */
export function parseSizeAndAttachment(properties: Properties): readonly SearchLeaf[] {
  const { hasAttachment, size, sizeOperator, sizeUnit = "s_smb" } = properties;
  const leaves = hasAttachment ? [searchLeaf("has", "attachment")] : [];
  if (size === undefined) return leaves;
  const bytes = Number(size) * (BYTES_BY_UNIT[sizeUnit] ?? Number.NaN);
  // A report shows an unreadable size as it is written.
  const value = Number.isFinite(bytes) ? String(bytes) : size + sizeUnit;
  return [...leaves, searchLeaf(sizeOperator === "s_ss" ? "smaller" : "larger", value)];
}

const BYTES_BY_UNIT: Readonly<Record<string, number>> = {
  s_smb: BYTES_PER_MB,
  s_skb: 1024,
  s_sb: 1,
};

/** Formats an entry: `from:(a@x.com) -> label Bills, archive`. */
export const formatEntry = (properties: Properties): string =>
  `${formatEntrySearch(properties)} -> ${formatActions(properties)}`.trim();

export function formatEntrySearch(properties: Properties): string {
  const { from, to, subject, hasTheWord, doesNotHaveTheWord } = properties;
  return [
    from && `from:(${from})`,
    to && `to:(${to})`,
    subject && `subject:(${subject})`,
    hasTheWord && `(${hasTheWord})`,
    doesNotHaveTheWord && `-{${doesNotHaveTheWord}}`,
    ...parseSizeAndAttachment(properties).map(formatSearch),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Formats the actions of an entry: `label Bills, archive`. */
export function formatActions(properties: Properties): string {
  const unknown = unknownNames(properties);
  const rest = unknown.length > 0 ? ` (and ${unknown.join(", ")})` : "";
  return `${listEntryActions(properties).join(", ") || "nothing"}${rest}`;
}

export const listEntryActions = (properties: Properties): readonly string[] =>
  ACTIONS.flatMap(({ property, prefix, shortName, names = {} }) => {
    const value = properties[property];
    if (value === undefined) return [];
    if (prefix === undefined) return [shortName];
    const text = value.replace(prefix, "");
    return [`${shortName} ${Object.hasOwn(names, text) ? names[text] : text}`];
  });

/** An entry of an export that the input cannot express. */
export interface SkippedEntry {
  /** The index of the entry in the file. */
  readonly entry: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly reason: string;
}

export const formatSkippedEntry = ({ properties, reason }: SkippedEntry): string =>
  `? ${abbreviate(formatEntry(properties))}: ${reason}; keep this one`;

export const truncateName = (text: string): string =>
  [...text.trim()].slice(0, MAX_FILTER_NAME_LENGTH).join("").trim();

interface FilterWithSearch extends ParsedFilter {
  readonly filter: Editable<FilterInput>;
  readonly entries: readonly Properties[];
}

/** Writes one filter as entries, or explains why Gmail cannot express it. */
export function tryWriteFilter(filter: object): FilterWithSearch | { readonly reason: string } {
  try {
    const input = validate(mailFilterContract.extended_input, { filters: [filter] });
    const [valid = {}] = input.filters;
    const findings: FilterFindings = new Findings(filterFindings);
    const parsed = parseFilter(valid, 0, findings.at("filters", 0));
    findings.throwIfRejected();
    const entries = parsed.parts.map((part) => entryProperties(part, parsed.actions));
    return { ...parsed, filter: valid, entries };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [{ path: [, , field] = [], message } = { message: "is rejected" }] = error.problems;
    // `has_words` may come from any property.
    if (field === undefined || field === "has_words") return { reason: message };
    const known = [...SEARCH_CONDITIONS, ...ACTIONS].find((one) => one.field === field);
    return { reason: `${known?.property ?? "size"}: ${message}` };
  }
}
