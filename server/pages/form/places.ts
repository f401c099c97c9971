import { formatPath, type Path } from "../../../src/issues.ts";
import { type Entries, type Entry, isBlankPair, isBlankRow, type MapRow } from "./entries.ts";

/** Where a control is in the form, and its value in the input. */
export interface Place {
  /** The control's name and id, `filters[0].from[1]`. */
  readonly name: string;
  /** The same in the input, which has no blank rows; undefined for what is not in it. */
  readonly path: string | undefined;
  /** Whether blank rows are in the input: in one that was given in JSON they are. */
  readonly keepsBlankRows: boolean;
  /** The place of a property of this one, or of a row. */
  below(key: string | number, keyInInput?: string | number): Place;
}

/** The place of a whole form that was sent: its blank rows are left out of the input. */
export const SENT_FORM = placeAt([], [], false);

/** The place of the whole form that shows an input. */
export const SHOWN_INPUT = placeAt([], [], true);

function placeAt(name: Path, path: Path | undefined, keepsBlankRows: boolean): Place {
  return {
    name: formatPath(name),
    path: path && formatPath(path),
    keepsBlankRows,
    below(key, keyInInput) {
      const below = path && keyInInput !== undefined ? [...path, keyInInput] : undefined;
      return placeAt([...name, key], below, keepsBlankRows);
    },
  };
}

/** The places of a list's rows. */
export function rowPlaces<Row>(
  rows: readonly Row[],
  isBlank: (row: Row) => boolean,
  list: Place,
): readonly (readonly [Row, Place])[] {
  let index = 0;
  return rows.map((row, number) => [
    row,
    isBlank(row) && !list.keepsBlankRows ? list.below(number) : list.below(number, index++),
  ]);
}

/** The places of a map's pairs: in the input each is under its name. */
export const pairPlaces = (
  pairs: readonly MapRow[],
  map: Place,
): readonly (readonly [MapRow, Place])[] =>
  pairs.map((pair, number) => {
    const isInInput = map.keepsBlankRows || !isBlankPair(pair);
    return [pair, map.below(number, isInInput ? pair.key : undefined)];
  });

const ABBREVIATIONS: Readonly<Record<string, string>> = { mb: "MB", url: "URL" };

/** A property's name for people, "Larger than MB" for `larger_than_mb`. */
export function labelOf(name: string): string {
  const words = name.split("_").map((word) => ABBREVIATIONS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One row of a list, "Filter" for `filters`. */
export const singularOf = (name: string): string => labelOf(name).replace(/s$/, "");

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
