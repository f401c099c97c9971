import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { Client, Contract, PriceBook, ResultOf, ValidInputOf } from "../schemas/index.ts";
import type { Transport } from "../schemas/mcp-config.ts";
import { validate } from "./issues.ts";
import type { ServerVariable } from "./mcp-config/mcp-server.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** The options of the tool's function, made by `optionsSchema()`. */
  readonly options: v.GenericSchema<object, ToolOptions>;
  /** @throws {InvalidInputError} for a valid input that has no correct output. */
  run(input: ValidInputOf<C>, options?: RunOptions): ResultOf<C>;
}

/** Options that the function of every tool has. */
export interface ToolOptions {
  /**
   * `"service"`, the default, has the limits of the HTTP service; `"extended"` has the higher ones of the command
   * line.
   */
  readonly limits?: "service" | "extended" | undefined;
  /** The most UTF-8 bytes of the result's JSON; an input with a larger result is rejected. */
  readonly resultBytes?: number | undefined;
}

/** The options of all tools. The called tool rejects an option that it does not have. */
export interface CallOptions extends ToolOptions {
  /** Prices to use instead of the built-in list. */
  readonly priceBook?: PriceBook | undefined;
  /** The day from which the age of a price counts, such as 2026-11-27. */
  readonly today?: string | undefined;
  /** The AI clients to write for, in the order of the result. Default: the five of `CLIENTS`. */
  readonly clients?: readonly Client[] | undefined;
  /** The known values of the references. */
  readonly variables?: readonly ServerVariable[] | undefined;
  /** The server's transport, by default `stdio` for a `command` and `http` for a `url`. */
  readonly transport?: Transport | undefined;
  /** The folder that a local server starts in, for clients that support it. */
  readonly cwd?: string | undefined;
}

/** Options of a run on a valid input; a tool reads those that it knows. */
export type RunOptions = Omit<CallOptions, "limits">;

/** The schema of `ToolOptions` and of the options that one tool adds. */
export const optionsSchema = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<object, ToolOptions & v.InferOutput<v.StrictObjectSchema<Entries, undefined>>> =>
  closedObject({
    limits: v.optional(v.picklist(["service", "extended"])),
    resultBytes: v.optional(v.pipe(v.number(), v.minValue(1))),
    ...entries,
  });

/**
 * Validates an input, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const runTool = <C extends Contract>(
  { contract, run }: Pick<Tool<C>, "contract" | "run">,
  input: unknown,
  options?: RunOptions,
): ResultOf<C> => run(validate(contract.input, input), options);

/** The same tool with the higher limits of the command line. */
export const withExtendedLimits = <T extends Pick<Tool, "contract">>(tool: T): T => ({
  ...tool,
  contract: { ...tool.contract, input: tool.contract.extended_input ?? tool.contract.input },
});
