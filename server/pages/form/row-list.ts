import type { Field } from "../../../src/fields.ts";
import { type Html, html } from "../html.ts";
import { idOfHint, textInput } from "./control.ts";
import { isBlankPair, type MapRow } from "./entry.ts";
import { labelOf, singularOf } from "./label.ts";
import { type Notes, noteList } from "./notes.ts";
import { type Place, pairPlaces, rowPlaces } from "./place.ts";

/** The button beside a list of short rows that adds one, as long as there may be one more. */
export const addButton = (field: Field, place: Place, rows: number): Html =>
  html`<button ${adding(field, place, rows)} aria-label="Add to ${labelOf(field.name)}" title="Add">+</button>`;

/** The button under a list of objects. */
export const addItemButton = (field: Field, place: Place, rows: number): Html =>
  html`<button ${adding(field, place, rows)}>Add another ${singularOf(field.name).toLowerCase()}</button>`;

const adding = ({ schema }: Field, place: Place, rows: number): Html =>
  html`class="add" name="do" value="add ${place.name}"${rows >= (schema.maxItems ?? Number.POSITIVE_INFINITY) && html` disabled`}`;

/** @param what names the row for a screen reader, "From 2". */
export const removeButton = (place: Place, what: string): Html =>
  html`<button class="remove" name="do" value="remove ${place.name}" aria-label="Remove ${what}" title="Remove">×</button>`;

/** A list of texts, each in a row of its own. */
export const textRows = (
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
export const pairRows = (
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
