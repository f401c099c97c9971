import type { Field } from "../../../src/fields.ts";
import type { Entries, Entry, MapRow } from "./entry.ts";

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
