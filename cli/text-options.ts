import { type Command, Option } from "commander";
import type { Contract, RenderOption, TextOptionsOf } from "../schemas/index.ts";
import { UsageFailure } from "./failures.ts";
import { flagName, isGiven, onlyValue, valueOption } from "./option.ts";

/** An option of a tool's text rendering. */
export interface TextFlag {
  readonly name: string;
  readonly rendering: RenderOption;
  readonly option: Option;
}

export const textFlags = ({ text }: Contract): readonly TextFlag[] =>
  Object.entries(text.options).map(([name, rendering]) => ({
    name,
    rendering,
    option: toOption(flagName(name), rendering).conflicts("json"),
  }));

function toOption(flag: string, rendering: RenderOption): Option {
  if (rendering.type === "switch") return new Option(flag, rendering.description);
  const option = valueOption(`${flag} <name>`, rendering.description);
  option.argChoices = [...rendering.values];
  return option;
}

/**
 * The rendering that the user wants.
 *
 * @throws {UsageFailure} for a value that is none of the choices.
 */
export function readTextOptions(
  command: Command,
  flags: readonly TextFlag[],
): TextOptionsOf<Contract> {
  const given = flags.filter(({ option }) => isGiven(command, option));
  return Object.fromEntries(
    given.map(({ name, rendering, option }) => [
      name,
      rendering.type === "switch" || chosen(onlyValue(command, option), rendering.values, option),
    ]),
  );
}

function chosen(value: string | undefined, values: readonly string[], { long }: Option): string {
  if (value !== undefined && values.includes(value)) return value;
  throw new UsageFailure([`${long}: must be one of ${values.join(", ")}`]);
}
