import { type Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import {
  formatPath,
  isWithinPath,
  joinPath,
  type Path,
  replaceFieldNames,
} from "../../src/issues.ts";
import { type JsonSchema, toJsonSchema } from "../../src/json-schema.ts";
import type { Io } from "../io.ts";
import { mapOption, parseNamedValue, repeatableOption } from "../options.ts";
import type { InputFlags } from "./read-input.ts";

/** Creates the flags for the fields of a tool's input. */
export function flagInput(contract: Contract, io: Io): InputFlags {
  const schema = toJsonSchema(contract.input);
  const flags = inputFlags(schema, io);
  return {
    options: flags.map(({ option }) => option),
    listUsedFlags: (command) =>
      flags
        .filter((flag) => flagValue(command, flag) !== undefined)
        .map(({ path, option }) => ({ path, flag: String(option.long) })),
    toInput: (command) => ({
      value: toObject(schema, flags, command),
      origin: (path) => ({ path, flag: toFlag(path, flags, command) }),
      reword: (message) =>
        replaceFieldNames(
          message,
          (field) => flags.find(({ name }) => name === field)?.option.long,
        ),
    }),
  };
}

function toObject(
  { properties = {} }: JsonSchema,
  flags: readonly InputFlag[],
  command: Command,
): unknown {
  const entries = Object.entries(properties).map(([name, schema]) => {
    if (schema.items?.properties) return [name, [toObject(schema.items, flags, command)]];
    const flag = flags.find((known) => known.schema === schema);
    return [name, flag && flagValue(command, flag)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Turns `filters[0].from[1]` into `--from[1]` (`--from` for a list of one), `env.KEY` into `--env.KEY`,
 * and a path that several flags describe into "the input".
 */
function toFlag(path: Path, flags: readonly InputFlag[], command: Command): string {
  const flag = flags.find((known) => isWithinPath(path, known.path));
  if (!flag)
    return flags.some((known) => isWithinPath(known.path, path)) ? "the input" : formatPath(path);
  const value = flagValue(command, flag);
  const isOnly = Array.isArray(value) && value.length === 1;
  const rest = isOnly ? [] : path.slice(flag.path.length);
  return rest.reduce<string>(joinPath, String(flag.option.long));
}

interface InputFlag {
  readonly name: string;
  readonly schema: JsonSchema;
  /** For example `filters[0].larger_than_mb`. */
  readonly path: Path;
  readonly option: Option;
}

/** Flags for the items of a list describe its only item. */
function inputFlags(
  { properties = {}, required = [] }: JsonSchema,
  io: Io,
  parent: Path = [],
  heading = "Input:",
): readonly InputFlag[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parent, name];
    if (schema.items?.properties) {
      return inputFlags(schema.items, io, [...path, 0], `Input, one of the ${name}:`);
    }
    const option = toOption(name, schema, flagHelp(schema, required.includes(name)), io);
    return [{ name, schema, path, option: option.helpGroup(heading) }];
  });
}

function toOption(
  name: string,
  { type, items, propertyNames, enum: choices }: JsonSchema,
  help: string,
  io: Io,
): Option {
  const flag = `--${name.replaceAll("_", "-")}`;
  if (choices) {
    const option = new Option(`${flag} <choice>`, help);
    // Only for the help, because the contract validates the value.
    option.argChoices = choices.map(String);
    return option;
  }
  if (type === "boolean") return new Option(flag, help);
  if (type === "string") return new Option(`${flag} <text>`, help);
  if (isNumeric(type)) return new Option(`${flag} <number>`, help);
  if (items?.type === "string") return repeatableOption(`${flag} <text>`, help);
  if (propertyNames) {
    return mapOption(`${flag} <name=value>`, help, (item, long) => parseNamedValue(item, long, io));
  }
  throw new TypeError(`The field ${name} has a shape that no flag can give`);
}

const isNumeric = (type: string | undefined): boolean => type === "number" || type === "integer";

function flagHelp(schema: JsonSchema, isRequired: boolean): string {
  const { description = "", type, default: byDefault } = schema;
  return [
    description,
    ...(type === "object"
      ? ["'Name: value' works too; a name alone reads the value from the environment."]
      : []),
    ...(type === "object" || type === "array" ? ["Repeatable."] : []),
    ...(isRequired ? ["Required."] : []),
    ...(byDefault === undefined || byDefault === false ? [] : [`Default: ${byDefault}.`]),
  ].join(" ");
}

/** Does not check the type, because the contract validates the value. */
function flagValue(command: Command, { schema, option }: InputFlag): unknown {
  const value: unknown = command.getOptionValue(option.attributeName());
  return isNumeric(schema.type) && typeof value === "string" ? toNumber(value) : value;
}

/** Parses numbers as JSON does. Number() alone would also accept "" and "0x1F". */
const toNumber = (text: string): unknown =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
