import type { JsonSchema } from "../../src/json-schema.ts";
import { createOpenApiDocument, type OpenApiOptions } from "../../src/openapi.ts";

type Named<Part> = Readonly<Record<string, Part>>;

/** A response, or a reference to one. */
export interface Response {
  readonly $ref?: string;
  readonly headers?: Named<object>;
  readonly content?: Named<{ readonly schema: JsonSchema }>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly responses: Named<Response>;
}

/** The parts of the OpenAPI document that the tests read. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<Operation>>;
  readonly components: {
    readonly schemas: Named<JsonSchema>;
    readonly responses: Named<Response>;
    readonly examples: Named<{ readonly value: unknown }>;
  };
}

/** The document as any program reads it: from its JSON. */
export const readDocument = (options: OpenApiOptions): OpenApiDocument =>
  JSON.parse(JSON.stringify(createOpenApiDocument(options)));

/** Every operation of the document, with its place. */
export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method,
      path,
    })),
  );

export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** Every object inside a JSON value, the value itself included. */
export function objectsIn(value: unknown): readonly object[] {
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

/** The target of a reference, `#/components/schemas/Error`; undefined for other values. */
export const pointerOf = (value: object): string | undefined =>
  "$ref" in value && typeof value.$ref === "string" ? value.$ref : undefined;

/** The target of a pointer; undefined without one. */
export function lookUp(pointer: string, document: OpenApiDocument): unknown {
  const [root, ...keys] = pointer.split("/");
  return root === "#" ? keys.reduce<unknown>(property, document) : undefined;
}

const property = (value: unknown, key: string): unknown =>
  Object.entries(value ?? {}).find(([name]) => name === key)?.[1];

/** The value with what each reference in it leads to in its place. */
export function dereference(value: unknown, document: OpenApiDocument): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => dereference(item, document));
  const pointer = pointerOf(value);
  if (pointer !== undefined) return dereference(lookUp(pointer, document), document);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, dereference(part, document)]),
  );
}
