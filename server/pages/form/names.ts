/** A key of an object, or the number of a row. */
export type Step = string | number;

/** No input goes deeper, and none has more rows. */
const NAME = /^[a-z][a-z_]*(?:\[\d{1,3}\]|\.[a-z][a-z_]*){0,4}$/;

/** Whether a parameter may be a field: its name is a path in the form, `filters[0].from[1]`. */
export const isName = (text: string): boolean => NAME.test(text);

export const stepsOf = (name: string): readonly Step[] =>
  name.split(/[.[]/).map((step) => (step.endsWith("]") ? Number.parseInt(step, 10) : step));
