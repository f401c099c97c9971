import type { Editable } from "../../schemas/common.ts";
import {
  type FilterInput,
  MAX_FILTER_NAME,
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

/** Why an entry of an export is left out. Properties have the names of the export. */
export const SKIP_REASONS = {
  template: () => "sends a template, which a file cannot hold",
  unknown: (name: string) => `has ${name}, which this tool does not write`,
  repeated: (name: string) => `has ${name} twice, with different values`,
  size: (size: string, unit: string, operator: string) =>
    `has the size ${size} ${unit} (${operator}), which this tool cannot read`,
  broken: (name: string, problem: string) =>
    `has a broken search in ${name}: ${problem.replace(/^has /, "")}`,
  empty: (name: string, value: string) => `${name} is only ${value}`,
  opposite: (name: string) => `has ${name} beside its opposite`,
  value: (field: string, value: string) =>
    `has the ${field} ${value}, which this tool does not know`,
  noOp: () => "does nothing in Gmail; its label was perhaps deleted",
  unconditional: () => "has no condition",
  changed: () => "cannot be expressed in this tool's input without a change of meaning",
};

/** The problem of the first part of an entry that this tool neither writes nor reads. */
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

/** The search of an entry, or the reason why its first broken property cannot be read. */
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

/** The search that Gmail makes of a property: the items of `doesNotHaveTheWord` are alternatives. */
export function propertySearch(name: SearchProperty, expression: SearchGroup): Search {
  if (name === "hasTheWord") return groupToSearch(expression);
  return name === "doesNotHaveTheWord"
    ? not(groupToSearch({ ...expression, bracket: "{" }))
    : groupToSearch(expression, { operator: name });
}

/** The attachment and the size: `larger:5242880`. Gmail also exports a unit without a size, which means nothing. */
export function parseSizeAndAttachment(properties: Properties): readonly SearchLeaf[] {
  const { hasAttachment, size, sizeOperator, sizeUnit = "s_smb" } = properties;
  const leaves = hasAttachment ? [searchLeaf("has", "attachment")] : [];
  if (size === undefined) return leaves;
  const bytes = Number(size) * (BYTES_BY_UNIT[sizeUnit] ?? Number.NaN);
  // A size that cannot be read is shown as it is written.
  const value = Number.isFinite(bytes) ? String(bytes) : size + sizeUnit;
  return [...leaves, searchLeaf(sizeOperator === "s_ss" ? "smaller" : "larger", value)];
}

/** The units of `sizeUnit`, in bytes. */
const BYTES_BY_UNIT: Readonly<Record<string, number>> = {
  s_smb: BYTES_PER_MB,
  s_skb: 1024,
  s_sb: 1,
};

/** An entry in one line: `from:(a@x.com) -> label Bills, archive`. */
export const formatEntry = (properties: Properties): string =>
  `${formatEntrySearch(properties)} -> ${formatActions(properties)}`.trim();

/** The whole search of an entry, as Gmail puts it together. */
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

/** The actions of an entry in short: `label Bills, archive`. */
export function formatActions(properties: Properties): string {
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
export interface SkippedEntry {
  /** The index of the entry in the file. */
  readonly entry: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly reason: string;
}

/** The line for an entry that no input can express: no new filter replaces it. */
export const formatSkippedEntry = ({ properties, reason }: SkippedEntry): string =>
  `? ${abbreviate(formatEntry(properties))}: ${reason}; keep this one`;

export const truncateName = (text: string): string =>
  [...text.trim()].slice(0, MAX_FILTER_NAME).join("").trim();

/** A filter of the input, with its search and the entries that it is written as. */
interface FilterWithSearch extends ParsedFilter {
  readonly filter: Editable<FilterInput>;
  readonly entries: readonly Properties[];
}

/** Writes one filter as entries, or says why Gmail cannot express it. */
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
    const [{ path, message } = { path: "", message: "is rejected" }] = error.issues;
    const [, field = ""] = /^filters\[0\]\.(\w+)/.exec(path) ?? [];
    // Words may come from any property.
    if (field === "" || field === "has_words") return { reason: message };
    const known = [...SEARCH_CONDITIONS, ...ACTIONS].find((one) => one.field === field);
    return { reason: `${known?.property ?? "size"}: ${message}` };
  }
}
