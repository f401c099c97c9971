import { type Issue, pathTo, restOfPath } from "../../../src/issues.ts";
import type { FormOptions } from "../view.ts";
import { isClosed, rowContent } from "./form-data.ts";
import type { FormField } from "./form-fields.ts";

/** The place of a field or row in the form, and of its value in the input. */
export interface Place {
  /** The name and id of its control, `filters[0].from[1]`. */
  readonly name: string;
  /** The value's path in the input, which has no blank rows; undefined for a value in such a row. */
  readonly path: string | undefined;
}

/** A field and its content as typed, blank rows and wrong numbers included. */
export type FieldValue = Place & { readonly field: FormField } & (
    | { readonly kind: "text"; readonly value: string }
    | { readonly kind: "switch"; readonly value: boolean }
    | { readonly kind: "texts"; readonly rows: readonly TextRow[] }
    | { readonly kind: "map"; readonly rows: readonly MapRow[] }
    | { readonly kind: "items"; readonly rows: readonly ItemRow[] }
  );

interface TextRow extends Place {
  readonly text: string;
}

/** A row of a map, such as a header with its value. */
export interface MapRow extends Place {
  readonly key: string;
  readonly value: string;
}

/** A row of a list of objects. A closed one is shown as a line of text. */
export interface ItemRow extends Place {
  readonly values: FormValues;
  readonly isOpen: boolean;
}

/** A form, or one row of a list of objects. */
export type FormValues = readonly FieldValue[];

/**
 * Reads the values of a form from an input of the tool, or from a submitted form. A value of a wrong
 * type leaves its field blank; the tool's validation reports it.
 *
 * @param keepsBlankRows whether the input has blank rows, as one given in JSON does.
 */
export const readValues = (
  fields: readonly FormField[],
  value: unknown,
  keepsBlankRows = false,
): FormValues => readFields(fields, value, { name: "", path: "", keepsBlankRows });

interface Parent extends Place {
  readonly keepsBlankRows: boolean;
}

/** @param keyInInput undefined for a row that the input leaves out. */
function makePlace(
  { name: parent, path: parentPath, keepsBlankRows }: Parent,
  key: string | number,
  keyInInput: string | number | undefined,
): Parent {
  const name = pathTo(parent, key);
  if (parentPath === undefined || keyInInput === undefined) {
    return { name, path: undefined, keepsBlankRows };
  }
  // Most places need only one text for both.
  const isSame = parentPath === parent && keyInInput === key;
  return { name, path: isSame ? name : pathTo(parentPath, keyInInput), keepsBlankRows };
}

function readFields(fields: readonly FormField[], value: unknown, parent: Parent): FormValues {
  const properties = listProperties(value);
  return fields.map((field) =>
    readValue(field, properties.get(field.name), makePlace(parent, field.name, field.name)),
  );
}

function readValue(field: FormField, value: unknown, place: Parent): FieldValue {
  const { name, path } = place;
  switch (field.kind) {
    case "boolean":
      return { kind: "switch", name, path, field, value: value === true || isOn(value) };
    case "texts": {
      const texts = withBlankRow(listRows(value, field).map(writeText), "").map((text) => ({
        text,
      }));
      const rows = inPlaces(texts, place, ({ text }) => text === "");
      return { kind: "texts", name, path, field, rows };
    }
    case "map": {
      const pairs = withBlankRow(listPairs(value, field), { key: "", value: "" });
      const rows = inPlaces(pairs, place, isBlankPair, ({ key }) => key);
      return { kind: "map", name, path, field, rows };
    }
    case "items":
      return { kind: "items", name, path, field, rows: itemRows(value, field, place) };
    case "number":
    case "integer":
      return { kind: "text", name, path, field, value: writeText(value ?? field.default).trim() };
    default:
      return { kind: "text", name, path, field, value: writeText(value ?? field.default) };
  }
}

/** A list always has a row to type in. */
const withBlankRow = <Row>(rows: readonly Row[], blank: Row): readonly Row[] =>
  rows.length > 0 ? rows : [blank];

/** @param keyOf the key of a row in the input, by its number there. */
function inPlaces<Row extends object>(
  rows: readonly Row[],
  list: Parent,
  isBlank: (row: Row) => boolean,
  keyOf: (row: Row, index: number) => string | number = (_, index) => index,
): readonly (Row & Place)[] {
  let index = 0;
  return rows.map((row, number) => {
    const isLeftOut = !list.keepsBlankRows && isBlank(row);
    const { name, path } = makePlace(list, number, isLeftOut ? undefined : keyOf(row, index++));
    return { ...row, name, path };
  });
}

