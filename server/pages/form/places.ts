import { pathTo } from "../../../src/issues.ts";
import {
  type FieldValue,
  type FormValues,
  isBlankPair,
  isBlankRow,
  type MapRow,
} from "./values.ts";

/** The place of a field in the form, and of its value in the input. */
export interface FieldPlace {
  /** The name and id of its control, `filters[0].from[1]`. */
  readonly name: string;
  /** Its path in the input, which leaves out blank rows; undefined for a field left out. */
  readonly path: string | undefined;
  /** True when the input keeps blank rows, as one given in JSON does. */
  readonly keepsBlankRows: boolean;
}

/** The place of a whole submitted form, whose blank rows are left out of the input. */
export const SENT_FORM: FieldPlace = { name: "", path: "", keepsBlankRows: false };

/** The place of the whole form that shows an input given in JSON. */
export const SHOWN_INPUT: FieldPlace = { name: "", path: "", keepsBlankRows: true };

/** The place of a property or row, by default under the same key in form and input. */
export const placeOf = (
  { name, path, keepsBlankRows }: FieldPlace,
  key: string | number,
  keyInInput = key,
): FieldPlace => ({
  name: pathTo(name, key),
  path: path === undefined ? undefined : pathTo(path, keyInInput),
  keepsBlankRows,
});

/** The place of a row that the input leaves out. */
const leftOut = ({ name, keepsBlankRows }: FieldPlace, key: number): FieldPlace => ({
  name: pathTo(name, key),
  path: undefined,
  keepsBlankRows,
});

export function rowPlaces<Row>(
  rows: readonly Row[],
  isBlank: (row: Row) => boolean,
  list: FieldPlace,
): readonly (readonly [Row, FieldPlace])[] {
  let index = 0;
  return rows.map((row, number) => [
    row,
    isBlank(row) && !list.keepsBlankRows ? leftOut(list, number) : placeOf(list, number, index++),
  ]);
}

/** The places of a map's rows, each of which the input holds under its name. */
export const pairPlaces = (
  pairs: readonly MapRow[],
  map: FieldPlace,
): readonly (readonly [MapRow, FieldPlace])[] =>
  pairs.map((pair, number) => [
    pair,
    isBlankPair(pair) && !map.keepsBlankRows
      ? leftOut(map, number)
      : placeOf(map, number, pair.key),
  ]);

/** The places of all fields and rows that a form shows: a closed item shows none of its fields. */
export const placesOf = (values: FormValues, parent: FieldPlace): readonly FieldPlace[] =>
  values.flatMap((value) => {
    const place = placeOf(parent, value.field.name);
    return [
      place,
      ...rowsOf(value, place).flatMap((row) =>
        row.isOpen ? [row.place, ...placesOf(row.values, row.place)] : [row.place],
      ),
    ];
  });

export interface FieldLink {
  /** Such as "Filter 1, From 2". */
  readonly words: string;
  /** The id of its element, or of the closed item that does not show it. */
  readonly id: string;
  /** In a closed item: the id that its element has once that is open. */
  readonly field?: string;
}

/**
 * The link to the field at a path of the input, `filters[0].from[1]`; undefined for the input as a
 * whole and for a path without a field.
 */
export function linkTo(
  path: string,
  values: FormValues,
  parent: FieldPlace,
): FieldLink | undefined {
  for (const value of values) {
    const { name, label, singular } = value.field;
    const list = placeOf(parent, name);
    if (!isWithin(path, list)) continue;
    const rows = rowsOf(value, list);
    const index = rows.findIndex(({ place }) => isWithin(path, place));
    const row = rows[index];
    if (!row) return { words: label, id: list.name };
    const item = { words: `${singular} ${index + 1}`, id: row.place.name };
    const inner = linkTo(path, row.values, row.place);
    if (!inner) return item;
    const words = `${item.words}, ${inner.words}`;
    return row.isOpen ? { ...inner, words } : { ...item, words, field: inner.id };
  }
  return undefined;
}

/** The closed items of a form by their path in the input. */
export const closedItems = (values: FormValues, parent: FieldPlace): ReadonlyMap<string, Row> =>
  new Map(
    values
      .filter(({ kind }) => kind === "items")
      .flatMap((value) => rowsOf(value, placeOf(parent, value.field.name)))
      .flatMap((row) =>
        row.isOpen || row.place.path === undefined ? [] : [[row.place.path, row]],
      ),
  );

const isWithin = (path: string, { path: parent }: FieldPlace): boolean =>
  parent !== undefined && path.startsWith(parent) && /^(?:$|[.[])/.test(path.slice(parent.length));

interface Row {
  readonly place: FieldPlace;
  readonly values: FormValues;
  readonly isOpen: boolean;
}

function rowsOf(value: FieldValue, list: FieldPlace): readonly Row[] {
  switch (value.kind) {
    case "texts":
      return rowPlaces(value.rows, (text) => text === "", list).map(([, place]) => plainRow(place));
    case "map":
      return pairPlaces(value.rows, list).map(([, place]) => plainRow(place));
    case "items":
      return rowPlaces(value.rows, (row) => isBlankRow(row.values), list).map(([row, place]) => ({
        place,
        ...row,
      }));
    default:
      return [];
  }
}

const plainRow = (place: FieldPlace): Row => ({ place, values: [], isOpen: true });
