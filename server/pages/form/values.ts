import type { Field } from "../../../src/fields.ts";
import { type Issue, issueAt, type Path } from "../../../src/issues.ts";

/** A field and its content as typed, blank rows and wrong numbers included. */
export type FieldValue =
  | { readonly kind: "text"; readonly field: Field; readonly value: string }
  | { readonly kind: "switch"; readonly field: Field; readonly value: boolean }
  | { readonly kind: "texts"; readonly field: Field; readonly rows: readonly string[] }
  | { readonly kind: "map"; readonly field: Field; readonly rows: readonly MapRow[] }
  | { readonly kind: "items"; readonly field: Field; readonly rows: readonly FormValues[] };

/** A row of a map, such as a header with its value. */
export interface MapRow {
  readonly key: string;
  readonly value: string;
}

/** A form, or one row of a list of objects. */
export type FormValues = readonly FieldValue[];

/**
 * The form that shows an input of the tool, or the data of a submitted form (form-data.ts). A value
 * of a wrong type leaves its field blank; the tool's own validation reports it.
 */
export function readValues(fields: readonly Field[], value: unknown): FormValues {
  const properties = propertiesOf(value);
  return fields.map((field) => readValue(field, properties.get(field.name)));
}

function readValue(field: Field, value: unknown): FieldValue {
  switch (field.kind) {
    case "boolean":
      return { kind: "switch", field, value: value === true || isOn(value) };
    case "texts":
      return { kind: "texts", field, rows: orOne(rowsOf(value).map(textOf), "") };
    case "map":
      return { kind: "map", field, rows: orOne(pairsOf(value), { key: "", value: "" }) };
    case "items": {
      const rows = rowsOf(value).map((row) => readValues(field.fields, row));
      return { kind: "items", field, rows: orOne(rows, readValues(field.fields, {})) };
    }
    case "number":
    case "integer":
      return { kind: "text", field, value: textOf(value ?? field.default).trim() };
    default:
      return { kind: "text", field, value: textOf(value ?? field.default) };
  }
}

/** A list always has a row to type in. */
const orOne = <Row>(rows: readonly Row[], blank: Row): readonly Row[] =>
  rows.length > 0 ? rows : [blank];

const propertiesOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/**
 * More than any list may hold, so the tool still refuses too many rows and the user sees which. The
 * thousands of rows in a hostile input would make a page of 50 MB.
 */
const MAX_ROWS = 100;

const rowsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MAX_ROWS) : [];

/** A checkbox of the form sends "true"; one without a value sends "on". */
const isOn = (value: unknown): boolean => value === "true" || value === "on";

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A map is an object in an input, and a list of pairs in a submitted form. */
function pairsOf(value: unknown): readonly MapRow[] {
  if (!Array.isArray(value)) {
    return [...propertiesOf(value)].map(([key, text]) => ({ key, value: textOf(text) }));
  }
  return value.map(propertiesOf).map((pair) => ({
    key: textOf(pair.get("key")),
    value: textOf(pair.get("value")),
  }));
}

/** The input of a form, and the problems that get lost in it. */
interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

/** Reads the input from a form. Blank fields and rows are left out. */
export function inputOf(values: FormValues): FormInput {
  const issues: Issue[] = [];
  return { input: inputObject(values, [], issues), issues };
}

function inputObject(values: FormValues, path: Path, issues: Issue[]): Record<string, unknown> {
  const properties = values.map((value) => {
    const { name } = value.field;
    return [name, inputValue(value, [...path, name], issues)] as const;
  });
  return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
}

function inputValue(value: FieldValue, path: Path, issues: Issue[]): unknown {
  switch (value.kind) {
    case "text":
      return value.value === "" ? undefined : scalarOf(value.value, value.field.kind);
    case "switch":
      return value.value || undefined;
    case "texts":
      return orNothing(value.rows.filter((text) => text !== ""));
    case "map":
      return mapOf(value.rows, path, issues);
    case "items":
      return value.rows
        .filter((row) => !isBlankRow(row))
        .map((row, index) => inputObject(row, [...path, index], issues));
  }
}

const orNothing = <List extends readonly unknown[]>(list: List): List | undefined =>
  list.length > 0 ? list : undefined;

/** A number as people and JSON write it. "5,5", "1_000" and "0x10" are ambiguous. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Anything but a number stays a text, which the tool refuses with a message. */
function scalarOf(text: string, kind: FieldValue["field"]["kind"]): string | number {
  const isNumber = (kind === "number" || kind === "integer") && DECIMAL.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) ? number : text;
}

/** The map would silently keep only one of two rows with the same key. */
function mapOf(rows: readonly MapRow[], path: Path, issues: Issue[]): object | undefined {
  const pairs = orNothing(rows.filter((row) => !isBlankPair(row)));
  for (const [key, { length }] of Map.groupBy(pairs ?? [], (pair) => pair.key)) {
    if (length > 1) issues.push(issueAt([...path, key], "must be given once"));
  }
  return pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}

export const isBlankRow = (row: FormValues): boolean => row.every(isBlank);

/** Whether nothing was typed. A default value does not count. */
function isBlank(value: FieldValue): boolean {
  switch (value.kind) {
    case "text":
      return value.value === "" || value.value === value.field.default;
    case "switch":
      return value.value === (value.field.default ?? false);
    case "texts":
      return value.rows.every((text) => text === "");
    case "map":
      return value.rows.every(isBlankPair);
    case "items":
      return value.rows.every(isBlankRow);
  }
}

export const isBlankPair = ({ key, value }: MapRow): boolean => key === "" && value === "";