const listProperties = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(listEntries(value));

const listEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

const listRows = (value: unknown, { maxRows }: FormField): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, maxRows) : [];

/**
 * A long list of large items has one open item: the one just added, or else the first. The user
 * may open another. A closed item is sent as JSON in one control, an open one as its fields.
 */
function itemRows(value: unknown, field: ItemsField, list: Parent): readonly ItemRow[] {
  const { fields } = field;
  const rows = withBlankRow(listRows(value, field), {});
  const hasClosed = rows.some(isClosed);
  const areAllOpen = fields.length <= FEW_FIELDS || rows.length <= MAX_OPEN;
  const open = Math.max(rows.lastIndexOf(""), 0);
  let inInput = 0;
  return rows.map((row, index) => {
    const isOpen = hasClosed ? !isClosed(row) : areAllOpen || index === open;
    const content = rowContent(row);
    const itemAt = (key: number | undefined): ItemRow => {
      const place = makePlace(list, index, key);
      return { ...place, values: readFields(fields, content, place), isOpen };
    };
    const item = itemAt(inInput);
    if (!list.keepsBlankRows && isBlankRow(item.values)) return itemAt(undefined);
    inInput += 1;
    return item;
  });
}

/** Items with more fields than this are closed when there are more than MAX_OPEN. */
const FEW_FIELDS = 7;
const MAX_OPEN = 3;

type ItemsField = Extract<FormField, { kind: "items" }>;

/** A checkbox of the form sends "true"; one without a value sends "on". */
const isOn = (value: unknown): boolean => value === "true" || value === "on";

const writeText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A map is an object in an input, and a list of pairs in a submitted form. */
function listPairs(value: unknown, field: FormField): readonly Omit<MapRow, keyof Place>[] {
  if (!Array.isArray(value)) {
    return listEntries(value)
      .slice(0, field.maxRows)
      .map(([key, text]) => ({ key, value: writeText(text) }));
  }
  return listRows(value, field)
    .map(listProperties)
    .map((pair) => ({
      key: writeText(pair.get("key")),
      value: writeText(pair.get("value")),
    }));
}

/** The input that a form describes, and the problems that the input itself cannot show. */
interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: FormOptions;
  readonly issues: readonly Issue[];
}

/**
 * Reads the input from a form. Blank fields and rows are left out.
 *
 * @param names the fields that are options of a run.
 */
export function toInput(values: FormValues, names: readonly string[] = []): FormInput {
  const issues: Issue[] = [];
  const isOption = ({ field }: FieldValue) => names.includes(field.name);
  const fields = values.filter((value) => !isOption(value));
  const options = values.filter((value) => isOption(value) && !isBlank(value));
  return {
    input: inputObject(fields, issues),
    options: Object.fromEntries(options.flatMap(optionEntry)),
    issues,
  };
}

/** The value of an option, unless it is none that the form offers. */
const optionEntry = ({ field, ...rest }: FieldValue): [string, string][] =>
  rest.kind === "text" && field.kind === "choice" && field.choices.includes(rest.value)
    ? [[field.name, rest.value]]
    : [];

/** The values in the form that `readValues` reads, for the one control of a closed item. */
export const toData = (values: FormValues): object =>
  Object.fromEntries(
    values
      .filter((value) => !isBlank(value))
      .map((value) => [value.field.name, dataOfField(value)]),
  );

const dataOfField = (value: FieldValue): unknown => {
  switch (value.kind) {
    case "items":
      return value.rows.map((row) => toData(row.values));
    case "texts":
      return value.rows.map(({ text }) => text);
    case "map":
      return value.rows.map(({ key, value: text }) => ({ key, value: text }));
    default:
      return value.value;
  }
};

/**
 * A closed item in a few words: its first texts. Other values follow the label of their
 * field: "importance always".
 *
 * @param choices the words for choices.
 */
export const summarise = (
  values: FormValues,
  choices: Readonly<Record<string, string>> = {},
): string =>
  values
    .filter((value) => !isBlank(value))
    .flatMap((value) => {
      const label = value.field.label.toLowerCase();
      if (value.kind === "texts") return value.rows.map(({ text }) => text);
      if (value.kind === "switch") return [label];
      if (value.kind !== "text") return [];
      const text = choices[value.value] ?? value.value;
      return value.field.kind === "text" ? [text] : [`${label} ${text}`];
    })
    .filter((text) => text !== "")
    .slice(0, 3)
    .join(", ");

function inputObject(values: FormValues, issues: Issue[]): Record<string, unknown> {
  const properties = values.map((value) => [value.field.name, inputValue(value, issues)] as const);
  return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
}

