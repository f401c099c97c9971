import type { Command, Option } from "commander";
import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/fields.ts";
import { findDuplicateKey } from "../src/json-text.ts";
import { UsageError } from "./errors.ts";
import { flagValue, type InputFlag } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { flagName, isGiven, onlyPath, valueOption } from "./options.ts";

/** A tool's input, and how to name its parts to the user. */
export interface Input {
  readonly value: unknown;
  /** The file's name, which stands before a path in errors; flags have none. */
  readonly source?: string;
  /** The user's name for a path of the input: the path in a file, or the flag. */
  place(path: string): string;
}

/**
 * The input from a file, from standard input ("-") or from flags.
 *
 * @throws {UsageError} for a file and flags, for neither, and for a file that is not JSON.
 */
export async function readInput(
  command: Command,
  file: string | undefined,
  fields: readonly Field[],
  flags: readonly InputFlag[],
  io: Io,
): Promise<Input> {
  if (file === "") throw new UsageError(["FILE: must not be empty"]);
  const [given] = flags.filter(({ option }) => isGiven(command, option));
  if (file === undefined && !given) {
    const help = `handtools ${command.name()} --help`;
    throw new UsageError([`give a FILE, - for standard input, or flags; see ${help}`]);
  }
  if (file === undefined) return fromFlags(command, fields, flags, io);
  if (given) {
    throw new UsageError([`${given.option.long}: give it in ${sourceName(file)}, or all as flags`]);
  }
  return { value: await readJson(file, io), source: sourceName(file), place: (path) => path };
}

function fromFlags(
  command: Command,
  fields: readonly Field[],
  flags: readonly InputFlag[],
  io: Io,
): Input {
  const values = new Map<Field, unknown>(
    flags.map((flag) => [flag.field, flagValue(command, flag, io)]),
  );
  return { value: toObject(fields, values), place: (path) => toFlag(path, flags) };
}

function toObject(fields: readonly Field[], values: ReadonlyMap<Field, unknown>): unknown {
  const entries = fields.map((field) => [
    field.name,
    field.kind === "items" ? [toObject(field.fields, values)] : values.get(field),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** `--from[1]` for `filters[0].from[1]`; "the input" for a path that several flags describe. */
function toFlag(path: string, flags: readonly InputFlag[]): string {
  for (const { path: start, option } of flags) {
    const rest = restOfPath(path, start);
    if (rest !== undefined) return `${option.long}${rest}`;
  }
  const holdsFlags = flags.some(({ path: start }) => restOfPath(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}

/** The part of a path after its start: `[1]` for `from[1]` and `from`; undefined for other paths. */
export function restOfPath(path: string, start: string): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const rest = path.slice(start.length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? rest : undefined;
}

/** The flag of a setting, whose value is a JSON file. */
export interface SettingFlag {
  readonly name: string;
  readonly option: Option;
}

export const settingFlags = ({ settings }: Contract): readonly SettingFlag[] =>
  Object.entries(settings).map(([name, { description }]) => ({
    name,
    option: valueOption(`${flagName(name)} <file>`, `${description} (a JSON file)`),
  }));

interface SettingFile {
  readonly name: string;
  readonly file: string;
}

/** A setting that the user gave. */
export interface GivenSetting extends SettingFile {
  readonly value: unknown;
}

/**
 * The files of the given settings.
 *
 * @param input the file of the tool's input.
 * @throws {UsageError} when two of the files are standard input.
 */
export function settingFiles(
  command: Command,
  flags: readonly SettingFlag[],
  input: string | undefined,
): readonly SettingFile[] {
  const files: SettingFile[] = [];
  for (const { name, option } of flags) {
    const file = onlyPath(command, option);
    if (file === undefined) continue;
    if (file === "-" && [input, ...files.map((other) => other.file)].includes("-")) {
      throw new UsageError([`${option.long}: standard input is read already; give a file`]);
    }
    files.push({ name, file });
  }
  return files;
}

/** Reads the files of the settings, one after the other. */
export async function readToolSettings(
  files: readonly SettingFile[],
  io: Io,
): Promise<readonly GivenSetting[]> {
  const given: GivenSetting[] = [];
  for (const { name, file } of files) given.push({ name, file, value: await readJson(file, io) });
  return given;
}

/**
 * Reads a JSON file, or standard input for "-".
 *
 * @throws {UsageError} when it is not UTF-8 or not JSON.
 */
async function readJson(file: string, io: Io): Promise<unknown> {
  const bytes = file === "-" ? await io.readInput() : await io.readFile(file);
  const text = decode(bytes, sourceName(file));
  const plain = parsePlainJson(text);
  if (plain) return plain.value;
  const { parseJsonText } = await import("./jsonc.ts");
  return parseJsonText(text, sourceName(file));
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError([`${name}: must be saved as UTF-8`]);
    throw cause;
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

/** What to call the file in messages. */
export const sourceName = (file: string): string => (file === "-" ? "standard input" : file);
