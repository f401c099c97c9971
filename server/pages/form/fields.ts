import { type Html, html } from "../html.ts";
import { choiceInput, idOfHint, switchInput, textInput } from "./control.ts";
import { type Entries, type Entry, isBlankRow } from "./entry.ts";
import { labelOf, singularOf } from "./label.ts";
import { type Notes, noteList } from "./notes.ts";
import { type Place, rowPlaces } from "./place.ts";
import { addButton, addItemButton, pairRows, removeButton, textRows } from "./row-list.ts";

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
