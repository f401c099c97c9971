import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** The keywords of JSON Schema 2020-12 that the contracts and the OpenAPI document use. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  /** The media type of what is written in a text, such as `application/json`, and its schema. */
  contentMediaType?: string;
  contentSchema?: JsonSchema;
}

/** The JSON Schema 2020-12 of a contract's input or output. */
export function jsonSchema(schema: GenericSchema): JsonSchema {
  const converted = toJsonSchema(schema, {
    target: "draft-2020-12",
    // The last schema of a pipe is the one that describes the JSON.
    typeMode: "output",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      // The custom schema at the start of a closed object or a map only asks for an object.
      if (valibotSchema.type === "custom") return {};
      // `required: []` has no effect, and OpenAPI 3.0 forbids it.
      const { required = [], ...rest } = jsonSchema;
      return required.length > 0 ? jsonSchema : rest;
    },
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
      if (type === "min_code_points") return { ...jsonSchema, minLength: Number(requirement) };
      if (type === "max_code_points") return { ...jsonSchema, maxLength: Number(requirement) };
      // Metadata next to a check describes it, or JSON Schema has no counterpart.
      return ["check", "check_items", "raw_check"].includes(type) ? jsonSchema : null;
    },
  });
  return converted as JsonSchema;
}

/** A JSON Schema without its dialect, as a part of a document that sets it for all of them. */
export function bareSchema(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...bare } = jsonSchema(schema);
  return bare;
}

interface FieldBase {
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
export const listFields = (input: GenericSchema): readonly Field[] =>
  objectFields(jsonSchema(input));

function objectFields({ properties = {}, required = [] }: JsonSchema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? "",
    required: required.includes(name),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    schema,
    ...detectKind(name, schema),
  }));
}

type KindOf<F> = F extends Field ? Omit<F, keyof FieldBase> : never;

function detectKind(name: string, schema: JsonSchema): KindOf<Field> {
  const { type, items } = schema;
  if (schema.enum) return { kind: "choice", choices: schema.enum.map(String) };
  if (type === "string") return { kind: "text" };
  if (type === "number" || type === "integer" || type === "boolean") return { kind: type };
  if (type === "array" && items?.type === "string") return { kind: "texts" };
  if (type === "array" && items?.properties) return { kind: "items", fields: objectFields(items) };
  if (type === "object" && schema.propertyNames) return { kind: "map" };
  throw new TypeError(`The field ${name} has a shape that no flag or form can show`);
}
