import { type Html, html } from "../html.ts";
import { sentence } from "../parts.ts";
import { type FormField, type FormText, labelOf } from "./form-fields.ts";
import type { Place } from "./values.ts";

export interface FormContext {
  readonly text: FormText;
  readonly messages: Messages;
  /** Writes a message with the labels of the form. */
  readonly inWords: (message: string) => string;
  readonly chosen: number | undefined;
}

/** A message about a field: a problem that stops the tool, or a warning. */
export interface FieldMessage {
  /** The place of the problem in the input, `filters[0].from[1]`. */
  readonly path: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

export type Messages = ReadonlyMap<string, readonly FieldMessage[]>;

interface Control {
  readonly place: Place;
  readonly form: FormContext;
  /** The place of its messages, if they are not beside it. */
  readonly row?: Place;
  readonly hint: string;
  /** The control's name for a screen reader, if no visible label is beside it. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** A field for one line. A text with line breaks, which an `input` would lose, gets a field of as many lines. */
export const textInput = (control: Control, value: string, inputMode = "text"): Html =>
  /[\r\n]/.test(value)
    ? html`<textarea ${attributes(control)} dir="auto" rows="${value.split(/\r\n?|\n/).length}">
${value}</textarea>`
    : html`<input ${attributes(control)} dir="auto" type="text" inputmode="${inputMode}" value="${value}"${control.placeholder !== undefined && control.placeholder !== "" && html` placeholder="${control.placeholder}"`} autocomplete="off" autocapitalize="off" spellcheck="false">`;

export const switchInput = (control: Control, isOn: boolean): Html =>
  html`<input ${attributes(control)} type="checkbox" value="true"${isOn && html` checked`}>`;

/** A choice that may be left open if it has no default. */
export const choiceInput = (
  control: Control,
  value: string,
  { choices, default: byDefault }: Extract<FormField, { kind: "choice" }>,
): Html => html`<select ${attributes(control)}>
${byDefault === undefined && html`<option value="">–</option>`}${choices.map((choice) => option(choice, control.form.text.choices?.[choice] ?? labelOf(choice), choice === value))}
</select>`;

const option = (choice: string, label: string, isChosen: boolean): Html =>
  html`<option value="${choice}"${isChosen && html` selected`}>${label}</option>`;

const attributes = ({ place, row = place, form, hint, label, required = false }: Control): Html =>
  html`id="${place.name}" name="${place.name}" aria-describedby="${hint} ${idOfMessages(row)}" aria-invalid="${String(isInvalid(form.messages, place))}"${label !== undefined && html` aria-label="${label}"`}${required && html` aria-required="true"`}`;

export const hasMessages = (messages: Messages, place: Place): boolean =>
  messagesAt(messages, place).length > 0;

export const isInvalid = (messages: Messages, place: Place): boolean =>
  messagesAt(messages, place).some(({ severity }) => severity === "error");

/** The messages at one place. The element is there when it is empty too: the page's script fills it. */
export const messageList = (form: FormContext, place: Place): Html =>
  html`<div class="notes" id="${idOfMessages(place)}" data-part>${messageItems(form, place)}</div>`;

export const messageItems = ({ messages, inWords }: FormContext, place: Place): Html =>
  html`${messagesAt(messages, place).map(
    ({ severity, message }) => html`<p class="${severity}">${sentence(inWords(message))}</p>`,
  )}`;

const messagesAt = (messages: Messages, { path }: Place): readonly FieldMessage[] =>
  (path !== undefined && messages.get(path)) || [];

export const idOfMessages = ({ name }: Place): string => `${name}:notes`;

export const idOfHint = ({ name }: Place): string => `${name}:hint`;
