import type { Command, Option } from "commander";
import { closestName } from "../../schemas/common.ts";
import type { Contract } from "../../schemas/index.ts";
import { escapeForCi } from "../../src/text.ts";
import { UsageError } from "../cli-error.ts";
import { isStandardInput, readText, sourceName } from "../files/read-file.ts";
import { fileInput, type InputFlags, withLocations } from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import { formatCommandName } from "../options.ts";
import { toJsonText } from "../output.ts";

/** The argument of a command that joins several files. */
export const FILES_ARGUMENT = [
  "[files...]",
  "JSON files with the input (comments allowed), which are joined; - is standard input",
] as const;

export const formatToolDescription = ({ description, prints }: Contract): string =>
  `${description}\n\nPrints ${prints}.`;

/**
 * Loads the flags for the fields of a tool's input. They come from the JSON Schema, which is slow to
 * load, so the result is undefined if the command line has none.
 *
 * @param others the tool's other flags.
 */
export async function loadInputFlags(
  contract: Contract,
  args: readonly string[],
  others: readonly Option[],
  io: Io,
): Promise<InputFlags | undefined> {
  const otherFlags = others.flatMap(({ short, long }) => [short, long]);
  if (args.every((word) => !/^-./.test(word) || otherFlags.includes(word))) return undefined;
  return (await import("../input/input-flags.ts")).flagInput(contract, io);
}

/**
 * Checks the files of a command before it reads any.
 *
 * @throws {UsageError} for an empty path, a second standard input, a file that `--output` would
 * overwrite, a missing file named like a subcommand, and `--check` without a file.
 */
export async function requireFiles(
  command: Command,
  files: readonly string[],
  io: Io,
): Promise<void> {
  const { output = "-", check } = command.opts<CommonFlags>();
  if (check && output === "-") throw new UsageError(["--check: needs the file, as -o FILE"]);
  const subcommands = command.commands.map((subcommand) => subcommand.name());
  for (const file of files) {
    const subcommand = closestName(file, subcommands);
    if (subcommand === undefined || (await io.exists(file))) continue;
    const meant = `${formatCommandName(command)} ${subcommand}`;
    throw new UsageError([`${file}: no such file; did you mean ${meant}?`]);
  }
  for (const [index, file] of files.entries()) {
    if (file === "") throw new UsageError(["FILE: must not be empty"]);
    if (isStandardInput(file) && files.findIndex(isStandardInput) < index) {
      throw new UsageError(["FILE: standard input is already used; give a file"]);
    }
    if (output === "-" || !(await io.isSameFile(file, output))) continue;
    throw new UsageError([`--output: ${output} is also an input; choose another file`]);
  }
}

/**
 * Reads a Gmail export, and the input that its findings refer to.
 *
 * @throws {UsageError} if it is not an export.
 */
export async function readExportFile(file: string, io: Io) {
  const { parseExport } = await import("../../src/mail-filter/parse-export.ts");
  const text = await readText(file, io);
  const input = fileInput({ source: sourceName(file), value: text });
  return { ...(await withLocations(input, () => parseExport(text))), input };
}

/** Formats an input as JSON. If it has only lists, each item is on one line. */
export function formatInput(input: object): string {
  const lists = Object.entries(input);
  if (!lists.every(([, items]) => Array.isArray(items) && items.every(isObject))) {
    return toJsonText(input);
  }
  const texts = lists.map(([name, items]) => {
    const lines = items.map((item: unknown) => `\n    ${escapeForCi(JSON.stringify(item))}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${texts.join(",\n")}\n}\n`;
}

const isObject = (item: unknown): boolean => typeof item === "object" && item !== null;
