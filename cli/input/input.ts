import type { Command } from "commander";
import type { Warning } from "../../schemas/index.ts";
import { InvalidInputError, withNames } from "../../src/issues.ts";
import type { Field } from "../../src/json-schema.ts";
import { posixQuote } from "../../src/text.ts";
import { CliError, UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import type { Message } from "../messages/message.ts";
import type { Problem } from "../messages/problem.ts";
import { messageLine } from "../messages/problem.ts";
import { isGiven } from "../options.ts";
import { type GivenSetting, type JsonFile, type Origin, readJson } from "./files.ts";
import { commandLineAdvice, flagValue, type InputFlag } from "./input-flags.ts";

/** A tool's input, and how to name its parts to the user. */
export interface Input {
  readonly value: unknown;
  /** Fields that are given as flags beside the file, and the error for a file that allows none. */
  readonly overrides?: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly error: UsageError;
  };
  /** The place where the user wrote a part of the input, by its path. */
  origin(path: string): Origin;
  /** A message about the input, with the user's names for its parts. */
  reword(message: string): string;
}

/** The ways to give an input. */
export interface InputSources {
  readonly files: readonly string[];
  readonly fields: readonly Field[];
  readonly flags: readonly InputFlag[];
  /** The list of the input that several files fill together. */
  readonly list?: string | undefined;
  /** The fields that may be given as flags beside a file. */
  readonly overridable?: readonly string[] | undefined;
}

/**
 * The input from files, of which one may be standard input ("-"), or from flags.
 *
 * @throws {UsageError} for files and flags, for neither, and for files that are not inputs.
 */
export async function readInput(
  command: Command,
  { files, fields, flags, list, overridable = [] }: InputSources,
  io: Io,
): Promise<Input> {
  const [first, ...others] = files;
  const allGiven = flags.filter(({ option }) => isGiven(command, option));
  const isOverride = ({ path }: InputFlag) => first !== undefined && overridable.includes(path);
  const [given] = allGiven.filter((flag) => !isOverride(flag));
  if (first === undefined) {
    if (given) return fromFlags(command, fields, flags, io);
    const help = `handtools ${command.name()} --help`;
    throw new UsageError([`give a FILE, - for standard input, or flags; see ${help}`]);
  }
  if (given) throw besideFile(given, first, command);
  if (list !== undefined && others.length > 0) {
    const { mergeInputs } = await import("./merge-inputs.ts");
    const inputs: JsonFile[] = [];
    for (const file of files) inputs.push(await readInputFile(file, io));
    return mergeInputs(inputs, list);
  }
  const [override] = allGiven;
  const overrides = override && {
    fields: Object.fromEntries(allGiven.map((flag) => [flag.path, flagValue(command, flag, io)])),
    error: besideFile(override, first, command),
  };
  const file = await readInputFile(first, io).catch((error) => {
    throw error instanceof CliError ? (overrides?.error ?? error) : error;
  });
  return {
    value: file.value,
    ...(overrides && { overrides }),
    origin: (path) => ({ file, path }),
    reword: (message) => withNames(message),
  };
}

/** An input in a file. In the output of `--merge --json` it is beside a report. */
async function readInputFile(name: string, io: Io): Promise<JsonFile> {
  const file = await readJson(name, io);
  const { merged, dropped, ...value } = Object(file.value);
  return Array.isArray(merged) && Array.isArray(dropped) ? { ...file, value } : file;
}

/** A stray word beside flags is usually part of an unquoted value, not a file. */
function besideFile({ option }: InputFlag, file: string, command: Command): UsageError {
  const place = file === "-" ? sourceName(file) : `the FILE ${file}`;
  const advice = commandLineAdvice(command) ?? "put a value of several words in quotes";
  const problem = `give it in ${place}, or all as flags${file === "-" ? "" : `; ${advice}`}`;
  return new UsageError([messageLine(String(option.long), problem)]);
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
  const given = (flag: InputFlag) => values.get(flag.field);
  return {
    value: toObject(fields, values),
    origin: (path) => ({ path: toFlag(path, flags, given) }),
    reword: (message) => withNames(message, (name) => flagOf(name, flags)),
  };
}

