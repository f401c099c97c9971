import { type Command, Option } from "commander";
import { closestName } from "../schemas/common.ts";
import type { Contract, RenderOption, TextOptionsOf } from "../schemas/index.ts";
import { UsageError } from "./errors.ts";

/** The flag of a name in a contract: `--larger-than-mb` for `larger_than_mb`. */
export const flagName = (name: string): string => `--${name.replaceAll("_", "-")}`;

/** An option with a value. It collects all values, so that a repeated option loses none. */
export const valueOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value, previous: readonly string[] = []) => [
    ...previous,
    value,
  ]);

/** The values of an option; undefined without the option. */
export const allValues = (command: Command, option: Option): readonly string[] | undefined =>
  command.getOptionValue(option.attributeName());

/**
 * The value of an option that may be given once.
 *
 * @throws {UsageError} when it is given twice.
 */
export function onlyValue(command: Command, option: Option): string | undefined {
  const values = allValues(command, option);
  if (values && values.length > 1) throw new UsageError([`${option.long}: is given twice`]);
  return values?.[0];
}

/**
 * The path of an option that may be given once.
 *
 * @throws {UsageError} when it is given twice or is empty.
 */
export function onlyPath(command: Command, option: Option): string | undefined {
  const path = onlyValue(command, option);
  if (path === "") throw new UsageError([`${option.long}: must not be empty`]);
  return path;
}

/** Whether an option is given. */
export const isGiven = (command: Command, option: Option): boolean =>
  command.getOptionValue(option.attributeName()) !== undefined;

/** The last part of a command's help: command lines that run as they stand. */
export const exampleHelp = (commandLines: readonly string[]): string =>
  `\nExamples:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`;

/** An option of a tool's text rendering. */
export interface TextFlag {
  readonly name: string;
  readonly rendering: RenderOption;
  readonly option: Option;
}

export const textFlags = ({ text }: Contract): readonly TextFlag[] =>
  Object.entries(text.options).map(([name, rendering]) => ({
    name,
    rendering,
    option: toOption(flagName(name), rendering).conflicts("json"),
  }));

function toOption(flag: string, rendering: RenderOption): Option {
  if (rendering.type === "switch") return new Option(flag, rendering.description);
  const option = valueOption(`${flag} <name>`, rendering.description);
  option.argChoices = [...rendering.values];
  return option;
}

/**
 * The options of the text rendering that the user gave.
 *
 * @throws {UsageError} for a value that is none of the choices.
 */
export function readTextOptions(
  command: Command,
  flags: readonly TextFlag[],
): TextOptionsOf<Contract> {
  const given = flags.filter(({ option }) => isGiven(command, option));
  return Object.fromEntries(
    given.map(({ name, rendering, option }) => [
      name,
      rendering.type === "switch" || chosen(onlyValue(command, option), rendering.values, option),
    ]),
  );
}

function chosen(value: string | undefined, values: readonly string[], { long }: Option): string {
  if (value !== undefined && values.includes(value)) return value;
  const near = closestName(value ?? "", values);
  const advice = near === undefined ? "" : `; did you mean ${near}?`;
  throw new UsageError([`${long}: must be one of ${values.join(", ")}${advice}`]);
}
