import { type Issue, joinPath } from "../../../src/issues.ts";

/**
 * What a form holds, as it is sent: texts by name and rows by number, in the order of the page. A row
 * keeps its number while others come and go, so it is the row's key too. A text in place of a row's
 * fields is a closed row: the JSON of its input. Controls with one name are a list (`readList`).
 */
export type FormValues = Map<string, Value>;

export type Value = string | readonly string[] | FormValues;

interface FieldLabels {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The number's unit, in upper case. */
  readonly unit?: string;
  /** Splits a string into list items; by default, at line breaks. */
  readonly split?: (text: string) => readonly string[];
  /** A `datalist` with the name of the field is beside it. */
  readonly isSuggested?: boolean;
}

export type FormField = FieldLabels &
  (
    | { readonly kind: "text" | "number" | "switch" | "texts" | "map" }
    | {
        readonly kind: "choice";
        readonly choices: Readonly<Record<string, string>>;
        /** One is always chosen, at first the first. */
        readonly isRequired?: boolean;
      }
    | { readonly kind: "items"; readonly fields: Fields }
    /** A table: each item is a line. */
    | { readonly kind: "grid"; readonly fields: Fields }
  );

export type Fields = Readonly<Record<string, FormField>>;

/** The fields of an input. A missing one, or one of another kind, does not compile. */
export type FieldsOf<Input> = {
  readonly [Name in keyof Required<Input>]: FieldLabels & KindOf<NonNullable<Input[Name]>>;
};

type KindOf<Value> = [Value] extends [boolean]
  ? { readonly kind: "switch" }
  : [Value] extends [number]
    ? { readonly kind: "number" }
    : [Value] extends [readonly string[]]
      ? { readonly kind: "texts" }
      : [Value] extends [readonly (infer Item)[]]
        ? { readonly kind: "items" | "grid"; readonly fields: FieldsOf<Item> }
        : [Value] extends [string]
          ? string extends Value
            ? { readonly kind: "text" }
            : {
                readonly kind: "choice";
                readonly choices: Readonly<Record<Value, string>>;
                readonly isRequired?: boolean;
              }
          : { readonly kind: "map" };

/** `filters[0].from[1]`. No input is deeper, and no other parameter of an address is a field. */
const FIELD_NAME = /^[a-z][a-z_]*(?:\[\d{1,5}\]|\.[a-z][a-z_]*){0,4}$/;

const parseFieldName = (name: string): readonly string[] => name.match(/[a-z_]+|\d+/g) ?? [];

export function parseForm(data: Iterable<readonly [string, unknown]>): FormValues {
  const tree: FormValues = new Map();
  for (const [name, text] of data) {
    if (typeof text !== "string" || !FIELD_NAME.test(name)) continue;
    const steps = parseFieldName(name);
    // Forms send every line break as CR LF.
    const rows = ensureRows(tree, steps.slice(0, -1));
    const key = steps.at(-1) ?? "";
    const before = rows.get(key);
    const value = text.replaceAll("\r\n", "\n");
    if (before === undefined || before instanceof Map || /^\d/.test(key)) {
      if (rows.size < MAX_ROWS) rows.set(key, value);
    } else if ([before].flat().length <= MAX_ROWS) rows.set(key, [before, value].flat());
  }
  return tree;
}

/** The controls of a tree, by which `readForm` makes it again. */
export const toFormEntries = (
  tree: FormValues,
  name = "",
): readonly (readonly [string, string])[] =>
  [...tree].flatMap(([key, value]) => {
    const at = /^\d/.test(key) ? `${name}[${key}]` : joinPath(name, key);
    return value instanceof Map
      ? toFormEntries(value, at)
      : [value].flat().map((text) => [at, text] as const);
  });

/** One more than any list may have, which the tool reports. Drawing more would take long. */
export const MAX_ROWS = 1_001;

/** The rows or fields at a place, which are made if there are none. */
export function ensureRows(tree: FormValues, steps: readonly string[]): FormValues {
  let at = tree;
  for (const step of steps) {
    const known = at.get(step);
    const next: FormValues = known instanceof Map ? known : new Map();
    if (next !== known && at.size < MAX_ROWS) at.set(step, next);
    at = next;
  }
  return at;
}

