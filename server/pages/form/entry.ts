import type { Field } from "../../../src/fields.ts";

/** A row of a map, such as a header with its value. */
export interface MapRow {
  readonly key: string;
  readonly value: string;
}

/** A field and what stands in it, as it was typed: blank rows and wrong numbers included. */
export type Entry =
  | { readonly kind: "text"; readonly field: Field; readonly value: string }
  | { readonly kind: "switch"; readonly field: Field; readonly value: boolean }
  | { readonly kind: "texts"; readonly field: Field; readonly rows: readonly string[] }
  | { readonly kind: "map"; readonly field: Field; readonly rows: readonly MapRow[] }
  | { readonly kind: "items"; readonly field: Field; readonly rows: readonly Entries[] };

/** A form, or one row of a list of objects. */
export type Entries = readonly Entry[];

/** Whether nothing was typed; a value that stands there by default does not count. */
function isBlank(entry: Entry): boolean {
  switch (entry.kind) {
    case "text":
      return entry.value === "" || entry.value === entry.field.default;
    case "switch":
      return entry.value === (entry.field.default ?? false);
    case "texts":
      return entry.rows.every((text) => text === "");
    case "map":
      return entry.rows.every(isBlankPair);
    case "items":
      return entry.rows.every(isBlankRow);
  }
}

export const isBlankRow = (row: Entries): boolean => row.every(isBlank);

export const isBlankPair = ({ key, value }: MapRow): boolean => key === "" && value === "";
