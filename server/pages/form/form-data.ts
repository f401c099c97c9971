/** The data of a submitted form: values by the names of fields, with rows as lists. */
export type SubmittedForm = Readonly<Record<string, unknown>>;

/**
 * Reads a submitted form, whose names are paths such as `filters[0].from[1]`. Rows are
 * renumbered in their order. Other names, such as those of a campaign, are ignored.
 */
export function parseForm(parameters: URLSearchParams): SubmittedForm {
  const root: Node = new Map();
  for (const [name, value] of parameters) {
    // Forms send every line break as CR LF.
    if (isName(name)) putValue(root, stepsOf(name), value.replaceAll("\r\n", "\n"));
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, toValue(node)]));
}

function putValue(root: Node, steps: readonly Step[], value: string): void {
  let parent = root;
  for (const step of steps.slice(0, -1)) {
    const known = parent.get(step);
    const child: Node = known instanceof Map ? known : new Map();
    if (child !== known) parent.set(step, child);
    parent = child;
  }
  parent.set(steps.at(-1) ?? "", value);
}

function toValue(node: Node | string): unknown {
  if (typeof node === "string") return node;
  const entries = [...node].sort(([a], [b]) => Number(a) - Number(b));
  return entries.every(([key]) => typeof key === "number")
    ? entries.map(([, child]) => toValue(child))
    : Object.fromEntries(entries.map(([key, child]) => [key, toValue(child)]));
}

/**
 * A form's data after one of its row buttons: `add filters[0].from` appends a blank row,
 * `remove filters[1]` removes one, `open filters[2]` opens a closed item and closes the others,
 * `set env KEY text` gives a pair another value. Any other command changes nothing.
 */
export function editRows(data: SubmittedForm, command: string): SubmittedForm {
  const [verb, name = "", key, value] = command.split(" ", 4);
  const steps = isName(name) ? stepsOf(name) : [];
  if (verb === "add") return editAt(data, steps, (rows) => [...closeRows(rows), ""]);
  if (verb === "set") {
    return editAt(data, steps, (rows) =>
      rows.map((pair) => (isRow(pair) && pair.key === key ? { ...pair, value } : pair)),
    );
  }
  const row = steps.at(-1);
  if (typeof row !== "number") return data;
  if (verb === "remove") return editAt(data, steps.slice(0, -1), (rows) => rows.toSpliced(row, 1));
  return verb === "open" ? editAt(data, steps.slice(0, -1), (rows) => openRow(rows, row)) : data;
}

type RowEdit = (rows: readonly unknown[]) => readonly unknown[];

/** A form's data after an edit of the rows of one list. */
export const editList = (data: SubmittedForm, list: string, edit: RowEdit): SubmittedForm =>
  isName(list) ? editAt(data, stepsOf(list), edit) : data;

function editAt(
  data: SubmittedForm,
  [key, ...steps]: readonly Step[],
  edit: RowEdit,
): SubmittedForm {
  if (typeof key !== "string") return data;
  return { ...data, [key]: editValue(data[key], steps, edit) };
}

function editValue(value: unknown, steps: readonly Step[], edit: RowEdit): unknown {
  if (Array.isArray(value)) return editRowValues(value, steps, edit);
  if (isRow(value)) return editAt(value, steps, edit);
  return value === undefined && steps.length === 0 ? edit([]) : value;
}

function editRowValues(rows: readonly unknown[], [step, ...steps]: readonly Step[], edit: RowEdit) {
  if (step === undefined) return edit(rows);
  return rows.map((row, index) => (index === step ? editValue(row, steps, edit) : row));
}

/** Closes all items of a list that has a closed one. */
const closeRows = (rows: readonly unknown[]): readonly unknown[] =>
  rows.some(isRow) && rows.some(isClosed)
    ? rows.map((row) => (isRow(row) ? JSON.stringify(row) : row))
    : rows;

const openRow = (rows: readonly unknown[], index: number): readonly unknown[] =>
  closeRows(rows).map((row, number) => (number === index ? rowContent(row) : row));

/** True for the row of a closed item, which is sent as JSON in one control. */
export const isClosed = (row: unknown): row is string =>
  typeof row === "string" && row.startsWith("{");

/** The content of a row, open or closed. */
export function rowContent(row: unknown): unknown {
  try {
    return isClosed(row) ? JSON.parse(row) : row;
  } catch {
    // Only the form itself writes this JSON.
    return row;
  }
}

const isRow = (value: unknown): value is SubmittedForm =>
  typeof value === "object" && value !== null;

/** A key of an object, or the number of a row. */
type Step = string | number;

/** No input is deeper or has more rows. */
const NAME = /^[a-z][a-z_]*(?:\[\d{1,3}\]|\.[a-z][a-z_]*){0,4}$/;

/** Tells a path in the form, `filters[0].from[1]`, from other parameters. */
const isName = (text: string): boolean => NAME.test(text);

const stepsOf = (name: string): readonly Step[] =>
  name.split(/[.[]/).map((step) => (step.endsWith("]") ? Number.parseInt(step, 10) : step));

/** An object or a list whose names may arrive in any order. */
type Node = Map<Step, Node | string>;
