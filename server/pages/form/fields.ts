import { type Html, html } from "../html.ts";
import {
  choiceInput,
  type FormContext,
  idOfHint,
  messageList,
  switchInput,
  textInput,
} from "./controls.ts";
import type { FormField } from "./form-fields.ts";
import { type FieldPlace, pairPlaces, placeOf, rowPlaces } from "./places.ts";
import {
  dataOf,
  type FieldValue,
  type FormValues,
  type ItemRow,
  isBlankPair,
  isBlankRow,
  type MapRow,
  summaryOf,
} from "./values.ts";

/** The name of the control that chooses an alternative. */
export const ALTERNATIVE = "use";

/** The fields of a form with their values and messages. */
export function formFieldsets(values: FormValues, form: FormContext, place: FieldPlace): Html {
  const alternatives = form.text.alternatives ?? [];
  const parts = alternatives.map(({ fields }) => valuesOf(values, fields));
  const others = values.filter((value) => !parts.flat().includes(value));
  return html`${fieldGrid(others, form, place)}
${alternatives.length > 0 && alternativeSwitch(form)}
${parts.map(
  (part, index) => html`<div class="alternative" data-use="${index}">
${fieldGrid(part, form, place)}</div>
`,
)}`;
}

/** In the order of the names. */
const valuesOf = (values: FormValues, names: readonly string[]): FormValues =>
  names.flatMap((name) => values.filter(({ field }) => field.name === name));

/** Without a choice, all alternatives are shown. */
const alternativeSwitch = ({
  text,
  chosen,
}: FormContext): Html => html`<div class="uses" role="radiogroup" aria-label="Kind">
${text.alternatives?.map(
  ({ title }, index) =>
    html`<label><input type="radio" name="${ALTERNATIVE}" value="${index}"${chosen === index && html` checked`}> ${title}</label>\n`,
)}</div>`;

const fieldGrid = (values: FormValues, form: FormContext, place: FieldPlace): Html =>
  html`<div class="fields">
${values.map((value) => field(value, form, placeOf(place, value.field.name)))}</div>`;

function field(value: FieldValue, form: FormContext, place: FieldPlace): Html {
  switch (value.kind) {
    case "text":
      return textField(value, form, place);
    case "switch":
      return switchField(value, form, place);
    case "texts":
      return listField(value, form, place, textRows(value.field, value.rows, form, place));
    case "map":
      return listField(value, form, place, pairRows(value.field, value.rows, form, place));
    case "items":
      return itemsField(value, form, place);
  }
}

type ValueOf<Kind extends FieldValue["kind"]> = Extract<FieldValue, { kind: Kind }>;

function textField(whole: ValueOf<"text">, form: FormContext, place: FieldPlace): Html {
  const { field, value } = whole;
  const control = {
    place,
    form,
    hint: idOfHint(place),
    required: field.required,
    placeholder: field.placeholder,
  };
  return html`<div class="${classOf(whole)}">
<label for="${place.name}">${field.label}</label>
${field.kind === "choice" ? choiceInput(control, value, field) : textInput(control, value, modeOf(field))}
${slot(field, form, place)}
</div>
`;
}

/** The keyboard that a phone shows. The placeholder is an example of what the field takes. */
function modeOf({ kind, placeholder = "" }: FormField): string {
  if (kind === "number" || kind === "integer") return "decimal";
  if (placeholder.includes("@")) return "email";
  return placeholder.startsWith("https:") ? "url" : "text";
}

const switchField = (
  whole: ValueOf<"switch">,
  form: FormContext,
  place: FieldPlace,
): Html => html`<div class="${classOf(whole)}">
<label>${switchInput({ place, form, hint: idOfHint(place) }, whole.value)} ${whole.field.label}</label>
${slot(whole.field, form, place)}
</div>
`;

const listField = (
  whole: ValueOf<"texts" | "map">,
  form: FormContext,
  place: FieldPlace,
  list: Html,
): Html => html`<fieldset class="${classOf(whole)} list" id="${place.name}">
<legend>${whole.field.label}</legend>
${list}
${addButton(whole.field, place, whole.rows.length)}
${slot(whole.field, form, place)}
</fieldset>
`;

const classOf = (value: FieldValue): string => {
  const { kind, isShort } = value.field;
  return ["field", kind, ...(isShort ? ["short"] : []), ...(isFolded(value) ? ["rare"] : [])].join(
    " ",
  );
};

/** A rare field that is filled in is not folded away. */
const isFolded = (value: FieldValue): boolean => value.field.isRare && isBlankRow([value]);

/** The line under a field: its messages, or its hint while it has the focus. */
const slot = ({ hint, name }: FormField, form: FormContext, place: FieldPlace): Html =>
  html`<div class="slot"><p class="hint" id="${idOfHint(place)}">${hint}</p>${messageList(form, place)}${form.text.split === name && splitButton(place)}</div>`;

/** Shown beside a message, and only with scripts. */
const splitButton = (place: FieldPlace): Html =>
  html`<button class="split needs-script" name="do" value="split ${place.name}">Split</button>`;

