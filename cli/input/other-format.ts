import { visibleLog } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages.ts";
import type { CommonFlags } from "../options.ts";
import { deliver, toJsonText } from "../output.ts";
import { fileInput, namingPlaces, type Reader, warningMessages } from "./input.ts";

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
  flags: CommonFlags,
  io: Io,
  isSecret = false,
): Promise<void> {
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
  await deliver({ text, isSecret }, flags, io);
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
