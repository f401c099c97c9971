import type { Warning } from "../../../schemas/index.ts";
import { fieldsOf } from "../../../src/fields.ts";
import { type Sheet, warningsOf } from "./sheet.ts";

/** The warnings of a sheet, by where they belong. */
export interface SortedWarnings {
  /** About a field of the form, or about the whole. */
  readonly onInput: readonly Warning[];
  /** About a part of the result: what their path begins with is no field of the form. */
  readonly onResult: readonly Warning[];
}

export function sortWarnings(sheet: Sheet): SortedWarnings {
  const fields = new Set(["", ...fieldsOf(sheet.contract.input).map(({ name }) => name)]);
  const { onInput = [], onResult = [] } = Object.groupBy(warningsOf(sheet), ({ path }) =>
    fields.has(path.split(/[.[]/, 1)[0] ?? "") ? "onInput" : "onResult",
  );
  return { onInput, onResult };
}
