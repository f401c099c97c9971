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
  /** @throws {InvalidInputError} for a valid input for which no correct output exists. */
  run(input: ValidInputOf<C>, settings: SettingsOf<C>): ResultOf<C>;
  /** The product as text that ends with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
}

/** A result as text for a terminal or a file, and the warnings about that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Replacements for a tool's built-in data, by their names in the contract. */
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
 * Binds a tool to its settings, which are validated once for many calls.
 *
 * @returns a function that runs the tool on an unknown input.
 * @throws {InvalidInputError} with every issue of the settings; an unknown name is one as well.
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
