import * as v from "valibot";
import { described } from "./common.ts";

/**
 * The description of a tool without its code. Routes, OpenAPI and the flags of the input follow from
 * it. Commands declare their other flags, and pages their forms.
 */
export interface Contract {
  /** Lower case, with underscores. */
  readonly name: string;
  /** The path segment: `mail-filter-generator` for `mail_filter_generator`. */
  readonly segment: string;
  readonly title: string;
  /** One paragraph of at most 500 characters, which AI agents show in full. */
  readonly description: string;
  readonly command: string;
  readonly function: string;
  readonly input: v.GenericSchema;
  /** The same input with the higher limits of the command line. */
  readonly extended_input?: v.GenericSchema;
  /** The clients to write for, an option beside the input. */
  readonly clients?: v.GenericSchema<string[]>;
  readonly output: v.GenericSchema<object>;
  /** Runs without a warning. */
  readonly example_input: unknown;
  /** Completes "Prints …": "mailFilters.xml, ready to import". */
  readonly prints: string;
  /** Whether a result may hold the user's secrets, and must not be cached or logged. */
  readonly sensitive: boolean;
}

/**
 * Checks a contract's type and adds its path segment. Call it, and the schema of the result, with
 * `#__PURE__`, so that bundlers can omit them from a bundle of the tool's function.
 */
export function defineContract<const Shape extends Omit<Contract, "segment">>(
  shape: Shape & { example_input: v.InferInput<Shape["input"]> },
): Shape & Pick<Contract, "segment"> {
  return { ...shape, segment: shape.name.replaceAll("_", "-") };
}

/** The input after validation, with its defaults filled in. */
export type ValidInputOf<C extends Contract> = v.InferOutput<C["input"]>;
/** The result of a tool. */
export type ResultOf<C extends Contract> = v.InferOutput<C["output"]>;

export const resultObject = <const Entries extends v.ObjectEntries>(
  description: string,
  entries: Entries,
) => described(v.strictObject(entries), description);

export const resultList = <const Entries extends v.ObjectEntries>(
  description: string,
  entries: Entries,
) => described(v.array(v.strictObject(entries)), description);

/** A finding about an accepted input. */
export const WarningSchema = v.strictObject({
  code: described(v.string(), "Stable identifier; branch on this."),
  severity: described(
    v.picklist(["info", "warning"]),
    "info: worth knowing; warning: the result may be surprising or harmful.",
  ),
  path: described(
    v.string(),
    "The path of the value, such as filters[0].from[1]; empty for the whole input.",
  ),
  message: described(v.string(), "Continues the path, for people; may change."),
});
/** A finding about an accepted input. `handtools explain` explains its `code`. */
export interface Warning<Code extends string = string> extends v.InferOutput<typeof WarningSchema> {
  code: Code;
}

/** In JSON Schema a code is any string, so that old programs accept the codes of later versions. */
export function warningsSchema<Code extends string>() {
  const schema: v.GenericSchema<Warning[]> = described(
    v.array(WarningSchema),
    "Problems to know about. Typical input has none.",
  );
  return schema as v.GenericSchema<Warning<Code>[]>;
}
