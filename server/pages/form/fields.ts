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
import {
  type FieldValue,
  type FormValues,
  type ItemRow,
  isBlankPair,
  isBlankRow,
  type Place,
  summarise,
  toData,
} from "./values.ts";

/** The name of the control that chooses an alternative. */
export const ALTERNATIVE = "use";

/** The fields of a form with their values and messages. */
export function formFieldsets(values: FormValues, form: FormContext): Html {
  const alternatives = form.text.alternatives ?? [];
  const parts = alternatives.map(({ fields }) => valuesOf(values, fields));
  const others = values.filter((value) => !parts.flat().includes(value));
  return html`${fieldGrid(others, form)}
${alternatives.length > 0 && alternativeSwitch(form)}
${parts.map(
  (part, index) => html`<div class="alternative" data-use="${index}">
${fieldGrid(part, form)}</div>
`,
)}`;
}

/** The values of the fields with these names, in the names' order. */
const valuesOf = (values: FormValues, names: readonly string[]): FormValues =>
  names.flatMap((name) => values.filter(({ field }) => field.name === name));

/** The switch between alternatives; all of them are shown while none is chosen. */
const alternativeSwitch = ({
  text,
  chosen,
}: FormContext): Html => html`<div class="uses" role="radiogroup" aria-label="Kind">
${text.alternatives?.map(
  ({ title }, index) =>
    html`<label><input type="radio" name="${ALTERNATIVE}" value="${index}"${chosen === index && html` checked`}> ${title}</label>\n`,
)}</div>`;

const fieldGrid = (values: FormValues, form: FormContext): Html =>
  html`<div class="fields">
${values.map((value) => field(value, form))}</div>`;

function field(value: FieldValue, form: FormContext): Html {
  switch (value.kind) {
    case "text":
      return textField(value, form);
    case "switch":
      return switchField(value, form);
    case "texts":
      return listField(value, form, textRows(value, form));
    case "map":
      return listField(value, form, pairRows(value, form));
    case "items":
      return itemsField(value, form);
  }
}

type ValueOf<Kind extends FieldValue["kind"]> = Extract<FieldValue, { kind: Kind }>;

type ListKind = "texts" | "map" | "items";

function textField(place: ValueOf<"text">, form: FormContext): Html {
  const { field, value } = place;
  const control = {
    place,
    form,
    hint: idOfHint(place),
    required: field.required,
    placeholder: field.placeholder,
  };
  return html`<div class="${classNames(place)}">
<label for="${place.name}">${field.label}</label>
${field.kind === "choice" ? choiceInput(control, value, field) : textInput(control, value, keyboardFor(field))}
${underField(place, form)}
</div>
`;
}

/** The keyboard that a phone shows. The placeholder is an example of what the field takes. */
function keyboardFor({ kind, placeholder = "" }: FormField): string {
  if (kind === "number" || kind === "integer") return "decimal";
  if (placeholder.includes("@")) return "email";
  return placeholder.startsWith("https:") ? "url" : "text";
}

const switchField = (
  place: ValueOf<"switch">,
  form: FormContext,
): Html => html`<div class="${classNames(place)}">
<label>${switchInput({ place, form, hint: idOfHint(place) }, place.value)} ${place.field.label}</label>
${underField(place, form)}
</div>
`;

const listField = (
  list: ValueOf<"texts" | "map">,
  form: FormContext,
  rows: Html,
): Html => html`<fieldset class="${classNames(list)} list" id="${list.name}">
<legend>${list.field.label}</legend>
${rows}
${addButton(list)}
${underField(list, form)}
</fieldset>
`;

const classNames = (value: FieldValue): string => {
  const { kind, isShort } = value.field;
  return ["field", kind, ...(isShort ? ["short"] : []), ...(isFolded(value) ? ["rare"] : [])].join(
    " ",
  );
};

/** A rare field that is filled in is not folded away. */
const isFolded = (value: FieldValue): boolean => value.field.isRare && isBlankRow([value]);

/** The line under a field: its messages, or its hint while it has the focus. */
const underField = (value: FieldValue, form: FormContext): Html =>
  html`<div class="slot"><p class="hint" id="${idOfHint(value)}">${value.field.hint}</p>${messageList(form, value)}${form.text.split === value.field.name && splitButton(value)}</div>`;

/** Lets the view's reader split a whole line. It is shown beside a message, and only with scripts. */
const splitButton = (place: Place): Html =>
  html`<button class="split needs-script" name="do" value="split ${place.name}">Split</button>`;

