import type { Field } from "../../../src/fields.ts";
import { type Html, html } from "../html.ts";
import { sentence } from "../parts.ts";
import { type FieldPlace, labelOf, pairPlaces, placeOf, rowPlaces, singularOf } from "./places.ts";
import {
  type FieldValue,
  type FormValues,
  isBlankPair,
  isBlankRow,
  type MapRow,
} from "./values.ts";

/** A message about a field: a problem that stops the tool, or a warning. */
export interface Message {
  /** Where it belongs in the input, `filters[0].from[1]`. */
  readonly path: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** The messages of a form by their path. */
export type Messages = ReadonlyMap<string, readonly Message[]>;

/** The fields of a form, or of one of its rows, with their values and messages. */
export const fields = (values: FormValues, messages: Messages, place: FieldPlace): Html =>
  html`<div class="fields">
${values.map((value) => field(value, messages, placeOf(place, value.field.name)))}</div>`;

function field(value: FieldValue, messages: Messages, place: FieldPlace): Html {
  switch (value.kind) {
    case "text":
      return textField(value, messages, place);
    case "switch":
      return switchField(value, messages, place);
    case "texts":
      return listField(value, messages, place, textRows(value.field, value.rows, messages, place));
    case "map":
      return listField(value, messages, place, pairRows(value.field, value.rows, messages, place));
    case "items":
      return itemsField(value, messages, place);
  }
}

function textField({ field, value }: ValueOf<"text">, messages: Messages, place: FieldPlace): Html {
  const control = { place, messages, hint: idOfHint(place), required: field.required };
  const isNumber = field.kind === "number" || field.kind === "integer";
  return html`<div class="field ${field.kind}">
<label for="${place.name}">${labelOf(field.name)}</label>
${field.kind === "choice" ? choiceInput(control, value, field) : textInput(control, value, isNumber ? "decimal" : "text")}
${hint(field.description, place)}${messageList(messages, place)}
</div>
`;
}

const switchField = (
  { field, value }: ValueOf<"switch">,
  messages: Messages,
  place: FieldPlace,
): Html => html`<div class="field boolean">
<label>${switchInput({ place, messages, hint: idOfHint(place) }, value)} ${labelOf(field.name)}</label>
${hint(field.description, place)}${messageList(messages, place)}
</div>
`;

const listField = (
  { field, rows }: ValueOf<"texts" | "map">,
  messages: Messages,
  place: FieldPlace,
  list: Html,
): Html => html`<fieldset class="field list" id="${place.name}">
<legend>${labelOf(field.name)}</legend>
${hint(field.description, place)}
${list}
${addButton(field, place, rows.length)}
${messageList(messages, place)}
</fieldset>
`;

const itemsField = (
  { field, rows }: ValueOf<"items">,
  messages: Messages,
  list: FieldPlace,
): Html => html`<div class="field items" id="${list.name}">
${rowPlaces(rows, isBlankRow, list).map(([row, place], index) => {
  const title = `${singularOf(field.name)} ${index + 1}`;
  return html`<fieldset class="item" id="${place.name}">
<legend>${title}</legend>
${rows.length > 1 && removeButton(place, title)}
${messageList(messages, place)}
${fields(row, messages, place)}
</fieldset>
`;
})}${addItemButton(field, list, rows.length)}
${hint(field.description, list)}${messageList(messages, list)}
</div>
`;

type ValueOf<Kind extends FieldValue["kind"]> = Extract<FieldValue, { kind: Kind }>;

const hint = (description: string, place: FieldPlace): Html =>
  html`<p class="hint" id="${idOfHint(place)}">${description}</p>`;

const idOfHint = ({ name }: FieldPlace): string => `${name}:hint`;

/** A list of texts, one in a row. */
const textRows = (
  field: Field,
  texts: readonly string[],
  messages: Messages,
  list: FieldPlace,
): Html => html`<ul class="rows">
${rowPlaces(texts, (text) => text === "", list).map(([text, place], index) => {
  const label = `${singularOf(field.name)} ${index + 1}`;
  return html`<li><div class="row">${textInput({ place, messages, hint: idOfHint(list), label }, text)}
${(texts.length > 1 || text !== "") && removeButton(place, label)}</div>${messageList(messages, place)}</li>
`;
})}</ul>`;

/** The rows of a map, each a name and its value. */
const pairRows = (
  field: Field,
  pairs: readonly MapRow[],
  messages: Messages,
  map: FieldPlace,
): Html => html`<ul class="rows">
${pairPlaces(pairs, map).map(([pair, place], index) => {
  const label = `${singularOf(field.name)} ${index + 1}`;
  const control = { messages, row: place, hint: idOfHint(map) };
  const key = {
    ...control,
    place: { ...place, name: `${place.name}.key` },
    label: `${label}, name`,
    placeholder: "Name",
  };
  const value = {
    ...control,
    place: { ...place, name: `${place.name}.value` },
    label: `${label}, value`,
    placeholder: "Value",
  };
  return html`<li id="${place.name}"><div class="row">${textInput(key, pair.key)}
${textInput(value, pair.value)}
${(pairs.length > 1 || !isBlankPair(pair)) && removeButton(place, label)}</div>${messageList(messages, place)}</li>
`;
})}</ul>`;

/** The button beside a list of texts or pairs that adds a row. */
const addButton = (field: Field, place: FieldPlace, rows: number): Html =>
  html`<button ${adding(field, place, rows)} aria-label="Add to ${labelOf(field.name)}" title="Add">+</button>`;

/** The button below a list of objects that adds one. */
const addItemButton = (field: Field, place: FieldPlace, rows: number): Html =>
  html`<button ${adding(field, place, rows)}>Add another ${singularOf(field.name).toLowerCase()}</button>`;

const adding = ({ schema }: Field, place: FieldPlace, rows: number): Html =>
  html`class="add" name="do" value="add ${place.name}"${rows >= (schema.maxItems ?? Number.POSITIVE_INFINITY) && html` disabled`}`;

/** @param what names the row for a screen reader, "From 2". */
const removeButton = (place: FieldPlace, what: string): Html =>
  html`<button class="remove" name="do" value="remove ${place.name}" aria-label="Remove ${what}" title="Remove">×</button>`;

/** What all kinds of controls share. */
interface Control {
  readonly place: FieldPlace;
  readonly messages: Messages;
  /** Where its messages stand, if not at its own place. */
  readonly row?: FieldPlace;
  /** The id of the text that describes it. */
  readonly hint: string;
  /** Its name for a screen reader, where no visible label is beside it. */
  readonly label?: string;
  /** What to type, where several controls have one visible label. */
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** One line of text. A text with line breaks gets as many lines as it has, which an `input` would lose. */
const textInput = (control: Control, value: string, inputMode = "text"): Html =>
  /[\r\n]/.test(value)
    ? html`<textarea ${attributes(control)} rows="${value.split(/\r\n?|\n/).length}">
${value}</textarea>`
    : html`<input ${attributes(control)} type="text" inputmode="${inputMode}" value="${value}"${control.placeholder !== undefined && html` placeholder="${control.placeholder}"`} autocomplete="off" autocapitalize="off" spellcheck="false">`;

const switchInput = (control: Control, isOn: boolean): Html =>
  html`<input ${attributes(control)} type="checkbox" value="true"${isOn && html` checked`}>`;

/** Without a default, the choice may be left open. */
const choiceInput = (
  control: Control,
  value: string,
  { choices, default: byDefault }: Extract<Field, { kind: "choice" }>,
): Html => html`<select ${attributes(control)}>
${byDefault === undefined && html`<option value="">–</option>`}${choices.map((choice) => option(choice, choice === value))}
</select>`;

const option = (choice: string, isChosen: boolean): Html =>
  html`<option value="${choice}"${isChosen && html` selected`}>${labelOf(choice)}</option>`;

const attributes = ({
  place,
  row = place,
  messages,
  hint,
  label,
  required = false,
}: Control): Html =>
  html`id="${place.name}" name="${place.name}" aria-describedby="${hint} ${idOfMessages(row)}" aria-invalid="${String(hasProblem(messages, place))}"${label !== undefined && html` aria-label="${label}"`}${required && html` aria-required="true"`}`;

const hasProblem = (messages: Messages, place: FieldPlace): boolean =>
  messagesAt(messages, place).some(({ severity }) => severity === "error");

/** The messages at one place. An empty element stands there too, for the page's script to fill. */
const messageList = (messages: Messages, place: FieldPlace): Html =>
  html`<div class="notes" id="${idOfMessages(place)}" data-part>${messagesAt(messages, place).map(messageItem)}</div>`;

const messagesAt = (messages: Messages, { path }: FieldPlace): readonly Message[] =>
  (path !== undefined && messages.get(path)) || [];

const messageItem = ({ severity, message }: Message): Html =>
  html`<p class="${severity}">${sentence(message)}</p>`;

const idOfMessages = ({ name }: FieldPlace): string => `${name}:notes`;
