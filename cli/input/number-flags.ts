import type { Command, Option } from "commander";
import type { Contract, NumberOption } from "../../schemas/index.ts";
import type { GivenNumbers } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import { allValues, flagName, onlyValue, valueOption } from "../options.ts";

export interface NumberFlag extends NumberOption {
  readonly name: string;
  readonly option: Option;
}

export const numberFlags = ({ text }: Contract): readonly NumberFlag[] =>
  Object.entries(text.numbers ?? {}).map(([name, number]) => {
    const value = number.type === "number" ? "<number>" : "<name=number>";
    const option = valueOption(`${flagName(name)} ${value}`, number.description);
    return { ...number, name, option: option.helpGroup("Existing files:") };
  });

/**
 * The numbers that the user gave.
 *
 * @throws {UsageError} for a value that is not a whole number, and for a name given twice.
 */
export function readNumbers(command: Command, flags: readonly NumberFlag[]): GivenNumbers {
  const numbers: Record<string, number | Readonly<Record<string, number>>> = {};
  for (const { name, type, option } of flags) {
    if (type === "number") {
      const value = onlyValue(command, option);
      if (value !== undefined) numbers[name] = wholeNumber(value, option);
    } else {
      const values = allValues(command, option);
      if (values) numbers[name] = byName(values, option);
    }
  }
  return numbers;
}

function byName(values: readonly string[], option: Option): Readonly<Record<string, number>> {
  const pairs = values.map((value) => {
    const at = value.lastIndexOf("=");
    if (at < 1) throw new UsageError([`${option.long}: must be a name and a number: "Name=300"`]);
    return [value.slice(0, at), wholeNumber(value.slice(at + 1), option)] as const;
  });
  const names = pairs.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new UsageError([`${option.long}: ${JSON.stringify(repeated)} is given twice`]);
  }
  return Object.fromEntries(pairs);
}

function wholeNumber(text: string, option: Option): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError([`${option.long}: must be a whole number`]);
  return Number(text);
}
