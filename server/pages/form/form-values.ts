import { formatPath, joinPath, type Path, type Problem } from "../../../src/issues.ts";
import { formatNumber } from "../../../src/text.ts";

/**
 * The values of a form, as it is sent: strings by name and rows by number, in the order of the page. The
 * kinds of its fields:
 *
 * - `text`, `number`, `switch`, `choice`: one control.
 * - `tokens`: a list of strings in one box. Each token is a control with the list's name, and so is the
 *   text control in which the next one is typed.
 * - `map`: rows of a `key` and a `value`.
 * - `grid`: a table, whose rows have a cell for each field.
 * - `items`: rows that are open, with a control for each field, or collapsed to the JSON of their input.
 *
 * A row keeps its number while others come and go, so the number is the row's key too.
 */
export type FormValues = Map<string, FormValue>;

export type FormValue = string | readonly string[] | FormValues;

interface FieldLabels {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The number's unit, in upper case. */
  readonly unit?: string;
  /** Splits a string into tokens; by default, at line breaks. */
  readonly split?: (text: string) => readonly string[];
  /** Whether a value of a map is masked. */
  readonly isSecret?: (key: string, value: string) => boolean;
  /** A `datalist` with the name of the field is beside it. */
  readonly hasSuggestions?: boolean;
}

export type FormField = FieldLabels &
  (
    | { readonly kind: "text" | "number" | "switch" | "tokens" | "map" }
    | { readonly kind: "choice"; readonly choices: Readonly<Record<string, string>> }
    | { readonly kind: "items" | "grid"; readonly fields: Fields }
  );

export type Fields = Readonly<Record<string, FormField>>;

/** The fields of an input. A missing field, or one of the wrong kind, is a compile error. */
export type FieldsOf<Input> = {
  readonly [Name in keyof Required<Input>]: FieldLabels & KindOf<NonNullable<Input[Name]>>;
};

type KindOf<Value> = [Value] extends [boolean]
  ? { readonly kind: "switch" }
  : [Value] extends [number]
    ? { readonly kind: "number" }
    : [Value] extends [readonly string[]]
      ? { readonly kind: "tokens" }
      : [Value] extends [readonly (infer Item)[]]
        ? { readonly kind: "items" | "grid"; readonly fields: FieldsOf<Item> }
        : [Value] extends [string]
          ? string extends Value
            ? { readonly kind: "text" }
            : { readonly kind: "choice"; readonly choices: Readonly<Record<Value, string>> }
          : { readonly kind: "map" };

/** `filters[0].from[1]`. No input is deeper. */
export const FIELD_NAME = /^[a-z][a-z_]*(?:\[\d{1,5}\]|\.[a-z][a-z_]*){0,4}$/;

export const parseFieldName = (name: string): readonly string[] => name.match(/[a-z_]+|\d+/g) ?? [];

export function parseForm(data: Iterable<readonly [string, unknown]>): FormValues {
  const form: FormValues = new Map();
  for (const [name, text] of data) {
    if (typeof text !== "string" || !FIELD_NAME.test(name)) continue;
    const steps = parseFieldName(name);
    // Forms send every line break as CR LF.
    const rows = ensureRows(form, steps.slice(0, -1));
    const key = steps.at(-1) ?? "";
    const before = rows.get(key);
    const value = text.replaceAll("\r\n", "\n");
    if (before === undefined || before instanceof Map || /^\d/.test(key)) {
      if (rows.size < MAX_ROWS) rows.set(key, value);
    } else if ([before].flat().length <= MAX_ROWS) rows.set(key, [before, value].flat());
  }
  return form;
}

/** The names and values of a form's controls: the inverse of `parseForm`. */
export const toFormEntries = (
  form: FormValues,
  name = "",
): readonly (readonly [string, string])[] =>
  [...form].flatMap(([key, value]) => {
    const ownName = /^\d/.test(key) ? `${name}[${key}]` : joinPath(name, key);
    return value instanceof Map
      ? toFormEntries(value, ownName)
      : [value].flat().map((text) => [ownName, text] as const);
  });

