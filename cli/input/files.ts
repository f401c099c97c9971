import { InvalidInputError, withNames } from "../../src/issues.ts";
import { findDuplicateKey } from "../../src/json-text.ts";
import { posixQuote, visibleText } from "../../src/text.ts";
import type { ExistingProduct, GivenNumbers, Tool } from "../../src/tool.ts";
import { CliError, UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { flagName } from "../options.ts";
import { messageLine, toJsonText, writeMessages } from "../output.ts";
import type { GivenFile } from "./file-flags.ts";

/**
 * Reads a JSON file, or standard input for "-".
 *
 * @throws {UsageError} when it is not UTF-8 or not JSON.
 */
export async function readJson(file: string, io: Io): Promise<unknown> {
  const text = await readText(file, io);
  const plain = parsePlainJson(text);
  if (plain) return plain.value;
  const { parseJsonText } = await import("./jsonc.ts");
  return parseJsonText(text, sourceName(file));
}

/**
 * Parses JSON without comments and trailing commas, as most files are. The other parser, which
 * takes longer to load, reports a repeated key and what is wrong with a text.
 *
 * @returns undefined for a text that is left to the other parser.
 */
function parsePlainJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return findDuplicateKey(text) ? undefined : { value };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads a text file, or standard input for "-".
 *
 * @throws {UsageError} when it is not UTF-8.
 */
export async function readText(file: string, io: Io): Promise<string> {
  const bytes = await io.readFile(file);
  // The tool may tell which file of a ZIP archive it reads.
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
  try {
    return new TextDecoder("utf-8", { fatal: !isZip }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([`${sourceName(file)}: must be saved as UTF-8`]);
  }
}

/** A setting that the user gave. */
export interface GivenSetting extends GivenFile {
  readonly value: unknown;
}

export const readSetting = async (file: GivenFile, io: Io): Promise<GivenSetting> => ({
  ...file,
  value: await readJson(file.file, io),
});

/**
 * Reads an existing file of the tool's format.
 *
 * @throws {UsageError} for a file of another format.
 */
export async function readExisting(
  tool: Tool,
  { file, label, partNumber }: GivenFile,
  io: Io,
  numbers?: GivenNumbers,
): Promise<ExistingProduct> {
  if (!tool.readProduct) throw new TypeError(`${tool.contract.name} has no code for ${label}`);
  const text = await readText(file, io);
  try {
    return await tool.readProduct(text, partNumber, numbers);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) =>
        messageLine(sourceName(file), path, withNames(message)),
      ),
    );
  }
}

/**
 * The inputs that an existing file gives, as JSON: one alone, several as a list.
 *
 * @throws {UsageError} for a file of another format, and for one that gives no input.
 */
export async function inputsText(
  tool: Tool,
  existing: GivenFile,
  numbers: GivenNumbers,
  io: Io,
): Promise<string> {
  const source = sourceName(existing.file);
  const { inputs, warnings } = await readExisting(tool, existing, io, numbers);
  await writeMessages(
    io,
    warnings.map(({ code, severity, path, message }) => ({
      severity,
      text: messageLine(source, path, withNames(message)),
      code,
    })),
  );
  const [only, ...others] = inputs;
  if (only === undefined) throw new UsageError([`${source}: has nothing to read`]);
  if (others.length === 0) return inputText(only, tool.contract.list);
  const text = `holds ${inputs.length} inputs, printed as a list; pass one at a time`;
  await writeMessages(io, [{ severity: "info", text: messageLine(source, text) }]);
  return toJsonText(inputs);
}

/** An input as JSON; a list that fills most of it has one line an item. */
function inputText(input: unknown, list: string | undefined): string {
  const { [list ?? ""]: items, ...others }: Record<string, unknown> = Object(input);
  if (!Array.isArray(items) || list === undefined || Object.keys(others).length > 0) {
    return toJsonText(input);
  }
  const lines = items.map((item) => `    ${visibleText(JSON.stringify(item))}`);
  return `{\n  "${list}": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/**
 * Runs `work` on input files. When it rejects one that is an existing file of the tool's format,
 * the error names the flag that reads it.
 *
 * @param next the rest of the advised command line, which uses the printed input.
 */
export async function namingReadFlag<Value>(
  tool: Tool,
  files: readonly string[],
  io: Io,
  work: () => Promise<Value>,
  next = "",
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { command, text } = tool.contract;
    const [flag] = Object.entries(text.files ?? {}).find(([, { does }]) => does === "read") ?? [];
    if (!(error instanceof UsageError) || flag === undefined) throw error;
    const existing: string[] = [];
    for (const file of files) if (await givesInputs(tool, file, io)) existing.push(file);
    if (existing.length === 0) throw error;
    throw new UsageError(
      existing.map((file) => {
        const words = `handtools ${command} ${flagName(flag)} ${posixQuote(file)}${next}`;
        return `${sourceName(file)}: is not an input; ${flagName(flag)} makes one of it: ${words}`;
      }),
    );
  }
}

/** Whether an existing file gives inputs. One with the fields of an input is an invalid input. */
async function givesInputs(
  { contract, readProduct }: Tool,
  file: string,
  io: Io,
): Promise<boolean> {
  const [{ parse }, { fieldsOf }] = await Promise.all([
    import("jsonc-parser"),
    import("../../src/json-schema.ts"),
  ]);
  try {
    const text = await readText(file, io);
    const keys = Object.keys(parse(text) ?? {});
    const isInput = fieldsOf(contract.input).some(({ name }) => keys.includes(name));
    const existing = isInput ? undefined : await readProduct?.(text, 1);
    return existing !== undefined && existing.inputs.length > 0;
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof CliError) return false;
    // The parsers are recursive, and no file of a tool's format is nested that deeply.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
