import type { Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import type { Finding } from "../../src/findings.ts";
import {
  formatPath,
  InvalidInputError,
  type Path,
  type Problem,
  replaceFieldNames,
} from "../../src/issues.ts";
import { findDuplicateKey, removeMergeReport, removeSchemaKey } from "../../src/parse-json.ts";
import { isZip, posixQuote } from "../../src/text.ts";
import { joinMessage, type LocatedProblem, UsageError } from "../cli-error.ts";
import { readText, sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { formatCommandName, suggestDoubleDash } from "../options.ts";
import type { Diagnostic } from "../output.ts";

/** A tool's input, with the user's names for its parts. */
export interface LocatedInput {
  readonly value: unknown;
  /** Finds where the user wrote a part of the input. */
  origin(path: Path): SourceLocation;
  /** Replaces field names in a message with the user's names. */
  reword(message: string): string;
}

/** The flags of a tool's input. */
export interface InputFlags {
  readonly options: readonly Option[];
  /** Lists the flags that the user gave, with the paths of their values in the input. */
  listUsedFlags(command: Command): readonly { readonly path: Path; readonly flag: string }[];
  /** Creates the input from flags alone. */
  toInput(command: Command): LocatedInput;
}

export interface InputSources {
  readonly command: Command;
  readonly files: readonly string[];
  /** Undefined without flags, whose code then does not load. */
  readonly flags: InputFlags | undefined;
}

export interface InputFormat {
  readonly contract: Contract;
  /** The list in which to join several files. */
  readonly list: string;
  /** Keys that identify a JSON file for the subcommand `read`. */
  readonly recognisedBy?: readonly string[];
  /** Whether the subcommand `read` accepts a file that is not JSON. The default is yes. */
  readonly canRead?: (text: string) => boolean;
  /** Creates an input from a file that is not JSON. By default such a file is for `read`. */
  readonly readOther?: (text: string, source: string) => Promise<object>;
  /** The fields that flags may set beside files. */
  readonly besideFiles?: readonly string[];
}

/**
 * Reads the input from files or flags. "-" is standard input.
 *
 * @throws {UsageError} for both, for neither, and for files that are not inputs.
 */
export async function readInput(
  { command, files, flags }: InputSources,
  format: InputFormat,
  io: Io,
): Promise<LocatedInput> {
  const [first] = files;
  if (first === undefined) return inputFromFlags(command, flags);
  const disallowed = flags
    ?.listUsedFlags(command)
    .find(({ path }) => !format.besideFiles?.includes(formatPath(path)));
  if (disallowed) throw flagWithFileError(disallowed.flag, first, command);
  const inputs: InputFile[] = [];
  for (const file of files) inputs.push(await readInputFile(file, format, io));
  const [only, ...others] = inputs;
  return only && others.length === 0 ? fileInput(only) : mergeInputs(inputs, format.list);
}

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
    const expected = `must be an input in JSON, such as handtools example ${contract.command} prints`;
    throw new UsageError([{ location: { file: source }, text: expected }]);
  }
  const advice = `try handtools ${contract.command} read ${posixQuote(file)}`;
  throw new UsageError([{ location: { file: source }, text: `is not an input; ${advice}` }]);
}

/** @throws {UsageError} without flags. */
export function inputFromFlags(command: Command, flags: InputFlags | undefined): LocatedInput {
  if (flags && flags.listUsedFlags(command).length > 0) return flags.toInput(command);
  const help = `${formatCommandName(command)} --help`;
  throw new UsageError([`give a FILE, - for standard input, or flags; see ${help}`]);
}

/** A word beside flags is usually part of an unquoted value, not a file. */
export function flagWithFileError(flag: string, file: string, command: Command): UsageError {
  const source = file === "-" ? "standard input" : `the file ${file}`;
  const problem = `${flag} cannot be combined with ${source}: put everything there, or use only flags`;
  if (file === "-") return new UsageError([problem]);
  const advice = suggestDoubleDash(command) ?? "put a value of several words in quotes";
  return new UsageError([`${problem}; ${advice}`]);
}

export const fileInput = (file: InputFile): LocatedInput => ({
  ...inputWithoutLocations(file.value),
  origin: (path) => ({ file, path }),
});

/** For an input that the user did not write. */
export const inputWithoutLocations = (value: unknown): LocatedInput => ({
  value,
  origin: (path) => ({ path }),
  reword: (message) => replaceFieldNames(message),
});

/**
 * Joins the lists of several inputs. Other fields must be equal in every file that has them.
 *
 * @throws {UsageError} for a file without the list, and for different fields.
 */
