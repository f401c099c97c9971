import { type Entries, type Entry, isBlankRow } from "./entry.ts";
import { labelOf, singularOf } from "./label.ts";
import { type Place, pairPlaces, rowPlaces } from "./place.ts";

/** A place of the form, as the page shows it. */
export interface Spot {
  /** Such as "Filter 1, From 2". */
  readonly words: string;
  /** The id of its element. */
  readonly id: string;
}

/**
 * Where in a form a path of the input is, `filters[0].from[1]`; undefined for the input as a whole
 * and for what has no field.
 */
export function spotOf(path: string, entries: Entries, parent: Place): Spot | undefined {
  for (const entry of entries) {
    const { name } = entry.field;
    const list = parent.below(name, name);
    if (!isWithin(path, list)) continue;
    const rows = rowsOf(entry, list);
    const index = rows.findIndex(({ place }) => isWithin(path, place));
    const row = rows[index];
    if (!row) return { words: labelOf(name), id: list.name };
    const words = `${singularOf(name)} ${index + 1}`;
    const inner = spotOf(path, row.entries, row.place);
    return inner
      ? { words: `${words}, ${inner.words}`, id: inner.id }
      : { words, id: row.place.name };
  }
  return undefined;
}

interface Row {
  readonly place: Place;
  readonly entries: Entries;
}

function rowsOf(entry: Entry, list: Place): readonly Row[] {
  switch (entry.kind) {
    case "texts":
      return rowPlaces(entry.rows, (text) => text === "", list).map(([, place]) => ({
        place,
        entries: [],
      }));
    case "map":
      return pairPlaces(entry.rows, list).map(([, place]) => ({ place, entries: [] }));
    case "items":
      return rowPlaces(entry.rows, isBlankRow, list).map(([entries, place]) => ({
        place,
        entries,
      }));
    default:
      return [];
  }
}

const isWithin = (path: string, { path: parent }: Place): boolean =>
  parent !== undefined && path.startsWith(parent) && /^(?:$|[.[])/.test(path.slice(parent.length));
