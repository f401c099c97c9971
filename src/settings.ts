import type { Contract, SettingsOf } from "../schemas/index.ts";
import { InvalidInputError, issueAt } from "./result.ts";
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
