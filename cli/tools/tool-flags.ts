import type { Command, Option } from "commander";
import { closestName } from "../../schemas/common.ts";
import type { Contract } from "../../schemas/index.ts";
import { UsageError } from "../errors.ts";
import { requireReadable } from "../files/read-file.ts";
import type { InputFlags } from "../input/input.ts";
import type { Io } from "../io.ts";
import {
  type CommonFlags,
  commandLineOf,
  jsonOption,
  outputOptions,
  reportingOptions,
} from "../options.ts";

/** The argument of a command that joins the lists of several files. */
export const FILES = [
  "[files...]",
  "JSON files with the input (comments allowed), which are joined; - is standard input",
] as const;

export const toolDescription = ({ description, prints }: Contract): string =>
  `${description}\n\nPrints ${prints}.`;

/** The flags that commands of all tools share, under one heading of their help. */
export function commonOptions() {
  const grouped = (options: readonly Option[]) =>
    options.map((option) => option.helpGroup("Output:"));
  const output = grouped(outputOptions());
  const reporting = grouped(reportingOptions());
  return { json: jsonOption().helpGroup("Output:"), output, reporting };
}

/**
 * The flags for the fields of a tool's input; undefined for a command line that has none, since they
 * come from the JSON Schema, whose code takes time to load.
 *
 * @param words of the command line.
 * @param others the tool's other flags.
 */
export async function loadInputFlags(
  contract: Contract,
  words: readonly string[],
  others: readonly Option[],
): Promise<InputFlags | undefined> {
  const known = others.flatMap(({ short, long }) => [short, long]);
  if (words.every((word) => !/^-./.test(word) || known.includes(word))) return undefined;
  return (await import("../input/flag-input.ts")).flagInput(contract);
}

/**
 * Checks the files that a command reads before it reads any.
 *
 * @throws {UsageError} for an empty path, for standard input given twice, and for one that `--output`
 * would overwrite.
 */
export async function requireFiles(
  paths: readonly string[],
  { output = "-" }: CommonFlags,
  io: Io,
): Promise<void> {
  requireReadable(paths.map((file) => ({ label: "FILE", file })));
  if (output === "-") return;
  for (const file of paths) {
    if (!(await io.isSameFile(file, output))) continue;
    throw new UsageError([
      `--output: ${output} is an input and would be overwritten; name another file`,
    ]);
  }
}

/** @throws {UsageError} for a FILE that is not there and is written like a mode of the command. */
export async function requireNoMode(
  files: readonly string[],
  command: Command,
  io: Io,
): Promise<void> {
  const modes = command.commands.map((mode) => mode.name());
  for (const file of files) {
    const mode = closestName(file, modes);
    if (mode === undefined || (await io.exists(file))) continue;
    throw new UsageError([
      `${file}: no such file; did you mean ${commandLineOf(command)} ${mode}?`,
    ]);
  }
}