const itemsField = (
  { field, rows }: ValueOf<"items">,
  form: FormContext,
  list: FieldPlace,
): Html => html`<div class="field items" id="${list.name}">
${rowPlaces(rows, (row) => isBlankRow(row.values), list).map(([row, place], index) =>
  row.isOpen
    ? openItem(row, `${field.singular} ${index + 1}`, rows.length > 1, form, place)
    : closedItem(row, `${field.singular} ${index + 1}`, form, place),
)}${addItemButton(field, list, rows.length)}
<p class="about-items" id="${idOfHint(list)}">${field.hint}</p>${messageList(form, list)}
</div>
`;

const openItem = (
  { values }: ItemRow,
  title: string,
  isRemovable: boolean,
  form: FormContext,
  place: FieldPlace,
): Html => html`<fieldset class="item${values.length > LARGE && " large"}" id="${place.name}">
<legend>${title}</legend>
${isRemovable && removeButton(place, title)}
${messageList(form, place)}
${itemFields(values, form, place)}
</fieldset>
`;

/** An item with more fields is laid out as a form, one with fewer as a line of a table. */
const LARGE = 7;

function itemFields(values: FormValues, form: FormContext, place: FieldPlace): Html {
  const groups = form.text.groups ?? [];
  const parts = groups.map(({ title, fields }) => ({ title, part: valuesOf(values, fields) }));
  const others = values.filter((value) => !parts.some(({ part }) => part.includes(value)));
  return html`${fieldGrid(others, form, place)}
${parts
  .filter(({ part }) => part.length > 0)
  .map(({ title, part }, index) => fieldGroup(title, part, form, place, index))}`;
}

/** A checkbox folds the rare fields of a group away. */
const fieldGroup = (
  title: string,
  values: FormValues,
  form: FormContext,
  place: FieldPlace,
  index: number,
): Html => html`<fieldset class="group">
<legend>${title}</legend>
${values.some(isFolded) && html`<label class="more"><input type="checkbox" id="${place.name}:more-${index}"> More ${title.toLowerCase()}</label>`}
${fieldGrid(values, form, place)}
</fieldset>
`;

/** An item as a line of text. Its one control holds all of its values. */
const closedItem = (
  { values }: ItemRow,
  title: string,
  form: FormContext,
  place: FieldPlace,
): Html => html`<div class="item closed" id="${place.name}">
<input type="hidden" name="${place.name}" value="${JSON.stringify(dataOf(values))}">
<p><strong>${title}</strong> <bdi>${summaryOf(values, form.text.choices)}</bdi></p>
<button name="do" value="open ${place.name}" aria-label="Edit ${title}">Edit</button>
${removeButton(place, title)}
${messageList(form, place)}
</div>
`;

/** A list of texts, one in a row. */
const textRows = (
  field: FormField,
  texts: readonly string[],
  form: FormContext,
  list: FieldPlace,
): Html => html`<ul class="rows">
${rowPlaces(texts, (text) => text === "", list).map(([text, place], index) => {
  const label = `${field.singular} ${index + 1}`;
  const control = {
    place,
    form,
    hint: idOfHint(list),
    label,
    placeholder: index === 0 ? field.placeholder : "",
  };
  return html`<li><div class="row">${textInput(control, text, modeOf(field))}
${(texts.length > 1 || text !== "") && removeButton(place, label)}</div>${messageList(form, place)}</li>
`;
})}</ul>`;

/** The rows of a map, each a name and its value. */
const pairRows = (
  field: FormField,
  pairs: readonly MapRow[],
  form: FormContext,
  map: FieldPlace,
): Html => html`<ul class="rows">
${pairPlaces(pairs, map).map(([pair, place], index) => {
  const label = `${field.singular} ${index + 1}`;
  const control = { form, row: place, hint: idOfHint(map) };
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
${(pairs.length > 1 || !isBlankPair(pair)) && removeButton(place, label)}</div>${messageList(form, place)}</li>
`;
})}</ul>`;

/** The button beside a list of texts or pairs that adds a row. */
const addButton = (field: FormField, place: FieldPlace, rows: number): Html =>
  html`<button ${adding(field, place, rows)} aria-label="Add to ${field.label}" title="Add to ${field.label}">+</button>`;

/** The button below a list of objects that adds one. */
const addItemButton = (field: FormField, place: FieldPlace, rows: number): Html =>
  html`<button ${adding(field, place, rows)}>Add another ${field.noun}</button>`;

const adding = ({ schema }: FormField, place: FieldPlace, rows: number): Html =>
  html`class="add" name="do" value="add ${place.name}"${rows >= (schema.maxItems ?? Number.POSITIVE_INFINITY) && html` disabled`}`;

/** @param label names the row for a screen reader, "From 2". */
const removeButton = (place: FieldPlace, label: string): Html =>
  html`<button class="remove" name="do" value="remove ${place.name}" aria-label="Remove ${label}" title="Remove ${label}">×</button>`;