export const getFormValue = (tree: FormValues, name: string): Value | undefined =>
  parseFieldName(name).reduce<Value | undefined>(
    (at, step) => (at instanceof Map ? at.get(step) : undefined),
    tree,
  );

/** If a name is sent twice, the last value counts. */
export const asText = (value: Value | undefined): string =>
  value === undefined || value instanceof Map ? "" : ([value].flat().at(-1) ?? "");

/** A list in the order of its controls: the items, and the text control among them. */
export interface TextList {
  readonly items: readonly string[];
  /** The place of the text control, which is the last unless an item is edited. */
  readonly at: number;
}

export function readList(tree: FormValues, key: string): TextList {
  const value = tree.get(key) ?? "";
  // URLs from before 0.6 number each item and have no text control.
  const items = value instanceof Map ? [...[...value.values()].map(asText), ""] : [value].flat();
  const last = items.length - 1;
  const at = Number(asText(tree.get(`${key}_at`)) || last);
  return { items, at: at in items ? at : last };
}

export function writeList(tree: FormValues, key: string, { items, at }: TextList): void {
  tree.set(key, items);
  if (at < items.length - 1) tree.set(`${key}_at`, String(at));
  else tree.delete(`${key}_at`);
}

/** Splits a string into lines and drops blank ones. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Turns the text control's content into items and moves the control to the end. */
function endText(tree: FormValues, key: string, { split = splitLines }: FormField): void {
  const { items, at } = readList(tree, key);
  const ended = items.flatMap((item, index) => (index === at ? split(item) : item));
  writeList(tree, key, { items: [...ended, ""], at: ended.length });
}

/** Turns the text controls of a posted form into items. */
export function endTexts(tree: FormValues, fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    const value = tree.get(key);
    if (field.kind === "texts" && value !== undefined) endText(tree, key, field);
    if ("fields" in field && value instanceof Map)
      for (const item of value.values()) if (item instanceof Map) endTexts(item, field.fields);
  }
}

/** The rows of a list, which has one to type in. */
export const listRows = (value: Value | undefined): readonly [string, Value][] =>
  value instanceof Map && value.size > 0 ? [...value] : [["0", ""]];

/** Adds a row. @returns its number. */
export function addRow(rows: FormValues, value: Value): string {
  const number = String(Math.max(-1, ...[...rows.keys()].map(Number)) + 1);
  rows.set(number, value);
  return number;
}

/** A number as people and JSON write it. "5,5", "1_000" and "0x10" are ambiguous. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Anything but a number stays a string, which the tool rejects with a message. */
function readNumber(text: string, { unit = "" }: FormField): number | string | undefined {
  const given = text.trim();
  const isInUnit = unit !== "" && given.toUpperCase().endsWith(unit);
  const plain = isInUnit ? given.slice(0, -unit.length).trim() : given;
  const isNumber = DECIMAL.test(plain) && Number.isFinite(Number(plain));
  return isNumber ? Number(plain) : plain || undefined;
}

/** The input that a form describes. Blank fields and rows are left out. */
export interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** The names of controls and rows, by their paths in the input. */
  readonly names: ReadonlyMap<string, string>;
  /** Problems that the input itself cannot show. */
  readonly issues: readonly Issue[];
  /** Problems of items that are not finished, and so not in the input; the others are run without them. */
  readonly unread?: readonly Issue[];
}