const itemsField = (
  list: ValueOf<"items">,
  form: FormContext,
): Html => html`<div class="field items" id="${list.name}">
${list.rows.map((row, index) =>
  row.isOpen
    ? openItem(row, `${list.field.singular} ${index + 1}`, list.rows.length > 1, form)
    : closedItem(row, `${list.field.singular} ${index + 1}`, form),
)}${addItemButton(list)}
<p class="about-items" id="${idOfHint(list)}">${list.field.hint}</p>${messageList(form, list)}
</div>
`;

const openItem = (
  item: ItemRow,
  title: string,
  isRemovable: boolean,
  form: FormContext,
): Html => html`<fieldset class="item${item.values.length > LARGE && " large"}" id="${item.name}">
<legend>${title}</legend>
${isRemovable && removeButton(item, title)}
${messageList(form, item)}
${itemFields(item, form)}
</fieldset>
`;

/** An item with more fields is laid out as a form, one with fewer as a line of a table. */
const LARGE = 7;

function itemFields({ name, values }: ItemRow, form: FormContext): Html {
  const groups = form.text.groups ?? [];
  const parts = groups.map(({ title, fields }) => ({ title, part: valuesOf(values, fields) }));
  const others = values.filter((value) => !parts.some(({ part }) => part.includes(value)));
  return html`${fieldGrid(others, form)}
${parts
  .filter(({ part }) => part.length > 0)
  .map(({ title, part }, index) => fieldGroup(title, part, form, `${name}:more-${index}`))}`;
}

/** The disclosure folds the rare fields of a group away: they stand after it, in the group's grid. */
const fieldGroup = (
  title: string,
  values: FormValues,
  form: FormContext,
  id: string,
): Html => html`<fieldset class="group">
<legend>${title}</legend>
${values.some(isFolded) && html`<details class="more" id="${id}"><summary>More ${title.toLowerCase()}</summary></details>`}
${fieldGrid(values, form)}
</fieldset>
`;

/** An item as a line of text. Its one control holds all of its values. */
const closedItem = (
  item: ItemRow,
  title: string,
  form: FormContext,
): Html => html`<div class="item closed" id="${item.name}">
<input type="hidden" name="${item.name}" value="${JSON.stringify(toData(item.values))}">
<p><strong>${title}</strong> <bdi>${summarise(item.values, form.text.choices)}</bdi></p>
<button name="do" value="open ${item.name}" aria-label="Edit ${title}">Edit</button>
${removeButton(item, title)}
${messageList(form, item)}
</div>
`;

/** A list of texts, one in a row. */
const textRows = (list: ValueOf<"texts">, form: FormContext): Html => html`<ul class="rows">
${list.rows.map((place, index) => {
  const { field, rows } = list;
  const label = `${field.singular} ${index + 1}`;
  const control = {
    place,
    form,
    hint: idOfHint(list),
    label,
    placeholder: index === 0 ? field.placeholder : "",
  };
  return html`<li><div class="row">${textInput(control, place.text, keyboardFor(field))}
${(rows.length > 1 || place.text !== "") && removeButton(place, label)}</div>${messageList(form, place)}</li>
`;
})}</ul>`;

/** The rows of a map, each a name and its value. */
const pairRows = (map: ValueOf<"map">, form: FormContext): Html => html`<ul class="rows">
${map.rows.map((pair, index) => {
  const label = `${map.field.singular} ${index + 1}`;
  const control = (part: "key" | "value", placeholder: string) => ({
    place: { name: `${pair.name}.${part}`, path: pair.path },
    form,
    row: pair,
    hint: idOfHint(map),
    label: `${label}, ${placeholder.toLowerCase()}`,
    placeholder,
  });
  return html`<li id="${pair.name}"><div class="row">${textInput(control("key", "Name"), pair.key)}
${textInput(control("value", "Value"), pair.value)}
${(map.rows.length > 1 || !isBlankPair(pair)) && removeButton(pair, label)}</div>${messageList(form, pair)}</li>
`;
})}</ul>`;

/** The button beside a list of texts or pairs that adds a row. */
const addButton = (list: ValueOf<ListKind>): Html =>
  html`<button ${addAttributes(list)} aria-label="Add to ${list.field.label}" title="Add to ${list.field.label}">+</button>`;

/** The button below a list of objects that adds one. */
const addItemButton = (list: ValueOf<ListKind>): Html =>
  html`<button ${addAttributes(list)}>Add another ${list.field.noun}</button>`;

const addAttributes = ({ field, name, rows }: ValueOf<ListKind>): Html =>
  html`class="add" name="do" value="add ${name}"${rows.length >= (field.schema.maxItems ?? Number.POSITIVE_INFINITY) && html` disabled`}`;

/** @param label names the row for a screen reader, "From 2". */
const removeButton = (place: Place, label: string): Html =>
  html`<button class="remove" name="do" value="remove ${place.name}" aria-label="Remove ${label}" title="Remove ${label}">×</button>`;
