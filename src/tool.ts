import type {
  Contract,
  ResultOf,
  SettingsOf,
  TextOptionsOf,
  ValidInputOf,
  Warning,
} from "../schemas/index.ts";
import { InvalidInputError, issueAt } from "./issues.ts";
import { validate } from "./validate.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** @throws {InvalidInputError} for an input that is valid but has no honest output. */
  run(input: ValidInputOf<C>, settings: SettingsOf<C>): ResultOf<C>;
  /** The product alone, ending with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
}

/** A result as text for a terminal or a file, and the warnings that concern that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Replacements for a tool's built-in data, by the names in its contract. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Validates the input and the settings, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const runTool = <C extends Contract>(
  tool: Tool<C>,
  input: unknown,
  settings: GivenSettings = {},
): ResultOf<C> => withSettings(tool, settings)(input);

/**
 * A tool that is called many times with the same settings, which are validated here, once.
 *
 * @returns runs the tool on an unknown input.
 * @throws {InvalidInputError} with every issue found, also for a name that is no setting of the tool.
 */
export function withSettings<C extends Contract>(
  tool: Tool<C>,
  given: GivenSettings,
): (input: unknown) => ResultOf<C> {
  const { contract } = tool;
  const settings = validSettings(contract, given);
  return (input) => tool.run(validate(contract.input, input), settings);
}

function validSettings<C extends Contract>(contract: C, given: GivenSettings): SettingsOf<C> {
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
