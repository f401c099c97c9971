import * as v from "valibot";
import { described, type Warning } from "./common.ts";

/*
 * A file apart from `common.ts`, so that a bundle of a tool has no schema of results.
 */

/** A finding about an accepted input. */
export const WarningSchema = v.strictObject({
  code: described(v.string(), "Stable identifier; branch on this."),
  severity: described(
    v.picklist(["info", "warning"]),
    "info: worth knowing; warning: may surprise or do harm.",
  ),
  path: described(
    v.string(),
    "The place it is about, such as filters[0].from[1]; empty for the whole.",
  ),
  message: described(v.string(), "For people, to be read after the path; may change."),
});

/**
 * The warnings of a tool. TypeScript knows their codes; in JSON Schema a code is any text, so that old
 * programs accept one that a later version adds.
 */
export function warningsOf<Code extends string>() {
  const schema: v.GenericSchema<Warning[]> = described(
    v.array(WarningSchema),
    "Problems to know about. Typical input gives none.",
  );
  return schema as v.GenericSchema<Warning<Code>[]>;
}
