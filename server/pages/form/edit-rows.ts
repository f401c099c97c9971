import { isName, type Step, stepsOf } from "./names.ts";

type FormValue = Readonly<Record<string, unknown>>;
type Change = (rows: readonly unknown[]) => readonly unknown[];

/**
 * A form's data after a button of its rows was pressed: `add filters[0].from` puts a blank row at
 * the end, `remove filters[1]` takes one out. Any other command changes nothing.
 */
export function editRows(data: FormValue, command: string): FormValue {
  const [verb, name = ""] = command.split(" ", 2);
  const steps = isName(name) ? stepsOf(name) : [];
  if (verb === "add") return change(data, steps, (rows) => [...rows, ""]);
  const row = steps.at(-1);
  if (verb !== "remove" || typeof row !== "number") return data;
  return change(data, steps.slice(0, -1), (rows) => rows.toSpliced(row, 1));
}

function change(data: FormValue, [key, ...steps]: readonly Step[], edit: Change): FormValue {
  if (typeof key !== "string") return data;
  return { ...data, [key]: changed(data[key], steps, edit) };
}

function changed(value: unknown, steps: readonly Step[], edit: Change): unknown {
  if (Array.isArray(value)) return changedRows(value, steps, edit);
  if (isRow(value)) return change(value, steps, edit);
  return value === undefined && steps.length === 0 ? edit([]) : value;
}

function changedRows(rows: readonly unknown[], [step, ...steps]: readonly Step[], edit: Change) {
  if (step === undefined) return edit(rows);
  return rows.map((row, index) => (index === step ? changed(row, steps, edit) : row));
}

const isRow = (value: unknown): value is FormValue => typeof value === "object" && value !== null;
