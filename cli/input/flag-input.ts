import { type Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import { formatPath, type Path, replaceFieldNames, restOfPath } from "../../src/issues.ts";
import { type Field, listFields } from "../../src/json-schema.ts";
import { posixQuote, thousands } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { flagName, listOption, namedValues } from "../options.ts";
import type { Input, InputFlags } from "./input.ts";

/** The flags for the fields of a tool's input, as a part of its commands. */
export function flagInput(contract: Contract): InputFlags {
  const fields = listFields(contract.input);
  const flags = inputFlags(fields);
  return {
    options: flags.map(({ option }) => option),
    examples: exampleLines(contract, fields),
    given: (command, io) =>
      flags
        .filter(({ option }) => givenTo(command, option) !== undefined)
        .map((flag) => ({
          path: flag.path,
          flag: String(flag.option.long),
          value: () => flagValue(command, flag, io),
        })),
    toInput: (command, io) => fromFlags(command, fields, flags, io),
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
  const readValue = (flag: InputFlag) => values.get(flag.field);
  return {
    value: toObject(fields, values),
    origin: (path) => ({ path: toFlag(path, flags, readValue) }),
    reword: (message) => replaceFieldNames(message, (name) => flagFor(name, flags)),
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
 * @param readValue the value that a flag gave the input.
 */
function toFlag(
  path: string,
  flags: readonly InputFlag[],
  readValue: (flag: InputFlag) => unknown,
): string {
  for (const flag of flags) {
    const rest = restOfPath(path, flag.path);
    if (rest !== undefined) return writeFlag(flag, rest, readValue(flag));
  }
  const holdsFlags = flags.some(({ path: start }) => restOfPath(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}

function writeFlag({ field, option }: InputFlag, rest: string, value: unknown): string {
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

const flagFor = (name: string, flags: readonly InputFlag[]): string | undefined =>
  flags.find(({ field }) => field.name === name)?.option.long;

/** A field that one flag can carry. */
type FlagField = Exclude<Field, { kind: "items" }>;

interface InputFlag {
  readonly field: FlagField;
  /** The path of its value in the input, `filters[0].larger_than_mb`. */
  readonly path: string;
  readonly option: Option;
}

/** The flags of an input. Flags for the items of a list describe its first and only item. */
function inputFlags(
  fields: readonly Field[],
  parent: Path = [],
  heading = "Input:",
): readonly InputFlag[] {
  return fields.flatMap((field) => {
    const path = [...parent, field.name];
    if (field.kind === "items") {
      const group = `Input, one of ${upTo(field.schema.maxItems)}${field.name}:`;
      return inputFlags(field.fields, [...path, 0], group);
    }
    return [{ field, path: formatPath(path), option: toOption(field).helpGroup(heading) }];
  });
}

const upTo = (count: number | undefined): string =>
  count === undefined ? "" : `up to ${thousands(count)} `;

function toOption(field: FlagField): Option {
  const flag = flagName(field.name);
  const description = flagHelp(field);
  if (field.kind === "boolean") return new Option(flag, description);
  const option = listOption(`${flag} <${PLACEHOLDERS[field.kind]}>`, description);
  // Only for the help: the contract validates the value.
  if (field.kind === "choice") option.argChoices = [...field.choices];
  return option;
}

const PLACEHOLDERS = {
  text: "text",
  texts: "text",
  number: "number",
  integer: "number",
  choice: "choice",
  map: "name=value",
};

function flagHelp(field: FlagField): string {
  const { description, kind, required, default: byDefault } = field;
  return [
    description,
    ...(kind === "map"
      ? ["'Name: value' works too; a name alone reads the value from the environment."]
      : []),
    ...(kind === "map" || kind === "texts" ? [`Repeatable${repetition(field)}.`] : []),
    ...(required ? ["Required."] : []),
    ...(byDefault === undefined || byDefault === false ? [] : [`Default: ${byDefault}.`]),
  ].join(" ");
}

function repetition({ schema: { maxItems, items } }: FlagField): string {
  if (maxItems === undefined) return "";
  const length = items?.maxLength;
  const each = length === undefined ? "" : `, each of up to ${thousands(length)} characters`;
  return `: ${upTo(maxItems).trimEnd()}${each}`;
}

/**
 * The value of a flag for the input; undefined without the flag. A value of the wrong type passes
 * unchanged, because the contract validates it.
 *
 * @throws {UsageError} for a flag or a name given twice, or a variable that is not set.
 */
function flagValue(command: Command, { field, option }: InputFlag, io: Io): unknown {
  const given = givenTo(command, option);
  // A flag without a value, or none.
  if (!Array.isArray(given)) return given;
  if (field.kind === "texts") return given;
  if (field.kind === "map") return namedValues(given, String(option.long), io);
  if (given.length > 1) throw new UsageError([`${option.long}: is given twice`]);
  const [text] = given;
  return field.kind === "number" || field.kind === "integer" ? toNumber(text) : text;
}

const givenTo = (command: Command, option: Option): true | readonly string[] | undefined =>
  command.getOptionValue(option.attributeName());

/** Reads a number in the notation of JSON. Number() alone would also accept "" and "0x1F". */
const toNumber = (text = ""): unknown =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;

/** Command lines that run a tool on its own example, as flags and as JSON. */
const exampleLines = ({ command, example_input }: Contract, fields: readonly Field[]) => [
  ["handtools", command, ...toFlags(fields, example_input)].map(posixQuote).join(" "),
  `handtools example ${command} | handtools ${command} -`,
  `handtools example ${command} > input.json && handtools ${command} input.json`,
];

/** The flags that give this input, or the first item of its list. */
function toFlags(fields: readonly Field[], input: unknown): readonly string[] {
  return fields.flatMap((field) => {
    const flag = flagName(field.name);
    const value = readProperty(input, field.name);
    if (value === undefined) return [];
    if (field.kind === "items") return toFlags(field.fields, readProperty(value, "0"));
    if (field.kind === "boolean") return value === true ? [flag] : [];
    return toTexts(value).flatMap((text) => [flag, text]);
  });
}

const readProperty = (value: unknown, name: string): unknown =>
  Object.entries(value ?? {}).find(([key]) => key === name)?.[1];

function toTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([name, text]) => `${name}=${text}`);
}
