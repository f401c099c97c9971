import { markTouched } from "./form-state.ts";
import type { FormValues } from "./form-values.ts";

/* The form over time, without a browser. No form in it is ever changed: each step has its own. */

/** A form as it was, and the control that had the focus. */
interface Snapshot {
  readonly form: FormValues;
  readonly focus: string;
}

export interface History {
  /** The form now. */
  readonly form: FormValues;
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  /** The control that is typed in; empty after any other change. */
  readonly typedField: string;
}

const MAX_STEPS = 100;

export const startHistory = (form: FormValues): History => ({
  form,
  past: [],
  future: [],
  typedField: "",
});

/** Typing in one control is one step, until another control changes. */
export const typed = (history: History, form: FormValues, field: string): History =>
  field === history.typedField
    ? { ...history, form }
    : { ...changed(history, form, field), typedField: field };

/** A change that can be undone. @param focus the control to which the way back leads. */
export const changed = (history: History, form: FormValues, focus: string): History => ({
  form,
  past: [...history.past, { form: history.form, focus }].slice(-MAX_STEPS),
  future: [],
  typedField: "",
});

/** The user has left controls, which from now on show their problems. */
export function left(history: History, names: readonly string[]): History {
  const form = new Map(history.form);
  markTouched(form, names);
  return { ...history, form };
}

/** One step back or forth. @returns undefined where there is none. */
export function stepped(
  { form, past, future }: History,
  direction: "undo" | "redo",
): (History & { readonly focus: string }) | undefined {
  const [from, to] = direction === "undo" ? [past, future] : [future, past];
  const other = from.at(-1);
  if (!other) return undefined;
  const { focus } = other;
  const [rest, grown] = [from.slice(0, -1), [...to, { form, focus }]];
  const stacks =
    direction === "undo" ? { past: rest, future: grown } : { past: grown, future: rest };
  return { form: other.form, ...stacks, typedField: "", focus };
}
