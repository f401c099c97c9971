import type { GenericSchema } from "valibot";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";

interface FieldBase {
  /** The property's name in the input, `larger_than_mb`. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default?: unknown;
  /** The property's own JSON Schema, with its bounds. */
  readonly schema: JsonSchema;
}

/** One property of an input, as flags and forms see it. */
export type Field =
  | (FieldBase & { readonly kind: "text" | "number" | "integer" | "boolean" | "texts" | "map" })
  | (FieldBase & { readonly kind: "choice"; readonly choices: readonly string[] })
  /** A list of objects, each with these fields. */
  | (FieldBase & { readonly kind: "items"; readonly fields: readonly Field[] });

/** The fields of an input, in the contract's order. */
export const fieldsOf = (input: GenericSchema): readonly Field[] => objectFields(jsonSchema(input));

function objectFields({ properties = {}, required = [] }: JsonSchema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? "",
    required: required.includes(name),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    schema,
    ...kindOf(name, schema),
  }));
}

type KindOf<F> = F extends Field ? Omit<F, keyof FieldBase> : never;

function kindOf(name: string, schema: JsonSchema): KindOf<Field> {
  const { type, items } = schema;
  if (schema.enum) return { kind: "choice", choices: schema.enum.map(String) };
  if (type === "string") return { kind: "text" };
  if (type === "number" || type === "integer" || type === "boolean") return { kind: type };
  if (type === "array" && items?.type === "string") return { kind: "texts" };
  if (type === "array" && items?.properties) return { kind: "items", fields: objectFields(items) };
  if (type === "object" && schema.propertyNames) return { kind: "map" };
  throw new TypeError(`The field ${name} has a shape that no flag or form can show`);
}
