import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { Contract, PriceBook, ResultOf, ValidInputOf, Warning } from "../schemas/index.ts";
import { validate } from "./validate.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** The options of the tool's function, made by `optionsSchema()`. */
  readonly options: v.GenericSchema<object, ToolOptions>;
  /** @throws {InvalidInputError} for a valid input that has no correct output. */
  run(input: ValidInputOf<C>, options?: RunOptions): ResultOf<C>;
  /** The result as text that ends with a newline. */
  render(result: ResultOf<C>): Rendering;
}

/** The limit of a result. An input whose result would be larger is rejected. */
export interface ResultLimit {
  /** UTF-8 bytes of the result's JSON. */
  readonly resultBytes?: number | undefined;
}

/** Options of a run; a tool reads those that it knows. */
export interface RunOptions extends ResultLimit {
  /** The AI clients to write for, which the contract's `clients` accepts, in the order of the result. */
  readonly clients?: readonly string[] | undefined;
  /** Prices to use instead of the built-in list. */
  readonly priceBook?: PriceBook | undefined;
  /** The day from which the age of a price counts, in ISO 8601. */
  readonly today?: string | undefined;
}

/** Options that the function of every tool has. */
export interface ToolOptions extends ResultLimit {
  /**
   * `"public"`, the default, has the limits of the service, and `"local"` the higher ones of the command
   * line.
   */
  readonly limits?: "public" | "local" | undefined;
}

/** A result as text for a terminal or a file, and the warnings about that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** The schema of `ToolOptions` and of the options that one tool adds. */
export const optionsSchema = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<object, ToolOptions & v.InferOutput<v.StrictObjectSchema<Entries, undefined>>> =>
  closedObject({
    limits: v.optional(v.picklist(["public", "local"])),
    resultBytes: v.optional(v.pipe(v.number(), v.minValue(1))),
    ...entries,
  });

/**
 * Validates an input, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const runTool = <C extends Contract, Options extends object>(
  { contract, run }: RunnableTool<C, Options>,
  input: unknown,
  options?: Options,
): ResultOf<C> => run(validate(contract.input, input), options);

/** A tool whose `run` may have options of its own. */
export type RunnableTool<C extends Contract, Options extends object> = Pick<Tool<C>, "contract"> & {
  run(input: ValidInputOf<C>, options?: Options): ResultOf<C>;
};

/** The same tool with the higher limits of the command line. */
export const withLocalLimits = <T extends Pick<Tool, "contract">>(tool: T): T => ({
  ...tool,
  contract: { ...tool.contract, input: tool.contract.local_input ?? tool.contract.input },
});
