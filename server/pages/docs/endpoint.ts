import type { OpenApiDocument, Operation } from "../../../src/openapi/document.ts";

/** An operation, and how to reach it. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly operation: Operation;
}

/** The operations, all or those with a tag, in the document's order. */
export const endpointsOf = ({ paths }: OpenApiDocument, tag?: string): readonly Endpoint[] =>
  Object.entries(paths)
    .flatMap(([path, { get, post }]) => [
      ...(get ? [{ method: "GET" as const, path, operation: get }] : []),
      ...(post ? [{ method: "POST" as const, path, operation: post }] : []),
    ])
    .filter(({ operation }) => tag === undefined || operation.tags.includes(tag));

export const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Where the section of a tag is; the schemas' names begin with a capital. */
export const anchorOf = (tag: string): string => tag.toLowerCase();
