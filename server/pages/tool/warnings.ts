import type { Warning } from "../../../schemas/index.ts";
import { fieldsOf } from "../../../src/fields.ts";
import { type Sheet, warningsOf } from "./sheet.ts";

/** The warnings that are about the result: what their path begins with is no field of the form. */
export function warningsOnResult(sheet: Sheet): readonly Warning[] {
  const fields = fieldsOf(sheet.contract.input).map(({ name }) => name);
  return warningsOf(sheet).filter(
    ({ path }) => path !== "" && !fields.includes(path.split(/[.[]/, 1)[0] ?? ""),
  );
}

/** The others, which stand beside their fields. */
export const warningsOnInput = (sheet: Sheet): readonly Warning[] => {
  const others = warningsOnResult(sheet);
  return warningsOf(sheet).filter((warning) => !others.includes(warning));
};
