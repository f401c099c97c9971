import type { Command, Option } from "commander";

/** A command as a shell's completion and the manual page see it. */
export interface CommandNode {
  /** The words that lead to it: `["signups", "export"]`; none for the program. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ArgumentNode[];
  readonly commands: readonly CommandNode[];
}

/** The values that a shell can complete: some words, or paths of files; without either, none. */
interface Values {
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

export interface OptionNode {
  /** The flags themselves, `-o` and `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly summary: string;
  /** The value behind the flag; undefined for a switch. */
  readonly value: (Values & { readonly name: string }) | undefined;
  readonly repeatable: boolean;
}

interface ArgumentNode extends Values {
  readonly name: string;
  readonly variadic: boolean;
}

/**
 * The tree of a program's commands.
 *
 * @param valuesOf the values of arguments that have too many for the help, by the argument's name.
 */
export function commandTree(
  command: Command,
  valuesOf: Readonly<Record<string, readonly string[]>> = {},
  path: readonly string[] = [],
): CommandNode {
  return {
    path,
    summary: command.summary() || command.description(),
    options: command.createHelp().visibleOptions(command).map(toOption),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      variadic: argument.variadic,
      choices: argument.argChoices ?? valuesOf[argument.name()] ?? [],
      isFile: isFile(argument.name()),
    })),
    commands: command.commands.map((child) =>
      commandTree(child, valuesOf, [...path, child.name()]),
    ),
  };
}

function toOption(option: Option): OptionNode {
  const { short, long, flags, description, argChoices } = option;
  const [, name] = /<([^>]+)>$/.exec(flags) ?? [];
  return {
    names: [short, long].filter((flag) => flag !== undefined),
    description,
    summary: description.replace(/[.;] .*$/s, "").replace(/\.$/, ""),
    value:
      name === undefined ? undefined : { name, choices: argChoices ?? [], isFile: isFile(name) },
    repeatable: /\bRepeatable\b|\bwith several\b/.test(description),
  };
}

const isFile = (name: string): boolean => /^(?:files?|path)(?:\.\.\.)?$/.test(name);

export const allCommands = (node: CommandNode): readonly CommandNode[] => [
  node,
  ...node.commands.flatMap(allCommands),
];
