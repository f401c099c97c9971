import type { Command } from "commander";
import type { Warning } from "../../schemas/index.ts";
import { InvalidInputError, withNames } from "../../src/issues.ts";
import type { Field } from "../../src/json-schema.ts";
import { posixQuote } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { isGiven } from "../options.ts";
import { type Message, messageLine } from "../output.ts";
import { type GivenSetting, readJson } from "./files.ts";
import { commandLineAdvice, flagValue, type InputFlag } from "./input-flags.ts";

/** A tool's input, and how to name its parts to the user. */
export interface Input {
  readonly value: unknown;
  /** The only file, whose name comes before a path in errors. */
  readonly source?: string;
  /** How to show a path to the user: as it is for a file, as a flag for flags. */
  place(path: string): string;
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
}

/**
 * The input from files, of which one may be standard input ("-"), or from flags.
 *
 * @throws {UsageError} for files and flags, for neither, and for files that are no input.
 */
export async function readInput(
  command: Command,
  { files, fields, flags, list }: InputSources,
  io: Io,
): Promise<Input> {
  const [first, ...others] = files;
  const [given] = flags.filter(({ option }) => isGiven(command, option));
  if (first === undefined) {
    if (given) return fromFlags(command, fields, flags, io);
    const help = `handtools ${command.name()} --help`;
    throw new UsageError([`give a FILE, - for standard input, or flags; see ${help}`]);
  }
  if (given) {
    // A stray word beside flags is usually part of an unquoted value, not a file.
    const place = first === "-" ? sourceName(first) : `the FILE ${first}`;
    const advice = commandLineAdvice(command) ?? "put a value of several words in quotes";
    const problem = `give it in ${place}, or all as flags${first === "-" ? "" : `; ${advice}`}`;
    throw new UsageError([messageLine(String(given.option.long), problem)]);
  }
  if (list !== undefined && others.length > 0) {
    const { mergeInputs } = await import("./merge-inputs.ts");
    const values: { source: string; value: unknown }[] = [];
    for (const file of files) {
      values.push({ source: sourceName(file), value: await readJson(file, io) });
    }
    return mergeInputs(values, list);
  }
  return {
    value: await readJson(first, io),
    source: sourceName(first),
    place: (path) => path,
    reword: (message) => withNames(message),
  };
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
    place: (path) => toFlag(path, flags, given),
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

/** An index, a name, or a name in quotes. */
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
export function namingPlaces<Value>(
  input: Input,
  setting: GivenSetting | undefined,
  work: () => Value,
): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) =>
        messageLine(...locate(path, input, setting), input.reword(message)),
      ),
    );
  }
}

/** The file, if there is one, and the place in it that a path means. */
function locate(path: string, input: Input, setting?: GivenSetting): readonly string[] {
  const rest = setting && restOfPath(path, setting.name);
  if (setting && rest !== undefined) return [sourceName(setting.file), rest.replace(/^\./, "")];
  return [input.source ?? "", input.place(path)];
}

/** Warnings about the input, with the places where the user gave what they are about. */
export const warningMessages = (warnings: readonly Warning[], input: Input): readonly Message[] =>
  warnings.map(({ code, severity, path, message }) => ({
    severity,
    // A warning about the whole input has no path and says itself what it is about.
    text: messageLine(path === "" ? "" : input.place(path), input.reword(message)),
    code,
  }));
