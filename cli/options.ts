import { type Command, Option } from "commander";
import { closestName } from "../schemas/common.ts";
import { UsageError } from "./errors.ts";
import { isStandardInput } from "./files/read-file.ts";
import type { Io } from "./io.ts";

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
 * The value of an option that may be given once, such as a path.
 *
 * @throws {UsageError} when it is given twice or is empty.
 */
export function onlyFilled(command: Command, option: Option): string | undefined {
  const value = onlyValue(command, option);
  if (value === "") throw new UsageError([`${option.long}: must not be empty`]);
  return value;
}

/**
 * Like `onlyFilled`, for a file that the command edits.
 *
 * @throws {UsageError} also for standard input, which would be written to a file named `-`.
 */
export function onlyEditedPath(command: Command, option: Option): string | undefined {
  const path = onlyFilled(command, option);
  if (path === undefined || !isStandardInput(path)) return path;
  throw new UsageError([`${option.long}: must be a file, not standard input`]);
}

/**
 * An option whose value is one of several names; `<names...>` takes a list, by spaces or commas.
 * Commander only shows the names in the help: `onlyChoice` and `allChoices` check them.
 */
export function choiceOption(
  flags: string,
  description: string,
  values: readonly string[],
): Option {
  const option = valueOption(flags, description);
  if (option.variadic) {
    option.argParser((list, previous: readonly string[] = []) => [
      ...previous,
      ...list.replace(/,$/, "").split(/,\s*/),
    ]);
  }
  option.argChoices = [...values];
  return option;
}

/**
 * The different values of an option that may be repeated.
 *
 * @throws {UsageError} for a value that is not one of the choices.
 */
export const allChoices = <Value extends string>(
  command: Command,
  option: Option,
  values: readonly Value[],
): readonly Value[] => [
  ...new Set(allValues(command, option)?.map((value) => toChoice(value, values, option))),
];

/**
 * The value of an option that may be given once.
 *
 * @throws {UsageError} when it is given twice, or is not one of the choices.
 */
export function onlyChoice<Value extends string>(
  command: Command,
  option: Option,
  values: readonly Value[],
): Value | undefined {
  const value = onlyValue(command, option);
  return value === undefined ? undefined : toChoice(value, values, option);
}

function toChoice<Value extends string>(
  given: string,
  values: readonly Value[],
  { long }: Option,
): Value {
  const found = values.find((value) => value === given);
  if (found !== undefined) return found;
  const parts = values.filter((value) => isPart(given, value));
  const nearest = parts.length > 0 ? parts.slice(0, 3) : [closestName(given, values) ?? []].flat();
  const advice = nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
  throw new UsageError([`${long}: must be one of ${values.join(", ")}${advice}`]);
}

/** The error for a name that is not among the known ones, with the nearest of them or else advice. */
export const unknownName = (
  kind: string,
  wanted: string,
  known: readonly string[],
  advice: string,
): UsageError => {
  const near = closestName(wanted, known);
  const help = near === undefined ? advice : `did you mean ${near}?`;
  return new UsageError([`there is no ${kind} ${JSON.stringify(wanted)}; ${help}`]);
};

/** True for a name that is a word of the value, or ends one: `claude` for `claude-desktop`, `code` for `vscode`. */
const isPart = (name: string, value: string): boolean =>
  value
    .split("-")
    .some((word) => word === name.toLowerCase() || (name.length > 3 && word.endsWith(name)));

/** The argument FILE, which a flag with a list before it has swallowed; undefined if there is none. */
export function takeFileFromList(command: Command, list: Option): string | undefined {
  const values = allValues(command, list) ?? [];
  const last = values.at(-1) ?? "";
  if (values.length < 2 || !/[./\\]|^-$/.test(last)) return undefined;
  command.setOptionValue(list.attributeName(), values.slice(0, -1));
  return last;
}

export const isGiven = (command: Command, option: Option): boolean =>
  command.getOptionValue(option.attributeName()) !== undefined;

/** Ends a command's help with command lines to copy and run. */
export const addExamples = (command: Command, commandLines: readonly string[]): Command =>
  command.addHelpText(
    "after",
    `\nExamples:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`,
  );

/**
 * Reads the values of an option that is given once for each name.
 *
 * @throws {UsageError} for a name given twice, or a variable that is not set.
 */
export function namedValues(
  items: readonly string[],
  flag: string,
  io: Io,
): Record<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of items.map((item) => namedValue(item, flag, io))) {
    if (entries.has(name)) throw new UsageError([`${flag}: ${name} is given twice`]);
    entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

/** Reads `NAME=VALUE`, `Name: value` (the notation of headers), or the name of a variable. */
function namedValue(item: string, flag: string, io: Io): [name: string, value: string] {
  const end = item.search(/[=:]/);
  if (end >= 0) {
    const value = item.slice(end + 1);
    return [item.slice(0, end), item[end] === ":" ? value.trimStart() : value];
  }
  const value = Object.hasOwn(io.environment, item) ? io.environment[item] : undefined;
  if (value !== undefined) return [item, value];
  const [word = "", ...others] = item.split(/\s/);
  if (others.length > 0) {
    // The other words may be a secret.
    throw new UsageError([
      `${flag}: ${word} … must be NAME=VALUE or 'Name: value', or the name of a variable`,
    ]);
  }
  throw new UsageError([
    `${flag}: the environment variable ${item} is not set; set it, or give the value as ${item}=VALUE`,
  ]);
}