/** One more than any list may have, so that the tool reports it. Rendering more would be slow. */
export const MAX_ROWS = 1_001;

/** Returns the rows or fields at a place; creates them if they are missing. */
export function ensureRows(form: FormValues, steps: readonly string[]): FormValues {
  let rows = form;
  for (const step of steps) {
    const known = rows.get(step);
    const next: FormValues = known instanceof Map ? known : new Map();
    if (next !== known && rows.size < MAX_ROWS) rows.set(step, next);
    rows = next;
  }
  return rows;
}

export const getFormValue = (form: FormValues, name: string): FormValue | undefined =>
  parseFieldName(name).reduce<FormValue | undefined>(
    (value, step) => (value instanceof Map ? value.get(step) : undefined),
    form,
  );

/** If a name is sent twice, the last value counts. */
export const asText = (value: FormValue | undefined): string =>
  value === undefined || value instanceof Map ? "" : ([value].flat().at(-1) ?? "");

/** The tokens of a list in the order of its controls, with the text control among them. */
export interface Tokens {
  readonly texts: readonly string[];
  /** The index of the text control, which is the last unless a token is edited. */
  readonly typedIndex: number;
}

export function readTokens(form: FormValues, key: string): Tokens {
  const value = form.get(key) ?? "";
  const texts = value instanceof Map ? [""] : [value].flat();
  const last = texts.length - 1;
  const typedIndex = Number(asText(form.get(`${key}_at`)) || last);
  return { texts, typedIndex: typedIndex in texts ? typedIndex : last };
}

export function writeTokens(form: FormValues, key: string, { texts, typedIndex }: Tokens): void {
  form.set(key, texts);
  if (typedIndex < texts.length - 1) form.set(`${key}_at`, String(typedIndex));
  else form.delete(`${key}_at`);
}

/** Splits a string into lines and drops blank ones. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Turns the typed text into tokens and moves the text control to the end. */
export function endTyping(form: FormValues, key: string, { split = splitLines }: FormField): void {
  const { texts, typedIndex } = readTokens(form, key);
  const ended = texts
    .flatMap((text, index) => (index === typedIndex ? split(text) : text))
    .slice(0, MAX_ROWS);
  writeTokens(form, key, { texts: [...ended, ""], typedIndex: ended.length });
}

/** Does the same for all lists of a posted form. */
export function endAllTyping(form: FormValues, fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    const value = form.get(key);
    if (field.kind === "tokens" && value !== undefined) endTyping(form, key, field);
    if ("fields" in field && value instanceof Map)
      for (const row of value.values()) if (row instanceof Map) endAllTyping(row, field.fields);
  }
}

/** The rows of a list: at least one, to type in. */
export const listRows = (value: FormValue | undefined): readonly [string, FormValue][] =>
  value instanceof Map && value.size > 0 ? [...value] : [["0", ""]];

/** Adds a row. @returns its number. */
export function addRow(rows: FormValues, value: FormValue): string {
  const number = String(Math.max(-1, ...[...rows.keys()].map(Number)) + 1);
  rows.set(number, value);
  return number;
}

/** A number as people and JSON write it. "5,5", "1_000" and "0x10" are ambiguous. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Anything but a number stays a string, which the tool rejects with a message. */
function readNumber(text: string, { unit = "" }: FormField): number | string | undefined {
  const trimmed = text.trim();
  const isInUnit = unit !== "" && trimmed.toUpperCase().endsWith(unit);
  const plain = isInUnit ? trimmed.slice(0, -unit.length).trim() : trimmed;
  const isNumber = DECIMAL.test(plain) && Number.isFinite(Number(plain));
  return isNumber ? Number(plain) : plain || undefined;
}

