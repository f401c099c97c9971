import { findDuplicateKey } from "../../src/json-text.ts";
import { UsageError } from "../errors.ts";
import { isStandardInput, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";

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
 * Reads a text file, or standard input for "-".
 *
 * @throws {UsageError} when it is not UTF-8.
 */
export async function readText(file: string, io: Io): Promise<string> {
  const bytes = await io.readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new UsageError([`${sourceName(file)}: must be saved as UTF-8`]);
  }
}

/**
 * Parses JSON without comments and trailing commas, as most files are. The other parser, which
 * takes longer to load, reports where a key stands twice and what is wrong with a text.
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

/** A file that the command line names, with the word that stands for it in messages. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** @throws {UsageError} for an empty path, and when standard input is to be read twice. */
export function requireReadable(files: readonly NamedFile[]): void {
  files.forEach(({ name, file }, index) => {
    if (file === "") throw new UsageError([`${name}: must not be empty`]);
    if (isStandardInput(file) && files.findIndex((other) => isStandardInput(other.file)) < index) {
      throw new UsageError([`${name}: standard input is already used; give a file`]);
    }
  });
}
