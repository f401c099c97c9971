import type { FieldValue, FormValues, ItemRow, Place } from "./values.ts";

/** The places of all fields and rows that a form shows: a closed item shows none of its fields. */
export const placesOf = (values: FormValues): readonly Place[] =>
  values.flatMap((value) => [
    value,
    ...rowsOf(value).flatMap((row) => [row, ...(row.isOpen ? placesOf(row.values ?? []) : [])]),
  ]);

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
export function linkTo(path: string, values: FormValues): FieldLink | undefined {
  for (const value of values) {
    if (!isWithin(path, value)) continue;
    const { label, singular } = value.field;
    const rows = rowsOf(value);
    const index = rows.findIndex((row) => isWithin(path, row));
    const row = rows[index];
    if (!row) return { words: label, id: value.name };
    const item = { words: `${singular} ${index + 1}`, id: row.name };
    const inner = linkTo(path, row.values ?? []);
    if (!inner) return item;
    const words = `${item.words}, ${inner.words}`;
    return row.isOpen ? { ...inner, words } : { ...item, words, field: inner.id };
  }
  return undefined;
}

/** The closed items of a form by their path in the input. */
export const closedItems = (values: FormValues): ReadonlyMap<string | undefined, ItemRow> =>
  new Map(
    values
      .flatMap((value) => (value.kind === "items" ? value.rows : []))
      .filter(({ isOpen }) => !isOpen)
      .map((row) => [row.path, row]),
  );

const isWithin = (path: string, { path: parent }: Place): boolean =>
  parent !== undefined && path.startsWith(parent) && /^(?:$|[.[])/.test(path.slice(parent.length));

const rowsOf = (value: FieldValue): readonly (Place & Partial<ItemRow>)[] =>
  "rows" in value ? value.rows : [];
