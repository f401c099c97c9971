import { toJsonSchema as convertSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** The keywords of JSON Schema 2020-12 that our schemas use. */
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
  /** The media type of a string's content, such as `application/json`, and its schema. */
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
    // The last schema of a pipe describes the JSON.
    typeMode: "output",
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      // Closed objects and maps start with a custom schema that only requires an object.
      if (valibotSchema.type === "custom") return {};
      // `required: []` has no effect, and OpenAPI 3.0 forbids it.
      const { required = [], ...rest } = jsonSchema;
      return required.length > 0 ? jsonSchema : rest;
    },
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
      if (type === "min_code_points") return { ...jsonSchema, minLength: Number(requirement) };
      if (type === "max_code_points") return { ...jsonSchema, maxLength: Number(requirement) };
      // Described by the metadata next to them, or impossible in JSON Schema.
      return ["check", "check_items", "raw_check"].includes(type) ? jsonSchema : null;
    },
  });
  return converted as JsonSchema;
}

/** Converts a schema for a document that sets the dialect for all of its schemas. */
export function toEmbeddedJsonSchema(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...bare } = toJsonSchema(schema);
  return bare;
}