function inputValue(value: FieldValue, issues: Issue[]): unknown {
  switch (value.kind) {
    case "text":
      return value.value === "" ? undefined : readScalar(value.value, value.field.kind);
    case "switch":
      return value.value || undefined;
    case "texts":
      return unlessEmpty(value.rows.map(({ text }) => text).filter((text) => text !== ""));
    case "map":
      return readMap(value.rows, issues);
    case "items":
      return value.rows
        .filter((row) => !isBlankRow(row.values))
        .map((row) => inputObject(row.values, issues));
  }
}

const unlessEmpty = <List extends readonly unknown[]>(list: List): List | undefined =>
  list.length > 0 ? list : undefined;

/** A number as people and JSON write it. "5,5", "1_000" and "0x10" are ambiguous. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A whole number in groups of three: "1,000", "1.000", "1 000" or "1'000". */
const GROUPED = /^\d{1,3}(?:([,.'’\s])\d{3})(?:\1\d{3})*$/u;

/** Anything but a number stays a text, which the tool rejects with a message. */
function readScalar(text: string, kind: FieldValue["field"]["kind"]): string | number {
  const plain = kind === "integer" && GROUPED.test(text) ? text.replace(/\D/g, "") : text;
  const isNumber = (kind === "number" || kind === "integer") && DECIMAL.test(plain);
  const number = Number(plain);
  return isNumber && Number.isFinite(number) ? number : text;
}

/** The map would silently keep only one of two rows with the same key. */
function readMap(rows: readonly MapRow[], issues: Issue[]): object | undefined {
  const pairs = unlessEmpty(rows.filter((row) => !isBlankPair(row)));
  for (const [path = "", { length }] of Map.groupBy(pairs ?? [], (pair) => pair.path)) {
    if (length > 1) issues.push({ path, message: "must be given once" });
  }
  return pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}

export const isBlankRow = (row: FormValues): boolean => row.every(isBlank);

/** A default value does not count as typed. */
function isBlank(value: FieldValue): boolean {
  switch (value.kind) {
    case "text":
      return value.value === "" || value.value === value.field.default;
    case "switch":
      return value.value === (value.field.default ?? false);
    case "texts":
      return value.rows.every(({ text }) => text === "");
    case "map":
      return value.rows.every(isBlankPair);
    case "items":
      return value.rows.every((row) => isBlankRow(row.values));
  }
}

export const isBlankPair = ({ key, value }: Pick<MapRow, "key" | "value">): boolean =>
  key === "" && value === "";

/** The places of all fields and rows that a form shows: a closed item shows none of its fields. */
export const listPlaces = (values: FormValues): readonly Place[] =>
  values.flatMap((value) => [
    value,
    ...shownRows(value).flatMap((row) => [
      row,
      ...(row.isOpen ? listPlaces(row.values ?? []) : []),
    ]),
  ]);

export interface FieldLink {
  /** The label of the place: "Filter 1, From 2". */
  readonly words: string;
  /** The id of its element, or of the closed item that does not show it. */
  readonly id: string;
  /** The id of the field's element once its closed item is open. */
  readonly field?: string;
}

/**
 * The link to the field at a path of the input, `filters[0].from[1]`; undefined for the input as a
 * whole and for a path without a field.
 */
export function linkTo(path: string, values: FormValues): FieldLink | undefined {
  for (const value of values) {
    if (!isWithin(path, value)) continue;
    const { label, singular } = value.field;
    const rows = shownRows(value);
    const index = rows.findIndex((row) => isWithin(path, row));
    const row = rows[index];
    if (!row) return { words: label, id: value.name };
    const item = { words: `${singular} ${index + 1}`, id: row.name };
    const inner = linkTo(path, row.values ?? []);
    if (!inner) return item;
    const words = `${item.words}, ${inner.words}`;
    return row.isOpen ? { ...inner, words } : { ...item, words, field: inner.id };
  }
  return undefined;
}

/** The closed items of a form by their path in the input. */
export const closedItems = (values: FormValues): ReadonlyMap<string | undefined, ItemRow> =>
  new Map(
    values
      .flatMap((value) => (value.kind === "items" ? value.rows : []))
      .filter(({ isOpen }) => !isOpen)
      .map((row) => [row.path, row]),
  );

const isWithin = (path: string, { path: parent }: Place): boolean =>
  parent !== undefined && restOfPath(path, parent) !== undefined;

const shownRows = (value: FieldValue): readonly (Place & Partial<ItemRow>)[] =>
  "rows" in value ? value.rows : [];
