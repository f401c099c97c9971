import { type Command, Option } from "commander";
import type { Contract } from "../../schemas/index.ts";
import { formatPath, type Path, replaceFieldNames, restOfPath } from "../../src/issues.ts";
import { type JsonSchema, jsonSchema } from "../../src/json-schema.ts";
import type { Io } from "../io.ts";
import { listOption, mapOption, namedValue } from "../options.ts";
import type { InputFlags } from "./input.ts";

/** The flags for the fields of a tool's input, as a part of its commands. */
export function flagInput(contract: Contract, io: Io): InputFlags {
  const fields = listFields(jsonSchema(contract.input));
  const flags = inputFlags(fields, io);
  return {
    options: flags.map(({ option }) => option),
    given: (command) =>
      flags
        .filter((flag) => flagValue(command, flag) !== undefined)
        .map(({ path, option }) => ({ path, flag: String(option.long) })),
    toInput: (command) => ({
      value: toObject(fields, flags, command),
      origin: (path) => ({ path: toFlag(path, flags, command) }),
      reword: (message) =>
        replaceFieldNames(
          message,
          (name) => flags.find(({ field }) => field.name === name)?.option.long,
        ),
    }),
  };
}

/** A property of an input. */
interface Field {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly kind: "text" | "number" | "integer" | "boolean" | "texts" | "map" | "choice" | "items";
  /** Of a choice. */
  readonly choices?: readonly string[];
  /** Of each item of a list of objects. */
  readonly fields?: readonly Field[];
}

/** The properties of an object, in the contract's order. */
const listFields = ({ properties = {}, required = [] }: JsonSchema): readonly Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? "",
    required: required.includes(name),
    default: schema.default,
    ...detectKind(name, schema),
  }));

function detectKind(
  name: string,
  { type, items, enum: choices, propertyNames }: JsonSchema,
): Pick<Field, "kind" | "choices" | "fields"> {
  if (choices) return { kind: "choice", choices: choices.map(String) };
  if (type === "string") return { kind: "text" };
  if (type === "number" || type === "integer" || type === "boolean") return { kind: type };
  if (type === "array" && items?.type === "string") return { kind: "texts" };
  if (type === "array" && items?.properties) return { kind: "items", fields: listFields(items) };
  if (type === "object" && propertyNames) return { kind: "map" };
  throw new TypeError(`The field ${name} has a shape that no flag can give`);
}

function toObject(
  fields: readonly Field[],
  flags: readonly InputFlag[],
  command: Command,
): unknown {
  const entries = fields.map((field) => {
    if (field.fields) return [field.name, [toObject(field.fields, flags, command)]];
    const flag = flags.find((known) => known.field === field);
    return [field.name, flag && flagValue(command, flag)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * `--from[1]` for `filters[0].from[1]`, `--env.KEY` for `env.KEY`, `--from` for a list of one; "the input"
 * for a path that several flags describe.
 */
function toFlag(path: string, flags: readonly InputFlag[], command: Command): string {
  for (const flag of flags) {
    const rest = restOfPath(path, flag.path);
    const value = flagValue(command, flag);
    const isOnly = Array.isArray(value) && value.length === 1;
    if (rest !== undefined) return `${flag.option.long}${isOnly ? "" : rest}`;
  }
  const holdsFlags = flags.some(({ path: start }) => restOfPath(start, path) !== undefined);
  return path === "" || holdsFlags ? "the input" : path;
}

interface InputFlag {
  readonly field: Field;
  /** The path of its value in the input, `filters[0].larger_than_mb`. */
  readonly path: string;
  readonly option: Option;
}

/** The flags of an input. Flags for the items of a list describe its first and only item. */
function inputFlags(
  fields: readonly Field[],
  io: Io,
  parent: Path = [],
  heading = "Input:",
): readonly InputFlag[] {
  return fields.flatMap((field) => {
    const path = [...parent, field.name];
    if (field.fields) {
      return inputFlags(field.fields, io, [...path, 0], `Input, one of the ${field.name}:`);
    }
    return [{ field, path: formatPath(path), option: toOption(field, io).helpGroup(heading) }];
  });
}

function toOption(field: Field, io: Io): Option {
  const flag = `--${field.name.replaceAll("_", "-")}`;
  const description = flagHelp(field);
  switch (field.kind) {
    case "boolean":
      return new Option(flag, description);
    case "texts":
      return listOption(`${flag} <text>`, description);
    case "map":
      return mapOption(`${flag} <name=value>`, description, (item, long) =>
        namedValue(item, long, io),
      );
    case "choice": {
      const option = new Option(`${flag} <choice>`, description);
      // Only for the help: the contract validates the value.
      option.argChoices = [...(field.choices ?? [])];
      return option;
    }
    default:
      return new Option(`${flag} <${field.kind === "text" ? "text" : "number"}>`, description);
  }
}

function flagHelp(field: Field): string {
  const { description, kind, required, default: byDefault } = field;
  return [
    description,
    ...(kind === "map"
      ? ["'Name: value' works too; a name alone reads the value from the environment."]
      : []),
    ...(kind === "map" || kind === "texts" ? ["Repeatable."] : []),
    ...(required ? ["Required."] : []),
    ...(byDefault === undefined || byDefault === false ? [] : [`Default: ${byDefault}.`]),
  ].join(" ");
}

/** The value of a flag; undefined without it. One of the wrong type passes: the contract validates it. */
function flagValue(command: Command, { field, option }: InputFlag): unknown {
  const value: unknown = command.getOptionValue(option.attributeName());
  const isNumber = field.kind === "number" || field.kind === "integer";
  return isNumber && typeof value === "string" ? toNumber(value) : value;
}

/** Reads a number in the notation of JSON. Number() alone would also accept "" and "0x1F". */
const toNumber = (text: string): unknown =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
