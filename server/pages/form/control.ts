import type { Field } from "../../../src/fields.ts";
import { type Html, html } from "../html.ts";
import { labelOf } from "./label.ts";
import { hasProblem, idOfNotes, type Notes } from "./notes.ts";
import type { Place } from "./place.ts";

/** What every control says of itself. */
export interface Control {
  readonly place: Place;
  readonly notes: Notes;
  /** Where the remarks on it stand, if that is not its own place. */
  readonly row?: Place;
  /** The id of the text that describes it. */
  readonly hint: string;
  /** Its name for a screen reader, where no visible label is beside it. */
  readonly label?: string;
  /** What to type, where several controls have one visible label. */
  readonly placeholder?: string;
  readonly required?: boolean;
}

export const idOfHint = ({ name }: Place): string => `${name}:hint`;

/** A line of text; for a text with line breaks, which a line would lose, as many lines as it has. */
export const textInput = (control: Control, value: string, inputMode = "text"): Html =>
  /[\r\n]/.test(value)
    ? html`<textarea ${attributes(control)} rows="${value.split(/\r\n?|\n/).length}">
${value}</textarea>`
    : html`<input ${attributes(control)} type="text" inputmode="${inputMode}" value="${value}"${control.placeholder !== undefined && html` placeholder="${control.placeholder}"`} autocomplete="off" autocapitalize="off" spellcheck="false">`;

export const switchInput = (control: Control, isOn: boolean): Html =>
  html`<input ${attributes(control)} type="checkbox" value="true"${isOn && html` checked`}>`;

/** Without a default, nothing may be chosen too. */
export const choiceInput = (
  control: Control,
  value: string,
  { choices, default: byDefault }: Extract<Field, { kind: "choice" }>,
): Html => html`<select ${attributes(control)}>
${byDefault === undefined && html`<option value="">–</option>`}${choices.map((choice) => option(choice, choice === value))}
</select>`;

const option = (choice: string, isChosen: boolean): Html =>
  html`<option value="${choice}"${isChosen && html` selected`}>${labelOf(choice)}</option>`;

const attributes = ({ place, row = place, notes, hint, label, required = false }: Control): Html =>
  html`id="${place.name}" name="${place.name}" aria-describedby="${hint} ${idOfNotes(row)}" aria-invalid="${String(hasProblem(notes, place))}"${label !== undefined && html` aria-label="${label}"`}${required && html` aria-required="true"`}`;
