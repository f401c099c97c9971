import type {
  Contract,
  ResultOf,
  SettingsOf,
  TextOptionsOf,
  ValidInputOf,
  Warning,
} from "../schemas/index.ts";
import { validate } from "./validate.ts";

/** A result as text for a terminal or a file, and the warnings that concern that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** @throws {InvalidInputError} for an input that is valid but has no honest output. */
  run(input: ValidInputOf<C>, settings: SettingsOf<C>): ResultOf<C>;
  /** The product alone, ending with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
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
  const validInput = validate(tool.contract.input, input);
  const validSettings = Object.entries(tool.contract.settings)
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, { schema }]) => [name, validate(schema, settings[name], [name])]);
  return tool.run(validInput, Object.fromEntries(validSettings));
}