export function toInput(tree: FormValues, fields: Fields): FormInput {
  const names = new Map<string, string>();
  const issues: Issue[] = [];

  const readFields = (from: FormValues, of: Fields, name: string, path: string) => {
    const input: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(of)) {
      const at = [joinPath(name, key), joinPath(path, key)] as const;
      const value =
        field.kind === "texts" && from.has(key)
          ? readTexts(readList(from, key), field, ...at)
          : readField(from.get(key), field, ...at);
      if (value !== undefined) input[key] = value;
    }
    return input;
  };
  const readTexts = (
    { items, at }: TextList,
    { split = splitLines }: FormField,
    name: string,
    path: string,
  ) => {
    names.set(path, name);
    const texts: string[] = [];
    for (const [index, item] of items.entries())
      for (const text of index === at ? split(item) : [item].filter(Boolean)) {
        names.set(joinPath(path, texts.length), index === at ? name : `${name}[${index}]`);
        texts.push(text);
      }
    return texts.length > 0 ? texts : undefined;
  };
  const readField = (
    value: Value | undefined,
    field: FormField,
    name: string,
    path: string,
  ): unknown => {
    names.set(path, name);
    const rows = value instanceof Map ? [...value] : [];
    switch (field.kind) {
      case "switch":
        return ["true", "on"].includes(asText(value)) || undefined;
      case "number":
        return readNumber(asText(value), field);
      case "map": {
        const pairs = rows.flatMap(([row, pair]): [string, string][] => {
          const [key, text] = pair instanceof Map ? [pair.get("key"), pair.get("value")] : [];
          if (!key && !text) return [];
          const at = joinPath(path, asText(key));
          if (names.has(at)) issues.push({ path: at, message: "must be given once" });
          names.set(at, `${name}[${row}]`);
          return [[asText(key), asText(text)]];
        });
        return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
      }
      case "items":
      case "grid": {
        const items: unknown[] = [];
        for (const [row, item] of rows) {
          const at = joinPath(path, items.length);
          const input =
            field.kind === "items" && isCollapsed(item)
              ? parseCollapsedItem(item)
              : readFields(
                  item instanceof Map ? item : new Map(),
                  field.fields,
                  `${name}[${row}]`,
                  at,
                );
          if (Object.keys(input).length === 0) continue;
          names.set(at, `${name}[${row}]`);
          items.push(input);
        }
        return items;
      }
      default:
        return asText(value) || undefined;
    }
  };
  return { input: readFields(tree, fields, "", ""), names, issues };
}

/** The item that a name is in, or is: `filters[0]` of `filters[0].from`. */
export const getItemName = (name: string): string => /^\w+\[\d+\]/.exec(name)?.[0] ?? "";

/** Whether a name belongs to a closed item. Other values may begin with a brace too. */
export function isInCollapsedItem(tree: FormValues, name: string, fields: Fields): boolean {
  const [list = ""] = parseFieldName(name);
  return fields[list]?.kind === "items" && isCollapsed(getFormValue(tree, getItemName(name)) ?? "");
}

export const isCollapsed = (row: Value): row is string =>
  typeof row === "string" && row.startsWith("{");

