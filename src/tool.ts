import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { Client, Contract, PriceBook, ResultOf, ValidInputOf } from "../schemas/index.ts";
import type { Transport } from "../schemas/mcp-config.ts";
import type { RawResult } from "./findings.ts";
import { validate } from "./issues.ts";
import type { ServerVariable } from "./mcp-config/mcp-server.ts";

/** A contract and its implementation. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  readonly options: v.GenericSchema<object, ToolOptions>;
  /** @throws {InvalidInputError} if a valid input has no correct output. */
  run(input: ValidInputOf<C>, options?: RunOptions): RawResult<ResultOf<C>>;
}

/** Options of every tool's function. */
export interface ToolOptions {
  /** The limits of the HTTP service (default), or the higher limits of the command line. */
  readonly limits?: "service" | "extended" | undefined;
  /** The maximum size of the result's JSON in bytes. Larger results are rejected. */
  readonly resultBytes?: number | undefined;
}

/** The options of all tools. A tool rejects the options that it does not have. */
export interface CallOptions extends ToolOptions {
  /** Prices to use instead of the built-in list. */
  readonly priceBook?: PriceBook | undefined;
  /** Today's date, for the age of prices, such as 2026-11-27. */
  readonly today?: string | undefined;
  /** The AI clients, in the order of the result. Default: `CLIENTS`. */
  readonly clients?: readonly Client[] | undefined;
  /** Known values of variables. */
  readonly variables?: readonly ServerVariable[] | undefined;
  /** Default: `stdio` for a `command`, `http` for a `url`. */
  readonly transport?: Transport | undefined;
  /** The working directory of a local server, for clients that support it. */
  readonly cwd?: string | undefined;
}

/** Options for a valid input. A tool ignores the options that it does not know. */
export type RunOptions = Omit<CallOptions, "limits">;

/** Adds a tool's own options to `ToolOptions`. */
export const optionsSchema = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.GenericSchema<object, ToolOptions & v.InferOutput<v.StrictObjectSchema<Entries, undefined>>> =>
  closedObject({
    limits: v.optional(v.picklist(["service", "extended"])),
    resultBytes: v.optional(v.pipe(v.number(), v.minValue(1))),
    ...entries,
  });

/** @throws {InvalidInputError} with all issues of the input. */
export const runTool = <C extends Contract>(
  { contract, run }: Pick<Tool<C>, "contract" | "run">,
  input: unknown,
  options?: RunOptions,
): RawResult<ResultOf<C>> => run(validate(contract.input, input), options);

export const withExtendedLimits = <T extends Pick<Tool, "contract">>(tool: T): T => ({
  ...tool,
  contract: { ...tool.contract, input: tool.contract.extended_input ?? tool.contract.input },
});
