import type { Command } from "commander";
import type { Field } from "../src/fields.ts";
import { UsageFailure } from "./failures.ts";
import { flagValue } from "./flag-value.ts";
import type { InputFlag } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { isGiven } from "./option.ts";
import { pathBelow } from "./path-below.ts";
import { readJson, sourceName } from "./read-json.ts";

/** What a tool is to run on, and how to name its parts to the user. */
export interface Input {
  readonly value: unknown;
  /** The file's name, to stand before a path in errors; flags have none. */
  readonly source?: string;
  /** A path of the input in the words in which it was given. */
  place(path: string): string;
}

/**
 * The input from a file, from standard input ("-") or from flags.
 *
 * @throws {UsageFailure} for both, for none, and for what cannot be read as an input.
 */
export async function readInput(
  command: Command,
  file: string | undefined,
  fields: readonly Field[],
  flags: readonly InputFlag[],
  io: Io,
): Promise<Input> {
  if (file === "") throw new UsageFailure(["FILE: must not be empty"]);
  const [given] = flags.filter(({ option }) => isGiven(command, option));
  if (file === undefined && !given) {
    const help = `handtools ${command.name()} --help`;
    throw new UsageFailure([`give a FILE, - for standard input, or flags; see ${help}`]);
  }
  if (file === undefined) return fromFlags(command, fields, flags, io);
  if (given) {
    throw new UsageFailure([
      `${given.option.long}: give it in ${sourceName(file)}, or all as flags`,
    ]);
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

/** `--from[1]` for `filters[0].from[1]`; what holds several flags is the input they describe. */
function toFlag(path: string, flags: readonly InputFlag[]): string {
  for (const { path: start, option } of flags) {
    const rest = pathBelow(path, start);
    if (rest !== undefined) return `${option.long}${rest}`;
  }
  const holdsFlags = flags.some(({ path: start }) => pathBelow(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}