/** Only the form writes this JSON, but a posted form may be hostile. */
function parseCollapsedItem(json: string): object {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** An item with its fields, each of its own type. */
export const expandItem = (item: Value, fields: Fields): FormValues =>
  item instanceof Map ? item : toFormValues(parseCollapsedItem(asText(item)), fields);

/** The form of an input. Values of a wrong type are left out. */
export function toFormValues(input: unknown, fields: Fields): FormValues {
  const values = Object.entries(fields).map(
    ([name, field]) => [name, toFieldValue(Object(input)[name], field)] as const,
  );
  return new Map(values.filter((value): value is [string, Value] => value[1] !== undefined));
}

function toFieldValue(value: unknown, field: FormField): Value | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case "texts":
      // The text control after them is blank.
      return list.length > 0 ? [...list.slice(0, MAX_ROWS).map(toText), ""] : undefined;
    case "map":
      return listOf(
        Object.entries(Object(value)).map(
          ([key, text]) => new Map(Object.entries({ key, value: toText(text) })),
        ),
      );
    case "items":
    case "grid": {
      const rows = toRows(list.map((item) => toFormValues(item, field.fields)));
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

const toRows = (rows: readonly Value[]): FormValues =>
  new Map(rows.slice(0, MAX_ROWS).map((row, index) => [String(index), row]));

/** Not set for a list without rows: an empty item is blank then. */
const listOf = (rows: readonly Value[]): FormValues | undefined =>
  rows.length > 0 ? toRows(rows) : undefined;

/**
 * Closes all items but one, and drops the blank ones. A single item is open.
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
  const isFilled = (item: Value) => Object.keys(toInput(expandItem(item, fields), fields).input)[0];
  return (open.find(([, item]) => isFilled(item)) ?? open[0])?.[0];
}

/**
 * Does what a button of the form asks for: `add filters`, `remove filters[0].from[1]`,
 * `edit filters[0].from[1]`, `open filters[2]`, `close filters[2]`, `copy filters[2]`, `clear`. Any
 * other command changes nothing.
 *
 * @returns the name of the control to focus.
 */
export function applyIntent(tree: FormValues, command: string, fields: Fields): string | undefined {
  const [verb = "", name = ""] = command.split(" ", 2);
  if (verb === "clear") {
    tree.clear();
    return Object.keys(fields)[0];
  }
  if (!FIELD_NAME.test(name)) return undefined;
  const steps = parseFieldName(name);
  const list = name.replace(/\[\d+\]$/, "");
  const texts = fieldAt(fields, list);
  if (texts?.kind === "texts") return pressText(tree, verb, name, list, texts);
  const items = fields[steps[0] ?? ""];
  const itemFields = steps.length <= 2 && items?.kind === "items" ? items.fields : undefined;
  if (verb === "add") {
    const rows = ensureRows(tree, steps);
    const row = addRow(rows, itemFields ? new Map() : "");
    if (itemFields) collapseItems(rows, itemFields, row);
    return `${name}[${row}]`;
  }
  const rows = ensureRows(tree, steps.slice(0, -1));
  const row = steps.at(-1) ?? "";
  if ((verb === "open" || verb === "close") && itemFields) {
    collapseItems(rows, itemFields, verb === "open" ? row : "");
    return verb === "open" ? name : `open ${name}`;
  }
  const item = rows.get(row);
  if (verb === "remove") {
    const numbers = [...rows.keys()];
    const at = numbers.indexOf(row);
    const next = numbers[at + 1] ?? numbers[at - 1];
    rows.delete(row);
    if (itemFields) collapseItems(rows, itemFields);
    if (itemFields) return isCollapsed(rows.get(next ?? "") ?? "") ? `open ${list}[${next}]` : list;
    return rows.size > 1 ? `remove ${list}[${next}]` : `add ${list}`;
  }
  if (verb !== "copy" || !itemFields || item === undefined) return undefined;
  const all = [...rows];
  const copy = addRow(rows, structuredClone(item));
  const at = all.findIndex(([number]) => number === row);
  const after = all.slice(at + 1);
  for (const [number] of after) rows.delete(number);
  for (const [number, other] of after) rows.set(number, other);
  collapseItems(rows, itemFields, copy);
  return `${list}[${copy}]`;
}

/** Adds the typed text to a list, or removes or edits an item. @returns the control to focus. */
function pressText(
  tree: FormValues,
  verb: string,
  name: string,
  list: string,
  field: FormField,
): string {
  const steps = parseFieldName(list);
  const key = steps.at(-1) ?? "";
  const parent = ensureRows(tree, steps.slice(0, -1));
  const index = Number(parseFieldName(name).at(-1));
  const { items, at } = readList(parent, key);
  const item = items[index] ?? "";
  const isEntered = index !== at && item !== "";
  if (verb === "add") endText(parent, key, field);
  else if (verb === "remove" && isEntered) {
    const rest = items.toSpliced(index, 1);
    const place = index < at ? at - 1 : at;
    writeList(parent, key, { items: rest, at: place });
    const next = index in rest ? index : index - 1;
    if (next !== place) return `${list}[${next}]`;
    // A line break would not stay in the text control as it is.
  } else if (verb === "edit" && isEntered && !item.includes("\n")) {
    endText(parent, key, field);
    const ended = readList(parent, key).items;
    const place = index < at ? index : index + ended.length - 1 - items.length;
    writeList(parent, key, { items: ended.slice(0, -1), at: place });
  }
  return list;
}

/** The field of a name: `filters[0].from`. */
export function fieldAt(fields: Fields, name: string): FormField | undefined {
  const [key = "", ...rest] = parseFieldName(name).filter((step) => !/^\d/.test(step));
  const field = FIELD_NAME.test(name) ? fields[key] : undefined;
  if (rest.length === 0 || !field) return field;
  return "fields" in field ? fieldAt(field.fields, rest.join(".")) : undefined;
}
