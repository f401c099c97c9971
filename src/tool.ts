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

type Given = Readonly<Record<string, unknown>>;

/** What `prepareSettings` gave, and for which tool. */
const prepared = new WeakMap<Given, Contract>();

/**
 * Validates replacements for a tool's built-in data for many calls of it, as a server does when it
 * starts. The tool takes what is given back here without another look, so it must not be changed.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function prepareSettings<C extends Contract>(contract: C, given: Given): SettingsOf<C> {
  const settings = validSettings(contract, given);
  prepared.set(settings, contract);
  return settings;
}

/**
 * Replacements for a tool's built-in data, validated unless that has been done.
 *
 * @throws {InvalidInputError} with every issue found, also for a name that is no setting of the tool.
 */
export function validSettings<C extends Contract>(contract: C, given: Given): SettingsOf<C> {
  if (prepared.get(given) === contract) return given as SettingsOf<C>;
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

/** A result as text for a terminal or a file, and the warnings that concern that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** A tool whose results can also be written as text. */
export interface PrintableTool<C extends Contract = Contract> extends Tool<C> {
  /** The product alone, ending with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
}
