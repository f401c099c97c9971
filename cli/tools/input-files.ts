import type { Command, Option } from "commander";
import { closestName } from "../../schemas/common.ts";
import type { Contract, Warning } from "../../schemas/index.ts";
import { escapeForCi } from "../../src/text.ts";
import { UsageError } from "../cli-error.ts";
import { isStandardInput, readText, sourceName } from "../files/read-file.ts";
import { fileInput, type InputFlags, warningMessages, withLocations } from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import { formatCommandName } from "../options.ts";
import { toJsonText, writeDiagnostics, writeOutput } from "../output.ts";

/** The argument of a command that joins the lists of several files. */
export const FILES_ARGUMENT = [
  "[files...]",
  "JSON files with the input (comments allowed), which are joined; - is standard input",
] as const;

export const formatToolDescription = ({ description, prints }: Contract): string =>
  `${description}\n\nPrints ${prints}.`;

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
  io: Io,
): Promise<InputFlags | undefined> {
  const known = others.flatMap(({ short, long }) => [short, long]);
  if (words.every((word) => !/^-./.test(word) || known.includes(word))) return undefined;
  return (await import("../input/input-flags.ts")).flagInput(contract, io);
}

/**
 * Checks the files that a command reads before it reads any.
 *
 * @throws {UsageError} for an empty path, for standard input given twice, for one that `--output`
 * would overwrite, for `--check` without a file, and for one that is not there and is written like a mode of the command.
 */
export async function requireFiles(
  command: Command,
  files: readonly string[],
  io: Io,
): Promise<void> {
  const { output = "-", check } = command.opts<CommonFlags>();
  if (check && output === "-") throw new UsageError(["--check: needs the file, as -o FILE"]);
  const modes = command.commands.map((mode) => mode.name());
  for (const file of files) {
    const mode = closestName(file, modes);
    if (mode === undefined || (await io.exists(file))) continue;
    const meant = `${formatCommandName(command)} ${mode}`;
    throw new UsageError([`${file}: no such file; did you mean ${meant}?`]);
  }
  for (const [index, file] of files.entries()) {
    if (file === "") throw new UsageError(["FILE: must not be empty"]);
    if (isStandardInput(file) && files.findIndex(isStandardInput) < index) {
      throw new UsageError(["FILE: standard input is already used; give a file"]);
    }
    if (output === "-" || !(await io.isSameFile(file, output))) continue;
    throw new UsageError([
      `--output: ${output} is an input and would be overwritten; name another file`,
    ]);
  }
}

/**
 * Reads a file of another format than an input's.
 *
 * @throws {UsageError} for a file of yet another format.
 */
async function parseFile<Value>(
  file: string,
  read: (text: string) => Promise<Value>,
  io: Io,
): Promise<Value> {
  const text = await readText(file, io);
  return withLocations(fileInput({ source: sourceName(file), value: text }), () => read(text));
}

/**
 * Prints the inputs that a file gives, as JSON: one alone, several as a list.
 *
 * @param read makes inputs of a text; the paths of its warnings are places in the file.
 * @throws {UsageError} for a file of another format, and for one that gives no input.
 */
export async function writeInputs(
  file: string,
  read: (
    text: string,
  ) => Promise<{ readonly inputs: readonly object[]; readonly warnings: readonly Warning[] }>,
  flags: CommonFlags,
  io: Io,
  isSecret = false,
): Promise<void> {
  const source = sourceName(file);
  const { inputs, warnings } = await parseFile(file, read, io);
  await writeDiagnostics(io, await warningMessages(warnings, fileInput({ source, value: inputs })));
  const [only, ...others] = inputs;
  const place = { file: source };
  if (only === undefined) throw new UsageError([{ place, text: "has nothing to read" }]);
  if (others.length > 0) {
    const text = `holds ${inputs.length} inputs, printed as a list; pass one at a time`;
    await writeDiagnostics(io, [{ severity: "info", place, text }]);
  }
  const text = others.length > 0 ? toJsonText(inputs) : formatInput(only);
  await writeOutput({ text, isSecret }, flags, io);
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

/** An input as JSON; one of nothing but lists has one line an item. */
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
