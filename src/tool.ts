import type { Contract, ResultOf, SettingsOf, ValidInputOf } from "../schemas/index.ts";
import { validSettings } from "./settings.ts";
import { validate } from "./validate.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** @throws {InvalidInputError} for an input that is valid but has no honest output. */
  run(input: ValidInputOf<C>, settings: SettingsOf<C>): ResultOf<C>;
}

/**
 * Validates the input and the settings, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function runTool<C extends Contract>(
  tool: Tool<C>,
  input: unknown,
  settings: Readonly<Record<string, unknown>> = {},
): ResultOf<C> {
  const { contract } = tool;
  return tool.run(validate(contract.input, input), validSettings(contract, settings));
}
