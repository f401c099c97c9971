import type { Command } from "commander";
import { processIo } from "../cli/process-io.ts";
import { createProgram } from "../cli/run.ts";
import packageJson from "../package.json" with { type: "json" };
import { explained, variables } from "../schemas/variables.ts";
import { toolLoaders } from "../src/loaders.ts";

/*
 * The manual page, computed from the commands as their help is. Run by `npm run build`, it writes
 * dist/handtools.1.
 */

/** The text of the page, in the man macros of troff. */
export async function manPage(): Promise<string> {
  // This word has every command defined with its arguments and flags.
  const program = await createProgram(["completion"], processIo(), toolLoaders, {});
  return [
    `.TH HANDTOOLS 1 "" "handtools ${packageJson.version}" "User Commands"`,
    ".SH NAME",
    `handtools \\- ${text("Gmail filters, Zapier costs and MCP configs")}`,
    ".SH SYNOPSIS",
    ".B handtools",
    ".I command",
    text("[options]"),
    ".SH DESCRIPTION",
    text(packageJson.description),
    ".SH COMMANDS",
    ...program.commands.flatMap((command) => commandSection(command)),
    ".SH ENVIRONMENT",
    text("Messages, and help on a terminal, have colours."),
    ...term("NO_COLOR", "Not empty: no colours."),
    ...term("FORCE_COLOR", "Colours without a terminal too; 0: none."),
    ...term("DEBUG", "1: a bug in handtools shows where it is."),
    ".PP",
    text("handtools serve and handtools signups read:"),
    ...variables.flatMap((variable) => term(variable.name, explained(variable))),
    ".SH EXIT STATUS",
    ...term("0", "Done."),
    ...term("1", "Something outside failed, such as a file, or --check found a difference."),
    ...term("2", "Bad input or usage."),
    "",
  ].join("\n");
}

/** A command, its flags and its own commands. */
function commandSection(command: Command, path: readonly string[] = []): readonly string[] {
  const help = command.createHelp();
  const name = [...path, command.name()].join(" ");
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  return [
    `.SS "${text(`${name} ${command.usage()}`.trim())}"`,
    ...paragraphs(command.description()),
    ...help
      .visibleArguments(command)
      .flatMap((argument) => term(argument.name(), help.argumentDescription(argument))),
    ...options.flatMap((option) => term(option.flags, help.optionDescription(option))),
    ...examples(command),
    ...command.commands.flatMap((child) => commandSection(child, [...path, command.name()])),
  ];
}

const paragraphs = (description: string): readonly string[] =>
  description
    .split("\n\n")
    .flatMap((paragraph, index) => [...(index > 0 ? [".PP"] : []), text(paragraph)]);

const term = (name: string, description: string): readonly string[] => [
  ".TP",
  `.B ${text(name)}`,
  text(description),
];

/** The command lines at the end of the command's help. */
function examples(command: Command): readonly string[] {
  let printed = "";
  command.configureOutput({
    writeOut: (part) => {
      printed += part;
    },
  });
  command.outputHelp();
  const lines = [...printed.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = ""]) => line);
  if (lines.length === 0) return [];
  return [".PP", "Examples:", ".PP", ".nf", ".RS", ...lines.map(text), ".RE", ".fi"];
}

/** Text as troff shows it unchanged. */
const text = (plain: string): string =>
  plain
    .replaceAll("\n", " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll('"', "\\(dq")
    .replace(/^[.']/, "\\&$&");

if (import.meta.main) await Bun.write("dist/handtools.1", await manPage());
