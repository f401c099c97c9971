import { formatPath, joinPath, type Path, type Problem } from "../../../src/issues.ts";

/**
 * What a form holds, as it is sent: texts by name and rows by number, in the order of the page. A row
 * keeps its number while others come and go, so it is the row's key too. A text in place of a row's
 * fields is a closed row: the JSON of its input. Controls with one name are a list (`readList`).
 */
export type FormValues = Map<string, FormValue>;

export type FormValue = string | readonly string[] | FormValues;

interface FieldLabels {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The number's unit, in upper case. */
  readonly unit?: string;
  /** Splits a string into list items; by default, at line breaks. */
  readonly split?: (text: string) => readonly string[];
  /** Whether a value of a map is masked. */
  readonly isSecret?: (key: string, value: string) => boolean;
  /** A `datalist` with the name of the field is beside it. */
  readonly hasSuggestions?: boolean;
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

/** The names and values of a form's controls, from which `parseForm` makes it again. */
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

/** The rows or fields at a place, which are made if there are none. */
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

/** A list in the order of its controls: the items, and the text control among them. */
export interface TextList {
  readonly items: readonly string[];
  /** The place of the text control, which is the last unless an item is edited. */
  readonly textIndex: number;
}

export function readList(form: FormValues, key: string): TextList {
  const value = form.get(key) ?? "";
  const items = value instanceof Map ? [""] : [value].flat();
  const last = items.length - 1;
  const textIndex = Number(asText(form.get(`${key}_at`)) || last);
  return { items, textIndex: textIndex in items ? textIndex : last };
}

export function writeList(form: FormValues, key: string, { items, textIndex }: TextList): void {
  form.set(key, items);
  if (textIndex < items.length - 1) form.set(`${key}_at`, String(textIndex));
  else form.delete(`${key}_at`);
}

/** Splits a string into lines and drops blank ones. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Turns the text control's content into items and moves the control to the end. */
function commitText(form: FormValues, key: string, { split = splitLines }: FormField): void {
  const { items, textIndex } = readList(form, key);
  const ended = items.flatMap((item, index) => (index === textIndex ? split(item) : item));
  writeList(form, key, { items: [...ended, ""], textIndex: ended.length });
}

/** Turns the text controls of a posted form into items. */
export function commitTexts(form: FormValues, fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    const value = form.get(key);
    if (field.kind === "texts" && value !== undefined) commitText(form, key, field);
    if ("fields" in field && value instanceof Map)
      for (const item of value.values()) if (item instanceof Map) commitTexts(item, field.fields);
  }
}

/** The rows of a list, which has one to type in. */
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
  readonly issues: readonly Problem[];
  /** Problems of items that are not finished, and so not in the input; the others are run without them. */
  readonly unread?: readonly Problem[];
}

export function toInput(form: FormValues, fields: Fields): FormInput {
  const names = new Map<string, string>();
  const issues: Problem[] = [];
  const setName = (path: Path, name: string) => names.set(formatPath(path), name);

  const readFields = (values: FormValues, fields: Fields, name: string, path: Path) => {
    const input: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const place = [joinPath(name, key), [...path, key]] as const;
      const value =
        field.kind === "texts" && values.has(key)
          ? readTexts(readList(values, key), field, ...place)
          : readField(values.get(key), field, ...place);
      if (value !== undefined) input[key] = value;
    }
    return input;
  };
  const readTexts = (
    { items, textIndex }: TextList,
    { split = splitLines }: FormField,
    name: string,
    path: Path,
  ) => {
    setName(path, name);
    const texts: string[] = [];
    for (const [index, item] of items.entries())
      for (const text of index === textIndex ? split(item) : [item].filter(Boolean)) {
        setName([...path, texts.length], index === textIndex ? name : `${name}[${index}]`);
        texts.push(text);
      }
    return texts.length > 0 ? texts : undefined;
  };
  const readField = (
    value: FormValue | undefined,
    field: FormField,
    name: string,
    path: Path,
  ): unknown => {
    setName(path, name);
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
          const pairPath = [...path, asText(key)];
          if (names.has(formatPath(pairPath)))
            issues.push({ path: pairPath, message: "must be given once" });
          setName(pairPath, `${name}[${row}]`);
          return [[asText(key), asText(text)]];
        });
        return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
      }
      case "items":
      case "grid": {
        const items: unknown[] = [];
        for (const [row, item] of rows) {
          const itemPath = [...path, items.length];
          const input =
            field.kind === "items" && isCollapsed(item)
              ? parseCollapsedItem(item)
              : readFields(
                  item instanceof Map ? item : new Map(),
                  field.fields,
                  `${name}[${row}]`,
                  itemPath,
                );
          if (Object.keys(input).length === 0) continue;
          setName(itemPath, `${name}[${row}]`);
          items.push(input);
        }
        return items;
      }
      default:
        return asText(value) || undefined;
    }
  };
  return { input: readFields(form, fields, "", []), names, issues };
}

