import type { Field } from "../../../src/fields.ts";
import { type Html, html } from "../html.ts";
import { sentence } from "../parts.ts";
import { type Entries, type Entry, isBlankPair, isBlankRow, type MapRow } from "./entries.ts";
import { labelOf, type Place, pairPlaces, rowPlaces, singularOf } from "./places.ts";

/** A remark on what was typed: a problem that stops the tool, or a warning. */
export interface Note {
  /** The place in the input, `filters[0].from[1]`. */
  readonly path: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
}

/** The remarks on a form by their path. */
export type Notes = ReadonlyMap<string, readonly Note[]>;

const idOfNotes = ({ name }: Place): string => `${name}:notes`;

/** The remarks on one place. The element is there without any too, for the page's script fills it. */
const noteList = (notes: Notes, place: Place): Html =>
  html`<div class="notes" id="${idOfNotes(place)}" data-part>${notesAt(notes, place).map(noteItem)}</div>`;

const hasProblem = (notes: Notes, place: Place): boolean =>
  notesAt(notes, place).some(({ severity }) => severity === "error");

const notesAt = (notes: Notes, { path }: Place): readonly Note[] =>
  (path !== undefined && notes.get(path)) || [];

const noteItem = ({ severity, message }: Note): Html =>
  html`<p class="${severity}">${sentence(message)}</p>`;

/** What every control says of itself. */
interface Control {
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

const idOfHint = ({ name }: Place): string => `${name}:hint`;

/** A line of text; for a text with line breaks, which a line would lose, as many lines as it has. */
const textInput = (control: Control, value: string, inputMode = "text"): Html =>
  /[\r\n]/.test(value)
    ? html`<textarea ${attributes(control)} rows="${value.split(/\r\n?|\n/).length}">
${value}</textarea>`
    : html`<input ${attributes(control)} type="text" inputmode="${inputMode}" value="${value}"${control.placeholder !== undefined && html` placeholder="${control.placeholder}"`} autocomplete="off" autocapitalize="off" spellcheck="false">`;

const switchInput = (control: Control, isOn: boolean): Html =>
  html`<input ${attributes(control)} type="checkbox" value="true"${isOn && html` checked`}>`;

/** Without a default, nothing may be chosen too. */
const choiceInput = (
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

/** The button beside a list of short rows that adds one, as long as there may be one more. */
const addButton = (field: Field, place: Place, rows: number): Html =>
  html`<button ${adding(field, place, rows)} aria-label="Add to ${labelOf(field.name)}" title="Add">+</button>`;

/** The button under a list of objects. */
const addItemButton = (field: Field, place: Place, rows: number): Html =>
  html`<button ${adding(field, place, rows)}>Add another ${singularOf(field.name).toLowerCase()}</button>`;

const adding = ({ schema }: Field, place: Place, rows: number): Html =>
  html`class="add" name="do" value="add ${place.name}"${rows >= (schema.maxItems ?? Number.POSITIVE_INFINITY) && html` disabled`}`;

/** @param what names the row for a screen reader, "From 2". */
const removeButton = (place: Place, what: string): Html =>
  html`<button class="remove" name="do" value="remove ${place.name}" aria-label="Remove ${what}" title="Remove">×</button>`;

/** A list of texts, each in a row of its own. */
const textRows = (
  field: Field,
  texts: readonly string[],
  notes: Notes,
  list: Place,
): Html => html`<ul class="rows">
${rowPlaces(texts, (text) => text === "", list).map(([text, place], index) => {
  const label = `${singularOf(field.name)} ${index + 1}`;
  return html`<li><div class="row">${textInput({ place, notes, hint: idOfHint(list), label }, text)}
${(texts.length > 1 || text !== "") && removeButton(place, label)}</div>${noteList(notes, place)}</li>
`;
})}</ul>`;

/** The rows of a map: a name and its value. */
const pairRows = (
  field: Field,
  pairs: readonly MapRow[],
  notes: Notes,
  map: Place,
): Html => html`<ul class="rows">
${pairPlaces(pairs, map).map(([pair, place], index) => {
  const label = `${singularOf(field.name)} ${index + 1}`;
  const control = { notes, row: place, hint: idOfHint(map) };
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
${(pairs.length > 1 || !isBlankPair(pair)) && removeButton(place, label)}</div>${noteList(notes, place)}</li>
`;
})}</ul>`;

type EntryOf<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;

/** The fields of a form, or of one row of it, with what stands in them and the remarks on it. */
export const fields = (entries: Entries, notes: Notes, place: Place): Html =>
  html`<div class="fields">
${entries.map((entry) => field(entry, notes, place.below(entry.field.name, entry.field.name)))}</div>`;

function field(entry: Entry, notes: Notes, place: Place): Html {
  switch (entry.kind) {
    case "text":
      return textField(entry, notes, place);
    case "switch":
      return switchField(entry, notes, place);
    case "texts":
      return listField(entry, notes, place, textRows(entry.field, entry.rows, notes, place));
    case "map":
      return listField(entry, notes, place, pairRows(entry.field, entry.rows, notes, place));
    case "items":
      return itemsField(entry, notes, place);
  }
}

function textField({ field, value }: EntryOf<"text">, notes: Notes, place: Place): Html {
  const control = { place, notes, hint: idOfHint(place), required: field.required };
  const isNumber = field.kind === "number" || field.kind === "integer";
  return html`<div class="field ${field.kind}">
<label for="${place.name}">${labelOf(field.name)}</label>
${field.kind === "choice" ? choiceInput(control, value, field) : textInput(control, value, isNumber ? "decimal" : "text")}
${hint(field.description, place)}${noteList(notes, place)}
</div>
`;
}

const switchField = (
  { field, value }: EntryOf<"switch">,
  notes: Notes,
  place: Place,
): Html => html`<div class="field boolean">
<label>${switchInput({ place, notes, hint: idOfHint(place) }, value)} ${labelOf(field.name)}</label>
${hint(field.description, place)}${noteList(notes, place)}
</div>
`;

const listField = (
  { field, rows }: EntryOf<"texts" | "map">,
  notes: Notes,
  place: Place,
  list: Html,
): Html => html`<fieldset class="field list" id="${place.name}">
<legend>${labelOf(field.name)}</legend>
${hint(field.description, place)}
${list}
${addButton(field, place, rows.length)}
${noteList(notes, place)}
</fieldset>
`;

const itemsField = (
  { field, rows }: EntryOf<"items">,
  notes: Notes,
  list: Place,
): Html => html`<div class="field items" id="${list.name}">
${rowPlaces(rows, isBlankRow, list).map(([row, place], index) => {
  const title = `${singularOf(field.name)} ${index + 1}`;
  return html`<fieldset class="item" id="${place.name}">
<legend>${title}</legend>
${rows.length > 1 && removeButton(place, title)}
${noteList(notes, place)}
${fields(row, notes, place)}
</fieldset>
`;
})}${addItemButton(field, list, rows.length)}
${hint(field.description, list)}${noteList(notes, list)}
</div>
`;

const hint = (description: string, place: Place): Html =>
  html`<p class="hint" id="${idOfHint(place)}">${description}</p>`;
