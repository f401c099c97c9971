import type { JsonSchema } from "../../../src/json-schema.ts";
import { createOpenApiDocument, type OpenApiOptions } from "../../../src/openapi.ts";

type Named<Part> = Readonly<Record<string, Part>>;

/** By media type. Each body in this API has exactly one. */
export type Content = Named<{
  readonly schema: JsonSchema;
  readonly examples?: Named<{ readonly value: unknown }>;
}>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "query" | "header";
    readonly required: boolean;
    readonly description: string;
    readonly schema: JsonSchema;
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: Content };
  /** By status. */
  readonly responses: Named<{ readonly description: string; readonly content?: Content }>;
}

/** An operation with its method and path. */
export interface ApiOperation extends Operation {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** The schemas of the document, by their names. */
export type Schemas = Named<JsonSchema>;

/** The parts of the OpenAPI document that the page shows. */
export interface OpenApiDocument {
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Named<{ readonly [method in "get" | "post"]?: Operation }>;
  readonly components: { readonly schemas: Schemas };
}

/** Reads the OpenAPI document as any program does: from its JSON. Only schemas stay references. */
export function readDocument(options: OpenApiOptions): OpenApiDocument {
  const json = JSON.stringify(createOpenApiDocument(options));
  const { components } = JSON.parse(json);
  return JSON.parse(json, (_, value) => {
    const [, section = "schemas", name = ""] = COMPONENT_REFERENCE.exec(value?.$ref) ?? [];
    return section === "schemas" ? value : components[section][name];
  });
}

const COMPONENT_REFERENCE = /^#\/components\/(\w+)\/(\w+)$/;

/** The operations in the document's order. */
export const listOperations = ({ paths }: OpenApiDocument): readonly ApiOperation[] =>
  Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ ...get, method: "GET" as const, path }] : []),
    ...(post ? [{ ...post, method: "POST" as const, path }] : []),
  ]);