/** The item that a name is in, or is: `filters[0]` of `filters[0].from`. */
export const getItemName = (name: string): string => /^\w+\[\d+\]/.exec(name)?.[0] ?? "";

/** Whether a name belongs to a closed item. Other values may begin with a brace too. */
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

/** An item with its fields, each of its own type. */
export const expandItem = (item: FormValue, fields: Fields): FormValues =>
  item instanceof Map ? item : toFormValues(parseCollapsedItem(asText(item)), fields);

/** The form of an input. Values of a wrong type are left out. */
export function toFormValues(input: unknown, fields: Fields): FormValues {
  const values = Object.entries(fields).map(
    ([name, field]) => [name, toFieldValue(Object(input)[name], field)] as const,
  );
  return new Map(values.filter((value): value is [string, FormValue] => value[1] !== undefined));
}

function toFieldValue(value: unknown, field: FormField): FormValue | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case "texts":
      // The text control after them is blank.
      return list.length > 0 ? [...list.slice(0, MAX_ROWS).map(toText), ""] : undefined;
    case "map":
      return rowsIfAny(
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

const toRows = (rows: readonly FormValue[]): FormValues =>
  new Map(rows.slice(0, MAX_ROWS).map((row, index) => [String(index), row]));

/** Undefined for a list without rows, so that an item with only such lists is blank. */
const rowsIfAny = (rows: readonly FormValue[]): FormValues | undefined =>
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
  const isFilled = (item: FormValue) =>
    Object.keys(toInput(expandItem(item, fields), fields).input)[0];
  return (open.find(([, item]) => isFilled(item)) ?? open[0])?.[0];
}

/**
 * Does what a button of the form asks for: `add filters`, `remove filters[0].from[1]`,
 * `edit filters[0].from[1]`, `open filters[2]`, `close filters[2]`, `copy filters[2]`, `clear`. Any
 * other command changes nothing.
 *
 * @returns the name of the control to focus.
 */
export function applyIntent(form: FormValues, command: string, fields: Fields): string | undefined {
  const [verb = "", name = ""] = command.split(" ", 2);
  if (verb === "clear") {
    form.clear();
    return Object.keys(fields)[0];
  }
  if (!FIELD_NAME.test(name)) return undefined;
  const steps = parseFieldName(name);
  const list = name.replace(/\[\d+\]$/, "");
  const texts = findField(fields, list);
  if (texts?.kind === "texts") return applyListIntent(form, verb, name, list, texts);
  const items = fields[steps[0] ?? ""];
  const itemFields = steps.length <= 2 && items?.kind === "items" ? items.fields : undefined;
  if (verb === "add") {
    const rows = ensureRows(form, steps);
    const row = addRow(rows, itemFields ? new Map() : "");
    if (itemFields) collapseItems(rows, itemFields, row);
    return `${name}[${row}]`;
  }
  const rows = ensureRows(form, steps.slice(0, -1));
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
function applyListIntent(
  form: FormValues,
  verb: string,
  name: string,
  list: string,
  field: FormField,
): string {
  const steps = parseFieldName(list);
  const key = steps.at(-1) ?? "";
  const parent = ensureRows(form, steps.slice(0, -1));
  const index = Number(parseFieldName(name).at(-1));
  const { items, textIndex } = readList(parent, key);
  const item = items[index] ?? "";
  const isEntered = index !== textIndex && item !== "";
  if (verb === "add") commitText(parent, key, field);
  else if (verb === "remove" && isEntered) {
    const rest = items.toSpliced(index, 1);
    const place = index < textIndex ? textIndex - 1 : textIndex;
    writeList(parent, key, { items: rest, textIndex: place });
    const next = index in rest ? index : index - 1;
    if (next !== place) return `${list}[${next}]`;
    // A line break would not stay in the text control as it is.
  } else if (verb === "edit" && isEntered && !item.includes("\n")) {
    commitText(parent, key, field);
    const ended = readList(parent, key).items;
    const place = index < textIndex ? index : index + ended.length - 1 - items.length;
    writeList(parent, key, { items: ended.slice(0, -1), textIndex: place });
  }
  return list;
}

/** The field of a name: `filters[0].from`. */
export function findField(fields: Fields, name: string): FormField | undefined {
  const [key = "", ...rest] = parseFieldName(name).filter((step) => !/^\d/.test(step));
  const field = FIELD_NAME.test(name) ? fields[key] : undefined;
  if (rest.length === 0 || !field) return field;
  return "fields" in field ? findField(field.fields, rest.join(".")) : undefined;
}
