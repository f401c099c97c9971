import { InvalidInputError, withNames } from "../../src/issues.ts";
import { findDuplicateKey, withoutSchema } from "../../src/json-text.ts";
import { isZip, posixQuote, visibleText } from "../../src/text.ts";
import type { ExistingProduct, GivenNumbers, GivenSource, Tool } from "../../src/tool.ts";
import { CliError, UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { whileShown } from "../messages/status-line.ts";
import { flagName } from "../options.ts";
import { toJsonText } from "../output.ts";
import type { GivenFile } from "./file-flags.ts";

export interface JsonFile {
  readonly source: string;
  readonly text: string;
  readonly value: unknown;
}

/** A part of an input: its name for the user, and the file that it is in. */
export interface Origin {
  /** A path in the file, or a flag. */
  readonly path: string;
  readonly file?: JsonFile | undefined;
}

/**
 * Reads a JSON file, or standard input for "-". The `$schema` of an object is for editors, and is
 * left out.
 *
 * @throws {UsageError} when it is not UTF-8 or not JSON.
 */
export async function readJson(file: string, io: Io): Promise<JsonFile> {
  const text = await readText(file, io);
  const source = sourceName(file);
  if (isZip(text)) {
    throw new UsageError([{ place: { file: source }, text: "is a ZIP archive; unpack it first" }]);
  }
  const plain = parsePlainJson(text);
  if (plain) return { source, text, value: withoutSchema(plain.value) };
  const { parseJsonText } = await import("./jsonc.ts");
  return { source, text, value: withoutSchema(parseJsonText(text, source)) };
}

/**
 * Parses JSON without comments and trailing commas, as most files are. The other parser, which
 * takes longer to load, reports repeated keys and syntax errors.
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
  const fatal = !isZip(String.fromCharCode(...bytes.subarray(0, 4)));
  try {
    return new TextDecoder("utf-8", { fatal }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([{ place: { file: sourceName(file) }, text: "must be saved as UTF-8" }]);
  }
}

export type GivenSetting = GivenFile & JsonFile;

export const readSetting = async (file: GivenFile, io: Io): Promise<GivenSetting> => ({
  ...file,
  ...(await readJson(file.file, io)),
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
  source?: GivenSource,
): Promise<ExistingProduct> {
  if (!tool.readProduct) throw new TypeError(`${tool.contract.name} has no code for ${label}`);
  const text = await readText(file, io);
  try {
    const { readProduct } = tool;
    const isLong = text.length > LONG_TEXT;
    return await whileShown(isLong ? `reading ${sourceName(file)}` : undefined, io, () =>
      readProduct(text, partNumber, numbers, source),
    );
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) => ({
        place: { file: sourceName(file) },
        path,
        text: withNames(message),
      })),
    );
  }
}

/** In characters; some hundred filters. */
const LONG_TEXT = 100_000;

/**
 * The inputs that an existing file gives, as JSON: one alone, several as a list.
 *
 * @throws {UsageError} for a file of another format, and for one that gives no input.
 */
export async function inputsText(
  tool: Tool,
  existing: GivenFile,
  numbers: GivenNumbers,
  given: GivenSource,
  io: Io,
): Promise<string> {
  const source = sourceName(existing.file);
  const { inputs, warnings } = await readExisting(tool, existing, io, numbers, given);
  await writeMessages(
    io,
    warnings.map(({ code, severity, path, message }) => ({
      severity,
      place: { file: source },
      path,
      text: withNames(message),
      code,
    })),
  );
  const [only, ...others] = inputs;
  const place = { file: source };
  if (only === undefined) throw new UsageError([{ place, text: "has nothing to read" }]);
  if (others.length === 0) return inputText(Object(only));
  const text = `holds ${inputs.length} inputs, printed as a list; pass one at a time`;
  await writeMessages(io, [{ severity: "info", place, text }]);
  return toJsonText(inputs);
}

/** An input as JSON; one of nothing but lists has one line an item. */
export function inputText(input: object): string {
  const lists = Object.entries(input);
  if (!lists.every(([, items]) => Array.isArray(items) && items.every(isObject))) {
    return toJsonText(input);
  }
  const texts = lists.map(([name, items]) => {
    const lines = items.map((item: unknown) => `\n    ${visibleText(JSON.stringify(item))}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${texts.join(",\n")}\n}\n`;
}

const isObject = (item: unknown): boolean => typeof item === "object" && item !== null;

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
    const [flag, { marks } = {}] =
      Object.entries(text.files ?? {}).find(([, { does }]) => does === "read") ?? [];
    if (!(error instanceof UsageError) || flag === undefined) throw error;
    const existing: string[] = [];
    for (const file of files) if (await givesInputs(tool, file, marks, io)) existing.push(file);
    if (existing.length === 0) throw error;
    throw new UsageError(
      existing.map((file) => {
        const words = `handtools ${command} ${flagName(flag)} ${posixQuote(file)}${next}`;
        const text = `is not an input; ${flagName(flag)} makes one of it: ${words}`;
        return { place: { file: sourceName(file) }, text };
      }),
    );
  }
}

/** True if an existing file gives inputs. One with the fields of an input is an invalid input. */
async function givesInputs(
  { contract, readProduct }: Tool,
  file: string,
  marks: readonly string[] | undefined,
  io: Io,
): Promise<boolean> {
  const [{ parse }, { fieldsOf }] = await Promise.all([
    import("jsonc-parser"),
    import("../../src/json-schema.ts"),
  ]);
  try {
    const text = await readText(file, io);
    const keys = Object.keys(parse(text) ?? {});
    if (marks?.every((mark) => keys.includes(mark))) return true;
    const isInput = fieldsOf(contract.input).some(({ name }) => keys.includes(name));
    const existing = isInput ? undefined : await readProduct?.(text, 1);
    return existing !== undefined && existing.inputs.length > 0;
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof CliError) return false;
    // The parsers are recursive; files of a tool's format are never nested that deeply.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
