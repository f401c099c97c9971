import { formatPath, type Path } from "../../../src/issues.ts";
import { isBlankPair, type MapRow } from "./entry.ts";

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
