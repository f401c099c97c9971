import { InvalidInputError } from "../../src/issues.ts";
import { fieldsOf } from "../../src/json-schema.ts";
import { posixQuote, visibleLog } from "../../src/text.ts";
import type {
  Comparison,
  ExistingProduct,
  GivenNumbers,
  GivenSource,
  Tool,
} from "../../src/tool.ts";
import { CliError, DifferenceFound, UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { type Message, requireNoWarnings, writeMessages } from "../messages/message.ts";
import { flagName } from "../options.ts";
import { toJsonText, writeDifferences } from "../output.ts";
import type { GivenFile } from "../tool-options.ts";
import { type GivenSetting, inputIn, namingPlaces, readJson, warningMessages } from "./input.ts";

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
  const { readProduct } = tool;
  const text = await readText(file, io);
  const name = sourceName(file);
  return namingPlaces(inputIn({ source: name, value: text }), undefined, () =>
    readProduct(text, partNumber, numbers, source),
  );
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
  given: GivenSource,
  io: Io,
): Promise<string> {
  const source = sourceName(existing.file);
  const { inputs, warnings } = await readExisting(tool, existing, io, numbers, given);
  await writeMessages(io, await warningMessages(warnings, inputIn({ source, value: inputs })));
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
    const lines = items.map((item: unknown) => `\n    ${visibleLog(JSON.stringify(item))}`);
    return `  ${JSON.stringify(name)}: [${lines.join(",")}${lines.length > 0 ? "\n  " : ""}]`;
  });
  return `{\n${texts.join(",\n")}\n}\n`;
}

const isObject = (item: unknown): boolean => typeof item === "object" && item !== null;

/**
 * The error of a run on input files. For one that is an existing file of the tool's format, it names
 * the flag that reads it, unless the tool takes such a file as its input.
 */
export async function namingReadFlag(
  error: unknown,
  tool: Tool,
  files: readonly string[],
  io: Io,
): Promise<unknown> {
  const { command, text } = tool.contract;
  const [flag, { marks } = {}] =
    Object.entries(text.files ?? {}).find(([, { does }]) => does === "read") ?? [];
  if (!(error instanceof UsageError) || flag === undefined || tool.readSource) return error;
  const existing: string[] = [];
  for (const file of files) if (await givesInputs(tool, file, marks, io)) existing.push(file);
  if (existing.length === 0) return error;
  return new UsageError(
    existing.map((file) => {
      const words = `handtools ${command} ${flagName(flag)} ${posixQuote(file)}`;
      const text = `is not an input; ${flagName(flag)} makes one of it: ${words}`;
      return { place: { file: sourceName(file) }, text };
    }),
  );
}

/** True if an existing file gives inputs. One with the fields of an input is an invalid input. */
async function givesInputs(
  { contract, readProduct }: Tool,
  file: string,
  marks: readonly string[] | undefined,
  io: Io,
): Promise<boolean> {
  const { parse } = await import("jsonc-parser");
  try {
    const text = await readText(file, io);
    const keys = Object.keys(parse(text) ?? {});
    if (marks?.every((mark) => keys.includes(mark))) return true;
    const isInput = fieldsOf(contract.input).some(({ name }) => keys.includes(name));
    const existing = isInput ? undefined : await readProduct?.(text);
    return existing !== undefined && existing.inputs.length > 0;
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof CliError) return false;
    // The parsers are recursive; files of a tool's format are never nested that deeply.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** @throws {DifferenceFound} when there is a difference, as `diff` ends with code 1. */
export async function printDifferences(
  { file }: GivenFile,
  { differences, summary }: Comparison,
  whole: boolean,
  io: Io,
): Promise<void> {
  requireNoWarnings(io);
  if (whole) await io.writeOut(toJsonText({ summary, differences: differences.map(toChange) }));
  else await writeDifferences(differences, io);
  if (differences.length === 0) return;
  throw new DifferenceFound([{ place: { file: sourceName(file) }, text: summary }]);
}

const toChange = (line: string): object => ({
  change: CHANGES[line.charAt(0)] ?? "unknown",
  text: line.slice(2),
});

/** The kinds of changes, by their marks in the text. */
const CHANGES: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };

export const comparisonMessages = (
  { file }: GivenFile,
  { differences, summary, isEmpty }: Comparison,
): readonly Message[] => {
  const numbers = isEmpty ? `${summary}; nothing is written` : summary;
  const place = { file: sourceName(file) };
  return [
    { severity: "info", place, text: numbers },
    ...differences.map((text) => ({ severity: "info", text }) as const),
  ];
};