function toObject(fields: readonly Field[], values: ReadonlyMap<Field, unknown>): unknown {
  const entries = fields.map((field) => [
    field.name,
    field.kind === "items" ? [toObject(field.fields, values)] : values.get(field),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * `2nd --from` for `filters[0].from[1]`, `--env KEY` for `env.KEY`; "the input" for a path that
 * several flags describe.
 *
 * @param givenOf the value that was made of a flag.
 */
function toFlag(
  path: string,
  flags: readonly InputFlag[],
  givenOf: (flag: InputFlag) => unknown,
): string {
  for (const flag of flags) {
    const rest = restOfPath(path, flag.path);
    if (rest !== undefined) return nameOf(flag, rest, givenOf(flag));
  }
  const holdsFlags = flags.some(({ path: start }) => restOfPath(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}

function nameOf({ field, option }: InputFlag, rest: string, value: unknown): string {
  const [, index, name, text] = REST.exec(rest) ?? [];
  if (index !== undefined && field.kind === "texts") {
    const isOnly = index === "0" && Array.isArray(value) && value.length === 1;
    return isOnly ? `${option.long}` : `${ordinal(Number(index) + 1)} ${option.long}`;
  }
  const key = name ?? (text === undefined ? undefined : String(JSON.parse(text)));
  return key === undefined ? `${option.long}${rest}` : `${option.long} ${posixQuote(key)}`;
}

/** Matches an index, a name, or a name in quotes. */
const REST = /^(?:\[(\d+)\]|\.([\w$]+)|\[(".*")\])$/s;

function ordinal(count: number): string {
  const isTeen = count % 100 > 10 && count % 100 < 14;
  return `${count}${isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th")}`;
}

/** The part of a path after its start: `[1]` for `from[1]` and `from`; undefined for other paths. */
function restOfPath(path: string, start: string): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const rest = path.slice(start.length);
  return rest === "" || rest.startsWith(".") || rest.startsWith("[") ? rest : undefined;
}

const flagOf = (name: string, flags: readonly InputFlag[]): string | undefined =>
  flags.find(({ field }) => field.name === name)?.option.long;

/**
 * Runs `work`; its issues name the place where the user wrote the wrong value.
 *
 * @throws {UsageError} with every issue, each with the place where the user gave it.
 */
export async function namingPlaces<Value>(
  input: Input,
  setting: GivenSetting | undefined,
  work: () => Value,
): Promise<Value> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const problems = error.issues.map(async ({ path, message }) => ({
      ...(await placed(originOf(path, input, setting))),
      text: input.reword(message),
    }));
    throw new UsageError(await Promise.all(problems));
  }
}

function originOf(path: string, input: Input, setting?: GivenSetting): Origin {
  const rest = setting && restOfPath(path, setting.name);
  return rest === undefined ? input.origin(path) : { file: setting, path: rest.replace(/^\./, "") };
}

/** The line and the column of an origin, whose code loads only for a message. */
async function placed({ path, file }: Origin): Promise<Pick<Problem, "path" | "place">> {
  if (!file) return { path };
  const { positionIn } = await import("./positions.ts");
  return { path, place: { file: file.source, ...positionIn(file, path) } };
}

/** Warnings about the input, with the places where the user gave what they are about. */
export const warningMessages = (
  warnings: readonly Warning[],
  input: Input,
): Promise<readonly Message[]> =>
  Promise.all(
    warnings.map(async ({ code, severity, path, message }) => ({
      severity,
      // A warning about the whole input needs no path.
      ...(await placed(path === "" ? { path, file: input.origin("").file } : input.origin(path))),
      text: input.reword(message),
      code,
    })),
  );
