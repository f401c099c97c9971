import type { Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import { withNames } from "../../src/issues.ts";
import { type Field, fieldsOf } from "../../src/json-schema.ts";
import { posixQuote } from "../../src/text.ts";
import type { Io } from "../io.ts";
import { isGiven } from "../options.ts";
import { type GivenFlags, type Input, restOfPath } from "./input.ts";
import {
  commandLineAdvice,
  exampleLines,
  flagValue,
  type InputFlag,
  inputFlags,
} from "./input-flags.ts";

/** The flags for the fields of a tool's input, as a part of a command. */
interface FlagInput {
  readonly options: readonly Option[];
  /** Command lines that run the tool on its own example. */
  readonly examples: readonly string[];
  given(command: Command, io: Io): GivenFlags;
}

export function flagInput(contract: Contract): FlagInput {
  const fields = fieldsOf(contract.input);
  const flags = inputFlags(fields);
  return {
    options: flags.map(({ option }) => option),
    examples: exampleLines(contract, fields),
    given: (command, io) => ({
      given: flags
        .filter(({ option }) => isGiven(command, option))
        .map((flag) => ({
          path: flag.path,
          flag: String(flag.option.long),
          value: () => flagValue(command, flag, io),
        })),
      advice: commandLineAdvice(command) ?? "put a value of several words in quotes",
      toInput: () => fromFlags(command, fields, flags, io),
    }),
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
    if (rest !== undefined) return wordOf(flag, rest, givenOf(flag));
  }
  const holdsFlags = flags.some(({ path: start }) => restOfPath(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}

function wordOf({ field, option }: InputFlag, rest: string, value: unknown): string {
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

const flagOf = (name: string, flags: readonly InputFlag[]): string | undefined =>
  flags.find(({ field }) => field.name === name)?.option.long;
