import type { JsonSchema } from "../json-schema.ts";

/*
 * The part of OpenAPI 3.1 that the document uses, with the names of its specification:
 * https://spec.openapis.org/oas/v3.1.1.html
 */

type Named<Part> = Readonly<Record<string, Part>>;

export interface Reference {
  readonly $ref: string;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Named<Example | Reference>;
}

/** By media type. */
export type Content = Named<MediaType>;

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Named<Header | Reference>;
  readonly content?: Content;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: "query" | "header";
  readonly required: boolean;
  readonly style?: "form";
  readonly explode?: boolean;
  readonly example?: string;
}

export interface RequestBody {
  readonly description: string;
  readonly required: boolean;
  readonly content: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Named<readonly string[]>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  /** By status. */
  readonly responses: Named<Response | Reference>;
}

type PathItem = { readonly [method in "get" | "post"]?: Operation };

export interface Components {
  readonly schemas: Named<JsonSchema>;
  readonly responses: Named<Response>;
  readonly parameters: Named<Parameter>;
  readonly headers: Named<Header>;
  readonly examples: Named<Example>;
  readonly securitySchemes: Named<Named<string>>;
}

/** An OpenAPI 3.1.1 document, as far as the service uses it. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>> & {
    readonly license: Readonly<Record<string, string>>;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}
