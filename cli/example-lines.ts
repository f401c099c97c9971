import type { Contract } from "../schemas/index.ts";
import type { Field } from "../src/fields.ts";
import { posixQuote } from "../src/text.ts";
import { flagName } from "./option.ts";

/** Command lines that run a tool on its own example: as flags, and as JSON. */
export const exampleLines = ({ command, example_input }: Contract, fields: readonly Field[]) => [
  ["handtools", command, ...toFlags(fields, example_input)].map(posixQuote).join(" "),
  `handtools example ${command} | handtools ${command} -`,
  `handtools example ${command} > input.json && handtools ${command} input.json`,
];

/** The flags that give this input, or the first item where the input has a list of them. */
function toFlags(fields: readonly Field[], input: unknown): readonly string[] {
  return fields.flatMap((field) => {
    const flag = flagName(field.name);
    const value = property(input, field.name);
    if (value === undefined) return [];
    if (field.kind === "items") return toFlags(field.fields, property(value, "0"));
    if (field.kind === "boolean") return value === true ? [flag] : [];
    return toTexts(value).flatMap((text) => [flag, text]);
  });
}

const property = (value: unknown, name: string): unknown =>
  Object.entries(value ?? {}).find(([key]) => key === name)?.[1];

function toTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([name, text]) => `${name}=${text}`);
}
