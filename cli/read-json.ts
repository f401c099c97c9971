import { UsageFailure } from "./failures.ts";
import type { Io } from "./io.ts";
import { parsePlainJson } from "./plain-json.ts";

/**
 * Reads a JSON file, or standard input for "-".
 *
 * @throws {UsageFailure} when it is not UTF-8 or not JSON.
 */
export async function readJson(file: string, io: Io): Promise<unknown> {
  const bytes = file === "-" ? await io.readInput() : await io.readFile(file);
  const text = decode(bytes, sourceName(file));
  const plain = parsePlainJson(text);
  if (plain) return plain.value;
  const { parseJsonText } = await import("./json-text.ts");
  return parseJsonText(text, sourceName(file));
}

/** What to call the file in messages. */
export const sourceName = (file: string): string => (file === "-" ? "standard input" : file);

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageFailure([`${name}: must be saved as UTF-8`]);
    throw cause;
  }
}
