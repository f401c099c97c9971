import type { FormValues } from "./form-values.ts";

/* The form over time, without a browser. Each step has a form of its own, and past ones never change. */

/** A form as it was, and the control that had the focus. */
interface Snapshot {
  readonly form: FormValues;
  readonly focus: string;
  /** The message about the change: "Merged." */
  readonly done: string;
}

export interface History {
  readonly form: FormValues;
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  /** The control that is typed in; empty after any other change. */
  readonly typedField: string;
}

const MAX_UNDO_STEPS = 100;

export const startHistory = (form: FormValues): History => ({
  form,
  past: [],
  future: [],
  typedField: "",
});

/** Typing in one control is one step, until another control changes. */
export const recordTyping = (history: History, form: FormValues, field: string): History =>
  field === history.typedField
    ? { ...history, form }
    : { ...recordChange(history, form, field), typedField: field };

/** A change that can be undone. @param focus the control to focus after undo. */
export const recordChange = (
  history: History,
  form: FormValues,
  focus: string,
  done = "",
): History => ({
  form,
  past: [...history.past, { form: history.form, focus, done }].slice(-MAX_UNDO_STEPS),
  future: [],
  typedField: "",
});

/** One step back or forth. @returns undefined if there is none. */
export function stepHistory(
  { form, past, future }: History,
  direction: "undo" | "redo",
): (History & { readonly focus: string }) | undefined {
  const isUndo = direction === "undo";
  const other = (isUndo ? past : future).at(-1);
  if (!other) return undefined;
  const here = { ...other, form };
  return {
    form: other.form,
    focus: other.focus,
    past: isUndo ? past.slice(0, -1) : [...past, here],
    future: isUndo ? [...future, here] : future.slice(0, -1),
    typedField: "",
  };
}
