import { toJsonSchema as convertSchema } from "@valibot/to-json-schema";
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

/**
 * Converts a contract's input or output to JSON Schema 2020-12.
 *
 * @example
 * toJsonSchema(tools[0].input).properties; // { filters: { type: "array", … } }
 */
export function toJsonSchema(schema: GenericSchema): JsonSchema {
  const converted = convertSchema(schema, {
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
export function stripSchemaKey(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...bare } = toJsonSchema(schema);
  return bare;
}
