import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";

/** The keywords of JSON Schema 2020-12 that the contracts use. */
export interface JsonSchema {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: JsonSchema[];
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
}

/** The JSON Schema 2020-12 of a contract's input or output. */
export function jsonSchema(schema: GenericSchema): JsonSchema {
  const converted = toJsonSchema(schema, {
    target: "draft-2020-12",
    // The last schema of a pipe is the one that describes the JSON.
    typeMode: "output",
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      // The custom schema at the start of a closed object or a map only asks for an object.
      valibotSchema.type === "custom" ? {} : withoutEmptyRequired(jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { type, requirement } = valibotAction as { type: string; requirement?: unknown };
      if (type === "min_code_points") return { ...jsonSchema, minLength: Number(requirement) };
      if (type === "max_code_points") return { ...jsonSchema, maxLength: Number(requirement) };
      // A raw check is described by the metadata beside it, or has no counterpart in JSON Schema.
      return type === "raw_check" ? jsonSchema : null;
    },
  });
  return converted as JsonSchema;
}

/** `required: []` has no effect, and OpenAPI 3.0 forbids it. */
function withoutEmptyRequired<Schema extends { required?: string[] | undefined }>(
  schema: Schema,
): Schema {
  if (schema.required?.length !== 0) return schema;
  const { required: _, ...rest } = schema;
  return rest as Schema;
}