/** The input that a form describes. Blank fields and rows are left out. */
export interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** The names of controls and rows, by their paths in the input. */
  readonly names: ReadonlyMap<string, string>;
  /** Problems that the input itself cannot show. */
  readonly issues: readonly Problem[];
  /** Problems of unfinished rows. These are not in the input; the tool runs with the others. */
  readonly unread?: readonly Problem[];
}

export function toInput(form: FormValues, fields: Fields): FormInput {
  const reader = new InputReader();
  return { input: reader.readFields(form, fields), names: reader.names, issues: reader.issues };
}

class InputReader {
  readonly names = new Map<string, string>();
  readonly issues: Problem[] = [];

  /** @param path the place in the input, where blank rows do not count. */
  readFields(values: FormValues, fields: Fields, name = "", path: Path = []) {
    const input: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const value = this.#readField(values, key, field, joinPath(name, key), [...path, key]);
      if (value !== undefined) input[key] = value;
    }
    return input;
  }

  #readField(values: FormValues, key: string, field: FormField, name: string, path: Path): unknown {
    this.#setName(path, name);
    const value = values.get(key);
    const rows = value instanceof Map ? [...value] : [];
    switch (field.kind) {
      case "switch":
        return ["true", "on"].includes(asText(value)) || undefined;
      case "number":
        return readNumber(asText(value), field);
      case "tokens":
        return this.#readTokens(readTokens(values, key), field, name, path);
      case "map":
        return this.#readPairs(rows, name, path);
      case "items":
      case "grid":
        return this.#readRows(rows, field, name, path);
      default:
        return asText(value) || undefined;
    }
  }

  #readTokens({ texts, typedIndex }: Tokens, field: FormField, name: string, path: Path) {
    const { split = splitLines } = field;
    const list: string[] = [];
    for (const [index, text] of texts.entries())
      for (const part of index === typedIndex ? split(text) : [text].filter(Boolean)) {
        this.#setName([...path, list.length], index === typedIndex ? name : `${name}[${index}]`);
        list.push(part);
      }
    return list.length > 0 ? list : undefined;
  }

  #readPairs(rows: readonly [string, FormValue][], name: string, path: Path) {
    if (rows.length >= MAX_ROWS)
      this.issues.push({ path, message: `must have at most ${formatNumber(MAX_ROWS - 1)} items` });
    const pairs = rows.flatMap(([row, pair]): [string, string][] => {
      const [key, value] = pair instanceof Map ? [pair.get("key"), pair.get("value")] : [];
      if (!key && !value) return [];
      const pairPath = [...path, asText(key)];
      if (this.names.has(formatPath(pairPath)))
        this.issues.push({ path: pairPath, message: "must be given once" });
      this.#setName(pairPath, `${name}[${row}]`);
      return [[asText(key), asText(value)]];
    });
    return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
  }

  #readRows(
    rows: readonly [string, FormValue][],
    { kind, fields }: Extract<FormField, { fields: Fields }>,
    name: string,
    path: Path,
  ) {
    const list: object[] = [];
    for (const [number, row] of rows) {
      const rowName = `${name}[${number}]`;
      const rowPath = [...path, list.length];
      const input =
        kind === "items" && isCollapsed(row)
          ? parseCollapsedItem(row)
          : this.readFields(row instanceof Map ? row : new Map(), fields, rowName, rowPath);
      if (Object.keys(input).length === 0) continue;
      this.#setName(rowPath, rowName);
      list.push(input);
    }
    return list;
  }

  #setName(path: Path, name: string): void {
    this.names.set(formatPath(path), name);
  }
}

/** The row that a name belongs to: `filters[0]` for `filters[0].from`, and for itself. */
export const getItemName = (name: string): string => /^\w+\[\d+\]/.exec(name)?.[0] ?? "";

/** Whether a name belongs to a collapsed item. Other values may begin with a brace too. */
export function isInCollapsedItem(form: FormValues, name: string, fields: Fields): boolean {
  const [list = ""] = parseFieldName(name);
  return fields[list]?.kind === "items" && isCollapsed(getFormValue(form, getItemName(name)) ?? "");
}

