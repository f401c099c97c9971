import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { Client } from "./inputs/mcp-config.ts";

/**
 * Everything that library and server need of a tool except its code. Routes, OpenAPI, forms and the
 * flags of the input are computed from it; a command declares its other flags itself.
 */
export interface ContractShape {
  /** Tool identifier: lower case, words joined by underscores. */
  readonly name: string;
  readonly title: string;
  /** One paragraph of at most 500 characters, which AI agents show in full. */
  readonly description: string;
  readonly command: string;
  readonly function: string;
  readonly input: GenericSchema;
  /**
   * The same input with the higher limits of the command line; `input` has those of the service.
   */
  readonly local_input?: GenericSchema;
  /** Fields of the input by the names that other programs give them, for near misses. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The clients to write for, which a caller may give next to the input. */
  readonly clients?: GenericSchema<Client[]>;
  readonly output: GenericSchema<object>;
  /** An input that runs without a warning. */
  readonly example_input: unknown;
  /** What the command prints, in a few words: "mailFilters.xml, ready to import". */
  readonly prints: string;
  /** True when a result may hold the user's secrets: then it must not be cached or logged. */
  readonly sensitive: boolean;
}

/** A contract with its path segment, `mail-filter-generator` for `mail_filter_generator`. */
export type Contract<Shape extends ContractShape = ContractShape> = Shape & {
  readonly segment: string;
};

/** Checks a contract's type and adds its path segment. */
export function defineContract<const Shape extends ContractShape>(
  shape: Shape & { example_input: InferInput<Shape["input"]> },
): Contract<Shape> {
  return { ...shape, segment: shape.name.replaceAll("_", "-") };
}

/** The input after validation, with its defaults filled in. */
export type ValidInputOf<C extends ContractShape> = InferOutput<C["input"]>;
/** The result of a tool. */
export type ResultOf<C extends ContractShape> = InferOutput<C["output"]>;
