import type { JsonSchema } from "../../../src/json-schema.ts";
import { createOpenApiDocument, type OpenApiOptions } from "../../../src/openapi.ts";

type Named<Part> = Readonly<Record<string, Part>>;

export type Reference = { readonly $ref: string };

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Named<{ readonly value: unknown } | Reference>;
}

/** By media type. */
export type Content = Named<MediaType>;

export interface Response {
  readonly description: string;
  readonly headers?: Named<object>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  /** By status. */
  readonly responses: Named<Response | Reference>;
}

interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

/** The parts of the OpenAPI document that the page shows. */
export interface OpenApiDocument {
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<{ readonly [method in "get" | "post"]?: Operation }>;
  readonly components: {
    readonly schemas: Named<JsonSchema>;
    readonly responses: Named<Response>;
    readonly parameters: Named<Parameter>;
    readonly examples: Named<{ readonly value: unknown }>;
  };
}

/** Reads the OpenAPI document as any program does: from its JSON. */
export const readDocument = (options: OpenApiOptions): OpenApiDocument =>
  JSON.parse(JSON.stringify(createOpenApiDocument(options)));
