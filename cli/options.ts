import { type Command, Option } from "commander";
import { closestName } from "../schemas/common.ts";
import { UsageError } from "./cli-error.ts";
import type { Io } from "./io.ts";

/**
 * Adds the description, arguments, flags, subcommands and action of a command.
 *
 * @param args the user's arguments after its name.
 */
export type DefineCommand = (
  command: Command,
  io: Io,
  args: readonly string[],
) => void | Promise<void>;

/** A command in --help. Its code loads only if the command line has its name. */
export type CommandRow = readonly [
  heading: string,
  name: string,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<string, DefineCommand>> }>,
];

/** Adds only the command that the user named, else all of them with their summaries. */
export async function addCommands(
  parent: Command,
  commands: readonly CommandRow[],
  [commandName, ...args]: readonly string[],
  io: Io,
): Promise<void> {
  const named = commands.filter(([, name]) => name === commandName);
  for (const [heading, name, summary, load] of named.length > 0 ? named : commands) {
    const command = parent.commandsGroup(heading).command(name).summary(summary);
    command.hook("preSubcommand", rejectFlagsBefore);
    if (name === commandName) await (await load()).commands[name]?.(command, io, args);
  }
}

/**
 * Commander would silently give a flag before a subcommand to the command, which does not run.
 *
 * @throws {UsageError} for such a flag.
 */
function rejectFlagsBefore(command: Command, subcommand: Command): void {
  const misplaced = command.options.find(
    (option) => command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (!misplaced) return;
  throw new UsageError([
    `${misplaced.long}: must follow ${subcommand.name()}; see ${formatCommandName(subcommand)} --help`,
  ]);
}

/** Creates an option that collects a list of values. */
export const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value, previous: readonly string[] = []) => [
    ...previous,
    value,
  ]);

/** @param findProblem returns undefined for a valid value. */
export function valueOption(
  flags: string,
  description: string,
  findProblem: (value: string) => string | undefined,
): Option {
  const option = new Option(flags, description);
  return option.argParser((value) => {
    const problem = findProblem(value);
    if (problem !== undefined) throw new UsageError([`${option.long}: ${problem}`]);
    return value;
  });
}

/** Creates an option whose value must not be empty, such as a path. */
export const nonEmptyOption = (flags: string, description: string): Option =>
  valueOption(flags, description, (text) => (text === "" ? "must not be empty" : undefined));

/** Creates a repeatable option with a choice of names. An unknown name suggests the nearest. */
export function repeatableChoiceOption(
  flags: string,
  description: string,
  names: readonly string[],
): Option {
  const option = new Option(flags, description).choices(names);
  return option.argParser((name, previous: readonly string[] = []) => {
    if (names.includes(name)) return [...new Set([...previous, name])];
    const near = closestName(name, names);
    const advice = near === undefined ? "" : `; did you mean ${near}?`;
    throw new UsageError([`${option.long}: must be one of ${names.join(", ")}${advice}`]);
  });
}

export const jsonOption = (): Option =>
  new Option("--json", "print the whole result as JSON").helpGroup("Output:");

/** Options for the output and the diagnostics. */
export const outputOptions = (
  output = "write to this file; - is standard output",
): readonly Option[] => [
  nonEmptyOption("-o, --output <file>", output).helpGroup("Output:"),
  new Option(
    "--check",
    "write nothing; print what would change in the file of -o, and fail if anything would",
  ).helpGroup("Output:"),
  ...reportingOptions(),
];

/** Options for the diagnostics. */
export const reportingOptions = (): readonly Option[] =>
  [
    new Option("--strict", "treat warnings as errors: write nothing and exit with 1"),
    new Option("--quiet", "print errors only"),
    new Option(
      "--reporter <name>",
      "report problems and warnings as text, as annotations of GitHub Actions, or as JSON lines",
    ).choices(["text", "github", "json"]),
  ].map((option) => option.helpGroup("Output:"));

/**
 * Adds options to a command. Commander would silently use the last of several values, so an option
 * with a single string rejects a second.
 */
export function addOptions(command: Command, ...options: readonly Option[]): Command {
  for (const option of options) {
    const { long, parseArg, variadic } = option;
    if (!variadic) {
      option.argParser((value, previous) => {
        if (typeof previous === "string") throw new UsageError([`${long}: is given twice`]);
        return parseArg ? parseArg(value, previous) : value;
      });
    }
    command.addOption(option);
  }
  return command;
}

/** Adds command lines to copy to the end of a command's help. */
export const addExamples = (command: Command, commandLines: readonly string[]): Command =>
  command.addHelpText(
    "after",
    `\nExamples:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`,
  );

/** Formats `handtools mail-filter diff`. */
export const formatCommandName = (command: Command): string =>
  command.parent ? `${formatCommandName(command.parent)} ${command.name()}` : command.name();

/** Advice for commands that accept another program's command line. */
export const suggestDoubleDash = (command: Command): string | undefined =>
  command.usage().includes("[-- <")
    ? "put the command line of another program after --"
    : undefined;

/**
 * Creates a repeatable option that collects values by name.
 *
 * @param read returns the name and the value of an item.
 */
export function mapOption<Value>(
  flags: string,
  description: string,
  read: (item: string, flag: string) => readonly [name: string, value: Value],
): Option {
  const option = new Option(flags, description);
  return option.argParser((item, previous: Readonly<Record<string, Value>> = {}) => {
    const [name, value] = read(item, String(option.long));
    if (Object.hasOwn(previous, name)) {
      throw new UsageError([`${option.long}: ${name} is given twice`]);
    }
    return Object.fromEntries([...Object.entries(previous), [name, value]]);
  });
}

/**
 * Parses `NAME=VALUE`, `Name: value` (as in headers), or the name of an environment variable.
 *
 * @throws {UsageError} for an unset variable.
 */
export function parseNamedValue(item: string, flag: string, io: Io): [name: string, value: string] {
  const end = item.search(/[=:]/);
  if (end >= 0) {
    const value = item.slice(end + 1);
    return [item.slice(0, end), item[end] === ":" ? value.trimStart() : value];
  }
  const value = Object.hasOwn(io.environment, item) ? io.environment[item] : undefined;
  if (value !== undefined) return [item, value];
  // Only the first word, because the rest may be a secret.
  const shown = item.replace(/\s.*/s, " …");
  throw new UsageError([
    `${flag}: ${shown}: must be NAME=VALUE, 'Name: value' or the name of a set variable`,
  ]);
}
