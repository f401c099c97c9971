import { type Command, Option } from "commander";
import { closestName } from "../schemas/common.ts";
import { UsageError } from "./cli-error.ts";
import { isStandardInput } from "./files/read-file.ts";
import type { Io } from "./io.ts";

/**
 * Adds the description, arguments, flags, modes and action of a command.
 *
 * @param words what the user wrote after its name.
 */
export type DefineCommand = (
  command: Command,
  io: Io,
  words: readonly string[],
) => void | Promise<void>;

/** A command in the list of --help. Its code loads when a command line names it. */
export type CommandRow = readonly [
  heading: string,
  name: string,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<string, DefineCommand>> }>,
];

/** Adds the command that the words name, which needs no other, or else all as a name and a line. */
export async function addCommands(
  parent: Command,
  commands: readonly CommandRow[],
  [wanted, ...words]: readonly string[],
  io: Io,
): Promise<void> {
  const named = commands.filter(([, name]) => name === wanted);
  for (const [heading, name, summary, load] of named.length > 0 ? named : commands) {
    const command = parent.commandsGroup(heading).command(name).summary(summary);
    command.hook("preSubcommand", rejectFlagsBefore);
    if (name === wanted) await (await load()).commands[name]?.(command, io, words);
  }
}

/**
 * Commander takes a flag before a mode for one of the command itself, which does not run.
 *
 * @throws {UsageError} for such a flag.
 */
function rejectFlagsBefore(command: Command, mode: Command): void {
  const stray = command.options.find(
    (option) => command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (!stray) return;
  throw new UsageError([
    `${stray.long}: write it after ${mode.name()}; see ${formatCommandName(mode)} --help`,
  ]);
}

/** An option that may be repeated, with the list of its values. */
export const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value, previous: readonly string[] = []) => [
    ...previous,
    value,
  ]);

/** @param findProblem what is wrong with a value; undefined for nothing. */
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

/** An option with a text that is not empty, such as a path; - may stand for a stream. */
export const nonEmptyOption = (flags: string, description: string): Option =>
  valueOption(flags, description, (text) => (text === "" ? "must not be empty" : undefined));

/** An option with the path of a file that is compared or edited. */
export const fileOption = (flags: string, description: string): Option =>
  valueOption(flags, description, (path) => {
    if (path === "") return "must not be empty";
    return isStandardInput(path) ? "must be a file, not standard input" : undefined;
  });

/** An option that may be repeated, with one of several names. An unknown one suggests the nearest. */
export function namesOption(flags: string, description: string, names: readonly string[]): Option {
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

/** Where a product goes, and how findings are reported. */
export const outputOptions = (
  output = "write to this file, whole or not at all; - is standard output",
): readonly Option[] => [
  nonEmptyOption("-o, --output <file>", output).helpGroup("Output:"),
  new Option(
    "--check",
    "write nothing; print what would change in the file of -o, and fail if something would",
  ).helpGroup("Output:"),
  ...reportingOptions(),
];

/** How findings are reported. */
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
 * Adds options to a command. Commander takes the last of several values: one whose value is a text may
 * be given once, and those that may be repeated collect their values.
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

/** Ends a command's help with command lines to copy and run. */
export const addExamples = (command: Command, commandLines: readonly string[]): Command =>
  command.addHelpText(
    "after",
    `\nExamples:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`,
  );

/** The words that run a command: `handtools mail-filter diff`. */
export const formatCommandName = (command: Command): string =>
  command.parent ? `${formatCommandName(command.parent)} ${command.name()}` : command.name();

/** Advice for words that may be another program's; undefined for a command that takes none. */
export const suggestDoubleDash = (command: Command): string | undefined =>
  command.usage().includes("[-- <")
    ? "put the command line of another program after --"
    : undefined;

/**
 * An option that is given once for each name, with the values by their names.
 *
 * @param read gives the name and the value of an item.
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
 * Reads `NAME=VALUE`, `Name: value` (the notation of headers), or the name of a variable.
 *
 * @throws {UsageError} for a variable that is not set.
 */
export function namedValue(item: string, flag: string, io: Io): [name: string, value: string] {
  const end = item.search(/[=:]/);
  if (end >= 0) {
    const value = item.slice(end + 1);
    return [item.slice(0, end), item[end] === ":" ? value.trimStart() : value];
  }
  const value = Object.hasOwn(io.environment, item) ? io.environment[item] : undefined;
  if (value !== undefined) return [item, value];
  // Other words than the first may be a secret.
  const shown = item.replace(/\s.*/s, " …");
  throw new UsageError([
    `${flag}: ${shown}: must be NAME=VALUE or 'Name: value', or the name of a variable that is set`,
  ]);
}
