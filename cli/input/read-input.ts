import type { Command, Option } from "commander";
import type { Contract, Warning } from "../../schemas/index.ts";
import { InvalidInputError, replaceFieldNames } from "../../src/issues.ts";
import { findDuplicateKey, removeMergeReport, removeSchemaKey } from "../../src/parse-json.ts";
import { isZip, posixQuote } from "../../src/text.ts";
import { joinMessage, type LocatedProblem, UsageError } from "../cli-error.ts";
import { readText, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { formatCommandName, suggestDoubleDash } from "../options.ts";
import type { Diagnostic } from "../output.ts";

/** A tool's input, and how to name its parts to the user. */
export interface LocatedInput {
  readonly value: unknown;
  /** The place where the user wrote a part of the input, by its path. */
  origin(path: string): SourceLocation;
  /** A message about the input, with the user's names for its parts. */
  reword(message: string): string;
}

/** The flags of a tool's input. */
export interface InputFlags {
  readonly options: readonly Option[];
  /** The flags that the user gave to a command, each with the path of its value in the input. */
  given(command: Command): readonly { readonly path: string; readonly flag: string }[];
  /** The input that they give without a file. */
  toInput(command: Command): LocatedInput;
}

/** The ways to give an input. */
export interface InputSources {
  readonly command: Command;
  readonly files: readonly string[];
  /** Undefined for a command line without any: their code stays unloaded. */
  readonly flags: InputFlags | undefined;
}

/** What a tool reads: its input. */
export interface InputFormat {
  readonly contract: Contract;
  /** The list of the input that several files fill together. */
  readonly list: string;
  /** Keys that only a JSON file has which the mode `read` takes, if it shares others with an input. */
  readonly recognisedBy?: readonly string[];
  /** Whether the mode `read` accepts a file that is not JSON. The default is yes. */
  readonly canRead?: (text: string) => boolean;
  /** Makes an input of a file that is no JSON. By default such a file is for the mode `read`. */
  readonly readOther?: (text: string, source: string) => Promise<object>;
  /** The fields that flags may give beside files, which may not have them. */
  readonly besideFiles?: readonly string[];
}

/**
 * Reads the input from files, or from flags. One of the files may be standard input ("-").
 *
 * @throws {UsageError} for files and flags, for neither, and for files that are not inputs.
 */
export async function readInput(
  { command, files, flags }: InputSources,
  format: InputFormat,
  io: Io,
): Promise<LocatedInput> {
  const [first] = files;
  if (first === undefined) return inputFromFlags(command, flags);
  const stray = flags?.given(command).find(({ path }) => !format.besideFiles?.includes(path));
  if (stray) throw flagWithFileError(stray.flag, first, command);
  const inputs: InputFile[] = [];
  for (const file of files) inputs.push(await readInputFile(file, format, io));
  const [only, ...others] = inputs;
  return only && others.length === 0 ? fileInput(only) : mergeInputs(inputs, format.list);
}

/** @throws {UsageError} for a file that is no input. */
async function readInputFile(
  file: string,
  { contract, recognisedBy, canRead, readOther }: InputFormat,
  io: Io,
): Promise<InputFile> {
  const source = sourceName(file);
  const text = await readText(file, io);
  const isOther = /^\s*[^\s[{/]/.test(text) && !isZip(text);
  if (isOther && readOther) return { source, value: await readOther(text, source) };
  if (!isOther) {
    const input = await parseJsonFile(source, text);
    const keys = Object.keys(Object(input.value));
    if (!recognisedBy?.every((key) => keys.includes(key))) return input;
  }
  if (isOther && canRead?.(text) === false) {
    const expected = `must be an input in JSON, as handtools example ${contract.command} prints one`;
    throw new UsageError([{ place: { file: source }, text: expected }]);
  }
  const advice = `try handtools ${contract.command} read ${posixQuote(file)}`;
  throw new UsageError([{ place: { file: source }, text: `is not an input; ${advice}` }]);
}

/** @throws {UsageError} for a command without a file and without flags. */
export function inputFromFlags(command: Command, flags: InputFlags | undefined): LocatedInput {
  if (flags && flags.given(command).length > 0) return flags.toInput(command);
  const help = `${formatCommandName(command)} --help`;
  throw new UsageError([`give a FILE, - for standard input, or flags; see ${help}`]);
}

/** A stray word beside flags is usually part of an unquoted value, not a file. */
export function flagWithFileError(flag: string, file: string, command: Command): UsageError {
  if (file === "-") return new UsageError([`${flag}: give it in standard input, or all as flags`]);
  const advice = suggestDoubleDash(command) ?? "put a value of several words in quotes";
  return new UsageError([`${flag}: give it in the FILE ${file}, or all as flags; ${advice}`]);
}

/** An input that is alone in a file. */
export const fileInput = (file: InputFile): LocatedInput => ({
  ...inputWithoutLocations(file.value),
  origin: (path) => ({ file, path }),
});

/** An input that the user did not write, so that its parts have no places. */
export const inputWithoutLocations = (value: unknown): LocatedInput => ({
  value,
  origin: (path) => ({ path }),
  reword: (message) => replaceFieldNames(message),
});

/**
 * One input from the inputs of several files: their lists one after the other. Other fields
 * must be equal in every file that has them.
 *
 * @param list the name of the list.
 * @throws {UsageError} for a file without the list, and for files that disagree.
 */
function mergeInputs(files: readonly InputFile[], list: string): LocatedInput {
  const items: { readonly file: InputFile; readonly index: number; readonly value: unknown }[] = [];
  const others = new Map<string, { readonly file: InputFile; readonly value: unknown }>();
  for (const file of files) {
    const { [list]: own, ...rest } = Object(file.value);
    const place = { file: file.source };
    if (!Array.isArray(own)) {
      throw new UsageError([{ place, path: list, text: "must be an array" }]);
    }
    items.push(...own.map((value, index) => ({ file, index, value })));
    for (const [path, value] of Object.entries(rest)) {
      const earlier = others.get(path) ?? { file, value };
      others.set(path, earlier);
      if (JSON.stringify(earlier.value) === JSON.stringify(value)) continue;
      const text = `must be the same as in ${earlier.file.source}`;
      throw new UsageError([{ place, path, text }]);
    }
  }
  const origin = (path: string): SourceLocation => {
    const [, index, rest = ""] = new RegExp(`^${list}\\[(\\d+)\\](.*)$`, "s").exec(path) ?? [];
    const item = items[Number(index)];
    if (item) return { file: item.file, path: `${list}[${item.index}]${rest}` };
    return { file: others.get(/^[^.[]*/.exec(path)?.[0] ?? "")?.file, path };
  };
  const value = Object.fromEntries([
    ...Array.from(others, ([key, { value }]) => [key, value]),
    [list, items.map(({ value }) => value)],
  ]);
  const reword = (message: string) =>
    replaceFieldNames(message, (name) => {
      const { file, path } = origin(name);
      return joinMessage(file?.source ?? "", path);
    });
  return { value, origin, reword };
}

/**
 * Runs work that may reject the input.
 *
 * @throws {UsageError} with every issue, each with the place where the user gave it.
 */
export async function withLocations<Value>(
  input: LocatedInput,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.issues.map(({ path, message }) => addLocation(input, path, message));
    throw new UsageError(await Promise.all(problems));
  }
}

/** A message with its place, of which the code loads only for one. */
async function addLocation(
  input: LocatedInput,
  inputPath: string,
  message: string,
): Promise<LocatedProblem> {
  const { path, file } = input.origin(inputPath);
  const text = input.reword(message);
  if (!file) return { path, text };
  const position =
    file.text !== undefined && (await import("./parse-jsonc.ts")).findPosition(file.text, path);
  return { path, text, place: { file: file.source, ...position } };
}

/** Warnings as messages, each with its place in the user's files or flags. */
export const toDiagnostics = (
  warnings: readonly (Omit<Warning, "code"> & { readonly code?: string })[],
  input: LocatedInput,
): Promise<readonly Diagnostic[]> =>
  Promise.all(
    warnings.map(async ({ code, severity, path, message }) => {
      const problem = await addLocation(input, path, message);
      // A warning about the whole input needs no path.
      return { ...problem, ...(path === "" && { path }), severity, code };
    }),
  );

/** A file that holds an input. Places in it have a line and a column when its text, JSON, is known. */
interface SourceFile {
  readonly source: string;
  readonly text?: string;
}

interface InputFile extends SourceFile {
  readonly value: unknown;
}

export interface JsonFile extends InputFile {
  readonly text: string;
}

/** A part of an input: its name for the user, and the file that it is in. */
interface SourceLocation {
  /** A path in the file, or a flag. */
  readonly path: string;
  readonly file?: SourceFile | undefined;
}

/**
 * Reads a JSON file, or standard input for "-". The `$schema` of an object is for editors, and is
 * left out; so is the report of `merge --json`.
 *
 * @throws {UsageError} when it is not UTF-8 or not JSON.
 */
export async function readJsonFile(file: string, io: Io): Promise<JsonFile> {
  return parseJsonFile(sourceName(file), await readText(file, io));
}

export async function parseJsonFile(source: string, text: string): Promise<JsonFile> {
  if (isZip(text)) {
    throw new UsageError([{ place: { file: source }, text: "is a ZIP archive; unpack it first" }]);
  }
  const plain = parsePlainJson(text);
  const value = plain
    ? plain.value
    : (await import("./parse-jsonc.ts")).parseJsonText(text, source);
  return { source, text, value: removeMergeReport(removeSchemaKey(value)) };
}

/**
 * Parses JSON as most files are; undefined for comments, trailing commas, repeated keys and errors. The
 * parser that knows these takes longer to load.
 */
function parsePlainJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return findDuplicateKey(text) ? undefined : { value };
  } catch {
    return undefined;
  }
}
