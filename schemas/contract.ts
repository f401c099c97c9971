import * as v from "valibot";
import { described } from "./common.ts";

/**
 * All that library and server need to know about a tool, except its code. Routes, OpenAPI and the flags of
 * the input follow from it; a command declares its other flags itself, and a page its form.
 */
export interface Contract {
  /** Tool identifier: lower case, words joined by underscores. */
  readonly name: string;
  /** Its path segment, `mail-filter-generator` for `mail_filter_generator`. */
  readonly segment: string;
  readonly title: string;
  /** One paragraph of at most 500 characters, which AI agents show in full. */
  readonly description: string;
  readonly command: string;
  readonly function: string;
  readonly input: v.GenericSchema;
  /**
   * The same input with the higher limits of the command line; `input` has those of the service.
   */
  readonly extended_input?: v.GenericSchema;
  /** The clients to write for, which a caller may give next to the input. */
  readonly clients?: v.GenericSchema<string[]>;
  readonly output: v.GenericSchema<object>;
  /** An input that runs without a warning. */
  readonly example_input: unknown;
  /** What the command prints, in a few words: "mailFilters.xml, ready to import". */
  readonly prints: string;
  /** True when a result may hold the user's secrets: then it must not be cached or logged. */
  readonly sensitive: boolean;
}

/**
 * Checks a contract's type and adds its path segment. A tool's file calls it, and makes the schema of its
 * result, with `#__PURE__`: a bundle of the tool's function needs neither, and bundlers leave them out.
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

/** A field of a result that is an object with exactly these keys. */
export const resultObject = <const Entries extends v.ObjectEntries>(
  description: string,
  entries: Entries,
) => described(v.strictObject(entries), description);

/** A field of a result that is a list of such objects. */
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
  message: described(v.string(), "For people, to be read after the path; may change."),
});
/** A finding about an accepted input, such as one whose `code` is explained by `handtools explain`. */
export interface Warning<Code extends string = string> extends v.InferOutput<typeof WarningSchema> {
  code: Code;
}

/**
 * The warnings of a tool. TypeScript knows their codes; in JSON Schema a code is any text, so that old
 * programs accept one that a later version adds.
 */
export function warningsSchema<Code extends string>() {
  const schema: v.GenericSchema<Warning[]> = described(
    v.array(WarningSchema),
    "Problems to know about. Typical input has none.",
  );
  return schema as v.GenericSchema<Warning<Code>[]>;
}
