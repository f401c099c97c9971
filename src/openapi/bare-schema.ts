import type { GenericSchema } from "valibot";
import { type JsonSchema, jsonSchema } from "../json-schema.ts";

/** A JSON Schema to stand inside the document, which says its dialect for all of them. */
export function bareSchema(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...bare } = jsonSchema(schema);
  return bare;
}
