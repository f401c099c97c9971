import { Option } from "commander";
import type { Field } from "../src/fields.ts";
import { formatPath, type Path } from "../src/issues.ts";
import { flagName, valueOption } from "./option.ts";

/** A field that one flag can carry. */
type FlagField = Exclude<Field, { kind: "items" }>;

export interface InputFlag {
  readonly field: FlagField;
  /** Where its value stands in the input, `filters[0].larger_than_mb`. */
  readonly path: string;
  readonly option: Option;
}

/** The flags for an input. Those inside a list describe its first and only item. */
export function inputFlags(fields: readonly Field[], parent: Path = []): readonly InputFlag[] {
  return fields.flatMap((field) => {
    const path = [...parent, field.name];
    if (field.kind === "items") return inputFlags(field.fields, [...path, 0]);
    const heading = parent.length === 0 ? "Input:" : `Input, one of ${parent[0]}:`;
    return [{ field, path: formatPath(path), option: toOption(field).helpGroup(heading) }];
  });
}

function toOption(field: FlagField): Option {
  const flag = flagName(field.name);
  const description = describe(field);
  if (field.kind === "boolean") return new Option(flag, description);
  const option = valueOption(`${flag} <${PLACEHOLDERS[field.kind]}>`, description);
  // Shown in the help alone: what is right is for the contract to say.
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

function describe({ description, kind, required, default: byDefault }: FlagField): string {
  return [
    description,
    ...(kind === "map" ? ["'Name: value' is fine too; a name alone takes the environment's."] : []),
    ...(kind === "map" || kind === "texts" ? ["Repeatable."] : []),
    ...(required ? ["Required."] : []),
    ...(byDefault === undefined || byDefault === false ? [] : [`Default: ${byDefault}.`]),
  ].join(" ");
}
