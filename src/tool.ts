import type { Contract, ResultOf, SettingsOf, ValidInputOf } from "../schemas/index.ts";
import { InvalidInputError, issueAt } from "./result.ts";
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

function validSettings(contract: Contract, given: Readonly<Record<string, unknown>>) {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(contract.settings, name));
  if (unknown.length > 0) {
    throw new InvalidInputError(
      unknown.map((name) => issueAt([name], "is not a setting of this tool")),
    );
  }
  const entries = Object.entries(contract.settings)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { schema }]) => [name, validate(schema, given[name], [name])]);
  return Object.fromEntries(entries);
}
