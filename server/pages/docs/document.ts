import type {
  Components,
  Content,
  MediaType,
  OpenApiDocument,
  Operation,
  Reference,
} from "../../../src/openapi/document.ts";

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

type Section<Component> = Readonly<Record<string, Component>>;

/**
 * The component itself, where the document may have a reference to it.
 *
 * @param section the document's components of this kind.
 * @throws when there is no such component, which is a fault of ours.
 */
export function resolve<Component extends object>(
  section: Section<Component>,
  value: Component | Reference,
): Component {
  if (!isReference(value)) return value;
  const found = section[nameOf(value)];
  if (!found) throw new Error(`The OpenAPI document has no ${value.$ref}`);
  return found;
}

/** The name of the component that is referred to. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

const isReference = (value: object): value is Reference => "$ref" in value;

interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/** A body's media type with what is said of it; ours have one each. */
export function mediaOf(content: Content | undefined): readonly [string, MediaType] | undefined {
  return Object.entries(content ?? {})[0];
}

/** The examples of a body. */
export const examplesOf = (
  components: Components,
  content: Content | undefined,
): readonly NamedExample[] =>
  Object.values(mediaOf(content)?.[1].examples ?? {})
    .map((example) => resolve(components.examples, example))
    .map(({ summary = "", value }) => ({ summary, value }));
