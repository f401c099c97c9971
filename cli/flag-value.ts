import type { Command } from "commander";
import { UsageFailure } from "./failures.ts";
import type { InputFlag } from "./input-flags.ts";
import type { Io } from "./io.ts";
import { allValues, isGiven, onlyValue } from "./option.ts";

/**
 * A flag's value as it stands in the input; undefined when it is not given. What is wrong
 * for the field goes through as it is: the contract says what it wants.
 *
 * @throws {UsageFailure} for a flag or a name given twice, or a variable that is not set.
 */
export function flagValue(command: Command, { field, option }: InputFlag, io: Io): unknown {
  switch (field.kind) {
    case "boolean":
      return isGiven(command, option) ? true : undefined;
    case "texts":
      return allValues(command, option);
    case "map": {
      const items = allValues(command, option);
      return items && toMap(items, String(option.long), io);
    }
    case "number":
    case "integer":
      return toNumber(onlyValue(command, option));
    case "text":
    case "choice":
      return onlyValue(command, option);
  }
}

/** A number as JSON writes it. Number() alone would take "" and "0x1F". */
const toNumber = (text: string | undefined): unknown =>
  text !== undefined && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;

function toMap(items: readonly string[], flag: string, io: Io): Record<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of items.map((item) => toEntry(item, flag, io))) {
    if (entries.has(name)) throw new UsageFailure([`${flag}: ${name} is given twice`]);
    entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

/** `NAME=VALUE`, or `Name: value` as headers are written, or a variable's name alone. */
function toEntry(item: string, flag: string, io: Io): [name: string, value: string] {
  const end = item.search(/[=:]/);
  if (end >= 0) {
    const value = item.slice(end + 1);
    return [item.slice(0, end), item[end] === ":" ? value.trimStart() : value];
  }
  const value = Object.hasOwn(io.environment, item) ? io.environment[item] : undefined;
  if (value !== undefined) return [item, value];
  throw new UsageFailure([
    `${flag}: the environment has no ${item}; set it, or give the value as ${item}=VALUE`,
  ]);
}