export const isCollapsed = (row: FormValue): row is string =>
  typeof row === "string" && row.startsWith("{");

/** Only the form writes this JSON, but a posted form may be hostile. */
function parseCollapsedItem(json: string): object {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Parses a collapsed item into its fields; returns an open item unchanged. */
export const expandItem = (item: FormValue, fields: Fields): FormValues =>
  item instanceof Map ? item : toFormValues(parseCollapsedItem(asText(item)), fields);

/** The form for an input. Values of a wrong type are left out. */
export function toFormValues(input: unknown, fields: Fields): FormValues {
  const values = Object.entries(fields).map(
    ([name, field]) => [name, toFieldValue(Object(input)[name], field)] as const,
  );
  return new Map(values.filter((value): value is [string, FormValue] => value[1] !== undefined));
}

function toFieldValue(value: unknown, field: FormField): FormValue | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case "tokens":
      // The text control after them is blank.
      return list.length > 0 ? [...list.slice(0, MAX_ROWS).map(toText), ""] : undefined;
    case "map": {
      const pairs = Object.entries(Object(value)).map(
        ([key, text]) => new Map(Object.entries({ key, value: toText(text) })),
      );
      // An item with only blank lists is blank.
      return pairs.length > 0 ? toRows(pairs) : undefined;
    }
    case "items":
    case "grid": {
      const rows = toRows(list.map((row) => toFormValues(row, field.fields)));
      if (field.kind === "items") collapseItems(rows, field.fields);
      return rows;
    }
    default:
      if (typeof value === "number" && field.unit) return `${value} ${field.unit}`;
      return ["string", "number"].includes(typeof value) || value === true
        ? String(value)
        : undefined;
  }
}

/** A posted object may have a `toString` that is not a function. */
const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

const toRows = (rows: readonly FormValue[]): FormValues =>
  new Map(rows.slice(0, MAX_ROWS).map((row, index) => [String(index), row]));

/**
 * Collapses all items but one, and drops blank ones. A single item stays open.
 *
 * @param open the number of the item that stays open, by default `findExpandedItem`.
 */
export function collapseItems(
  items: FormValues,
  fields: Fields,
  open = findExpandedItem(items, fields),
): void {
  for (const [row, item] of items) {
    if (row === open) items.set(row, expandItem(item, fields));
    else if (!isCollapsed(item))
      items.set(row, JSON.stringify(toInput(expandItem(item, fields), fields).input));
    if (items.get(row) === "{}") items.delete(row);
  }
  const [only, ...others] = items;
  if (only && others.length === 0) items.set(only[0], expandItem(only[1], fields));
}

/** The first open item with anything in it, or else the first open one. */
function findExpandedItem(items: FormValues, fields: Fields): string | undefined {
  const open = [...items].filter(([, item]) => !isCollapsed(item));
  const isFilled = (item: FormValue) =>
    Object.keys(toInput(expandItem(item, fields), fields).input)[0];
  return (open.find(([, item]) => isFilled(item)) ?? open[0])?.[0];
}

/** The field of a name: `filters[0].from`. */
export function findField(fields: Fields, name: string): FormField | undefined {
  const [key = "", ...rest] = parseFieldName(name).filter((step) => !/^\d/.test(step));
  const field = FIELD_NAME.test(name) ? fields[key] : undefined;
  if (rest.length === 0 || !field) return field;
  return "fields" in field ? findField(field.fields, rest.join(".")) : undefined;
}

/** The list whose row a control is in, if it is of a kind: `zaps` for the cell `zaps[0].name`. */
export function findListOf(
  fields: Fields,
  name: string,
  kind: FormField["kind"],
): string | undefined {
  const list = /^(.+)\[\d+\]\.\w+$/.exec(name)?.[1] ?? "";
  return findField(fields, list)?.kind === kind ? list : undefined;
}
