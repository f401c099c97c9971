import type { JsonSchema } from "../json-schema.ts";

/*
 * The part of OpenAPI 3.1 that the document uses, with the names of its specification:
 * https://spec.openapis.org/oas/v3.1.1.html
 */

export interface Reference {
  readonly $ref: string;
}

/** JSON Schema with references to other components. */
export interface Schema extends Omit<JsonSchema, "properties" | "items"> {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

/** By media type. */
export type Content = Readonly<Record<string, MediaType>>;

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema?: JsonSchema;
  readonly content?: Content;
}

interface SecurityScheme {
  readonly type: "http";
  readonly scheme: string;
  readonly description: string;
}

export interface RequestBody {
  readonly description: string;
  readonly required: boolean;
  readonly content: Content;
}

/** By status. */
export type Responses = Readonly<Record<string, Response | Reference>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

export interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
}

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly examples: Readonly<Record<string, Example>>;
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

/** An OpenAPI 3.1.1 document, as far as the service uses it. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}
