import { type Command, Option } from "commander";
import { UsageFailure } from "./failures.ts";

/** The flag of a name in a contract: `--larger-than-mb` for `larger_than_mb`. */
export const flagName = (name: string): string => `--${name.replaceAll("_", "-")}`;

/** An option that takes a value. It keeps every value, so that none is lost when it is repeated. */
export const valueOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value, previous: readonly string[] = []) => [
    ...previous,
    value,
  ]);

/** The values given for an option, if any was. */
export const allValues = (command: Command, option: Option): readonly string[] | undefined =>
  command.getOptionValue(option.attributeName());

/**
 * The value given for an option that stands once.
 *
 * @throws {UsageFailure} when it stands twice.
 */
export function onlyValue(command: Command, option: Option): string | undefined {
  const values = allValues(command, option);
  if (values && values.length > 1) throw new UsageFailure([`${option.long}: is given twice`]);
  return values?.[0];
}

/**
 * The file's path given for an option that stands once.
 *
 * @throws {UsageFailure} when it stands twice or is empty.
 */
export function onlyPath(command: Command, option: Option): string | undefined {
  const path = onlyValue(command, option);
  if (path === "") throw new UsageFailure([`${option.long}: must not be empty`]);
  return path;
}

/** Whether a switch, an option without a value, is given. */
export const isGiven = (command: Command, option: Option): boolean =>
  command.getOptionValue(option.attributeName()) !== undefined;