function mergeInputs(files: readonly InputFile[], list: string): LocatedInput {
  const items: { readonly file: InputFile; readonly index: number; readonly value: unknown }[] = [];
  const others = new Map<string, { readonly file: InputFile; readonly value: unknown }>();
  for (const file of files) {
    const { [list]: fileItems, ...rest } = Object(file.value);
    const location = { file: file.source };
    if (!Array.isArray(fileItems)) {
      throw new UsageError([{ location, path: list, text: "must be an array" }]);
    }
    items.push(...fileItems.map((value, index) => ({ file, index, value })));
    for (const [path, value] of Object.entries(rest)) {
      const earlier = others.get(path) ?? { file, value };
      others.set(path, earlier);
      if (JSON.stringify(earlier.value) === JSON.stringify(value)) continue;
      const text = `must be the same as in ${earlier.file.source}`;
      throw new UsageError([{ location, path, text }]);
    }
  }
  const origin = (path: Path): SourceLocation => {
    const [field, index, ...rest] = path;
    const item = field === list ? items[Number(index)] : undefined;
    if (item) return { file: item.file, path: [list, item.index, ...rest] };
    return { file: others.get(String(field))?.file, path };
  };
  const value = Object.fromEntries([
    ...Array.from(others, ([key, { value }]) => [key, value]),
    [list, items.map(({ value }) => value)],
  ]);
  const reword = (message: string) =>
    replaceFieldNames(message, (field, index) => {
      const { file, path } = origin(index === undefined ? [field] : [field, index]);
      return joinMessage(file?.source ?? "", formatPath(path));
    });
  return { value, origin, reword };
}

/**
 * Runs work that may reject the input.
 *
 * @throws {UsageError} with the location of each issue.
 */
export async function withLocations<Value>(
  input: LocatedInput,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.problems.map((problem) => addLocation(input, problem));
    throw new UsageError(await Promise.all(problems));
  }
}

/** Loads the code for positions only if it is needed. */
async function addLocation(input: LocatedInput, problem: Problem): Promise<LocatedProblem> {
  const { flag, path, file } = input.origin(problem.path);
  const text = input.reword(problem.message);
  if (!file) return { path: flag ?? formatPath(path), text };
  const position =
    file.text !== undefined && (await import("./parse-jsonc.ts")).findPosition(file.text, path);
  return { path: formatPath(path), text, location: { file: file.source, ...position } };
}

/** Adds the location in the user's files or flags to warnings. */
export const toDiagnostics = (
  warnings: readonly (Problem & Pick<Finding, "severity"> & Partial<Pick<Finding, "code">>)[],
  input: LocatedInput,
): Promise<readonly Diagnostic[]> =>
  Promise.all(
    warnings.map(async ({ code, severity, ...problem }) => {
      const located = await addLocation(input, problem);
      // A warning about the whole input needs no path.
      return { ...located, ...(problem.path.length === 0 && { path: "" }), severity, code };
    }),
  );

/** A file with an input. Locations have a line and a column if it has the text, of JSON. */
interface InputFile {
  readonly source: string;
  readonly text?: string;
  readonly value: unknown;
}

type JsonFile = InputFile & { readonly text: string };

interface SourceLocation {
  /** The path in the file. */
  readonly path: Path;
  readonly file?: InputFile | undefined;
  /** The flag that set the value, if there is no file. */
  readonly flag?: string;
}

/**
 * Reads a JSON file, or standard input for "-", without `$schema` and the report of `merge --json`.
 *
 * @throws {UsageError} if it is not UTF-8 or not JSON.
 */
export async function readJsonFile(file: string, io: Io): Promise<JsonFile> {
  return parseJsonFile(sourceName(file), await readText(file, io));
}

export async function parseJsonFile(source: string, text: string): Promise<JsonFile> {
  if (isZip(text)) {
    throw new UsageError([
      { location: { file: source }, text: "is a ZIP archive; unpack it first" },
    ]);
  }
  const plain = parsePlainJson(text);
  const value = plain ? plain.value : (await import("./parse-jsonc.ts")).parseJsonc(text, source);
  return { source, text, value: removeMergeReport(removeSchemaKey(value)) };
}

/**
 * Parses plain JSON. Returns undefined for comments, trailing commas, duplicate keys and errors, whose
 * parser takes longer to load.
 */
function parsePlainJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return findDuplicateKey(text) ? undefined : { value };
  } catch {
    return undefined;
  }
}
