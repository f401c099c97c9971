import type { Contract, Warning } from "../../schemas/index.ts";
import { InvalidInputError } from "../../src/issues.ts";
import { listFields } from "../../src/json-schema.ts";
import { posixQuote, visibleLog } from "../../src/text.ts";
import { CliError, UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { type Destination, deliver, toJsonText } from "../output.ts";
import { fileInput, type InputSources, namingPlaces, warningMessages } from "./input.ts";

/** Reads the files that a command takes with `--read`, such as those of another program. */
export interface Reader {
  /** @throws {InvalidInputError} for a text of another format; paths are places in the text. */
  readonly read: (text: string) => Promise<ReadInputs>;
  /** Keys that only such a JSON file has, if it shares others with an input. */
  readonly recognisedBy?: readonly string[];
}

interface ReadInputs {
  /** The inputs that give the file again. */
  readonly inputs: readonly object[];
  /** Parts that no input can express, and surprises; paths are places in the file. */
  readonly warnings: readonly Warning[];
}

/** A run with `--read`: its FILEs, of which there must be none, and where its product goes. */
interface ReadRun {
  readonly sources: Pick<InputSources, "files">;
  readonly destination: Destination;
}

/**
 * Reads a file of another format than an input's.
 *
 * @throws {UsageError} for a file of yet another format.
 */
export async function readBy<Value>(
  file: string,
  read: (text: string) => Promise<Value>,
  io: Io,
): Promise<Value> {
  const text = await readText(file, io);
  return namingPlaces(fileInput({ source: sourceName(file), value: text }), () => read(text));
}

/**
 * Prints the inputs that a file gives, as JSON: one alone, several as a list.
 *
 * @throws {UsageError} for a file of another format, and for one that gives no input.
 */
export async function printInputs(
  file: string,
  read: Reader["read"],
  run: ReadRun,
  io: Io,
  isSecret = false,
): Promise<void> {
  requireNoFile(run);
  const source = sourceName(file);
  const { inputs, warnings } = await readBy(file, read, io);
  await writeMessages(io, await warningMessages(warnings, fileInput({ source, value: inputs })));
  const [only, ...others] = inputs;
  const place = { file: source };
  if (only === undefined) throw new UsageError([{ place, text: "has nothing to read" }]);
  if (others.length > 0) {
    const text = `holds ${inputs.length} inputs, printed as a list; pass one at a time`;
    await writeMessages(io, [{ severity: "info", place, text }]);
  }
  const text = others.length > 0 ? toJsonText(inputs) : inputText(only);
  await deliver({ text, isSecret }, run.destination, io);
}

/** @throws {UsageError} for a FILE beside one that is read. */
export function requireNoFile({ sources }: ReadRun): void {
  if (sources.files.length > 0) throw new UsageError(["--read: cannot be used with FILE"]);
}

/** An input as JSON; one of nothing but lists has one line an item. */
export function inputText(input: object): string {
  const lists = Object.entries(input);
  if (!lists.every(([, items]) => Array.isArray(items) && items.every(isObject))) {
    return toJsonText(input);
  }
  const texts = lists.map(([name, items]) => {
    const lines = items.map((item: unknown) => `\n    ${visibleLog(JSON.stringify(item))}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${texts.join(",\n")}\n}\n`;
}

const isObject = (item: unknown): boolean => typeof item === "object" && item !== null;

/** The error for input files; for files that `--read` takes, one that says so. */
export async function namingReadFlag(
  error: UsageError,
  { command, input }: Contract,
  reader: Reader,
  files: readonly string[],
  io: Io,
): Promise<UsageError> {
  const found: string[] = [];
  for (const file of files) if (await givesInputs(file, reader, input, io)) found.push(file);
  if (found.length === 0) return error;
  return new UsageError(
    found.map((file) => {
      const flag = `--read ${posixQuote(file)}`;
      // --read excludes other files, but not the other flags.
      const advice =
        files.length === 1
          ? `write ${flag} in its place`
          : `handtools ${command} ${flag} makes one of it`;
      const text = `is not an input; ${advice}`;
      return { place: { file: sourceName(file) }, text };
    }),
  );
}

/** True if the reader makes inputs of a file, which has no field of an input itself. */
async function givesInputs(
  file: string,
  { read, recognisedBy }: Reader,
  input: Contract["input"],
  io: Io,
): Promise<boolean> {
  const { parse } = await import("jsonc-parser");
  try {
    const text = await readText(file, io);
    const keys = Object.keys(parse(text) ?? {});
    if (recognisedBy?.every((key) => keys.includes(key))) return true;
    if (listFields(input).some(({ name }) => keys.includes(name))) return false;
    return (await read(text)).inputs.length > 0;
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof CliError) return false;
    // The parsers are recursive; files of a tool's format are never nested that deeply.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
