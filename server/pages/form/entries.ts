import type { Field } from "../../../src/fields.ts";
import { type Issue, issueAt, type Path } from "../../../src/issues.ts";

/** A row of a map, such as a header with its value. */
export interface MapRow {
  readonly key: string;
  readonly value: string;
}

/** A field and what stands in it, as it was typed: blank rows and wrong numbers included. */
export type Entry =
  | { readonly kind: "text"; readonly field: Field; readonly value: string }
  | { readonly kind: "switch"; readonly field: Field; readonly value: boolean }
  | { readonly kind: "texts"; readonly field: Field; readonly rows: readonly string[] }
  | { readonly kind: "map"; readonly field: Field; readonly rows: readonly MapRow[] }
  | { readonly kind: "items"; readonly field: Field; readonly rows: readonly Entries[] };

/** A form, or one row of a list of objects. */
export type Entries = readonly Entry[];

/** Whether nothing was typed; a value that stands there by default does not count. */
function isBlank(entry: Entry): boolean {
  switch (entry.kind) {
    case "text":
      return entry.value === "" || entry.value === entry.field.default;
    case "switch":
      return entry.value === (entry.field.default ?? false);
    case "texts":
      return entry.rows.every((text) => text === "");
    case "map":
      return entry.rows.every(isBlankPair);
    case "items":
      return entry.rows.every(isBlankRow);
  }
}

export const isBlankRow = (row: Entries): boolean => row.every(isBlank);

export const isBlankPair = ({ key, value }: MapRow): boolean => key === "" && value === "";

/**
 * The form that shows a value: an input of the tool, or the data of a sent form (form-data.ts).
 * What has a wrong type leaves its field blank; the tool's own check says so.
 */
export function readEntries(fields: readonly Field[], value: unknown): Entries {
  const properties = propertiesOf(value);
  return fields.map((field) => readEntry(field, properties.get(field.name)));
}

function readEntry(field: Field, value: unknown): Entry {
  switch (field.kind) {
    case "boolean":
      return { kind: "switch", field, value: value === true || isOn(value) };
    case "texts":
      return { kind: "texts", field, rows: orOne(rowsOf(value).map(textOf), "") };
    case "map":
      return { kind: "map", field, rows: orOne(pairsOf(value), { key: "", value: "" }) };
    case "items": {
      const rows = rowsOf(value).map((row) => readEntries(field.fields, row));
      return { kind: "items", field, rows: orOne(rows, readEntries(field.fields, {})) };
    }
    case "number":
    case "integer":
      return { kind: "text", field, value: textOf(value ?? field.default).trim() };
    default:
      return { kind: "text", field, value: textOf(value ?? field.default) };
  }
}

/** A list without a row would have no place to type in. */
const orOne = <Row>(rows: readonly Row[], blank: Row): readonly Row[] =>
  rows.length > 0 ? rows : [blank];

const propertiesOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/**
 * More than any list may have, so that the tool refuses them and people see what there is too much.
 * A form of the thousands of rows that a hostile input can hold would be a page of 50 MB.
 */
const MAX_ROWS = 100;

const rowsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MAX_ROWS) : [];

/** What a checkbox sends: ours has this value, and one without any is "on". */
const isOn = (value: unknown): boolean => value === "true" || value === "on";

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** An input has a map as an object, a sent form as a list of pairs. */
function pairsOf(value: unknown): readonly MapRow[] {
  if (!Array.isArray(value)) {
    return [...propertiesOf(value)].map(([key, text]) => ({ key, value: textOf(text) }));
  }
  return value.map(propertiesOf).map((pair) => ({
    key: textOf(pair.get("key")),
    value: textOf(pair.get("value")),
  }));
}

/** The input that a form stands for, and what of the form no input can say. */
export interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

/** What is blank is left out, whole rows too. */
export function inputOf(entries: Entries): FormInput {
  const issues: Issue[] = [];
  return { input: inputObject(entries, [], issues), issues };
}

function inputObject(entries: Entries, path: Path, issues: Issue[]): Record<string, unknown> {
  const properties = entries.map((entry) => {
    const { name } = entry.field;
    return [name, inputValue(entry, [...path, name], issues)] as const;
  });
  return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
}

function inputValue(entry: Entry, path: Path, issues: Issue[]): unknown {
  switch (entry.kind) {
    case "text":
      return entry.value === "" ? undefined : scalarOf(entry.value, entry.field.kind);
    case "switch":
      return entry.value || undefined;
    case "texts":
      return orNothing(entry.rows.filter((text) => text !== ""));
    case "map":
      return mapOf(entry.rows, path, issues);
    case "items":
      return entry.rows
        .filter((row) => !isBlankRow(row))
        .map((row, index) => inputObject(row, [...path, index], issues));
  }
}

const orNothing = <List extends readonly unknown[]>(list: List): List | undefined =>
  list.length > 0 ? list : undefined;

/** A number as people and JSON write it. "5,5", "1_000" or "0x10" may mean this or that. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** What is no number stays a text, for the tool to refuse in words. */
function scalarOf(text: string, kind: Entry["field"]["kind"]): string | number {
  const isNumber = (kind === "number" || kind === "integer") && DECIMAL.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) ? number : text;
}

/** Of two rows with one key the map would silently keep one. */
function mapOf(rows: readonly MapRow[], path: Path, issues: Issue[]): object | undefined {
  const pairs = orNothing(rows.filter((row) => !isBlankPair(row)));
  for (const [key, { length }] of Map.groupBy(pairs ?? [], (pair) => pair.key)) {
    if (length > 1) issues.push(issueAt([...path, key], "must be given once"));
  }
  return pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}
