import type {
  Components,
  Content,
  MediaType,
  OpenApiDocument,
  Operation,
  Reference,
} from "../../../src/openapi.ts";

/** An operation with its method and path. */
export interface ApiOperation extends Operation {
  readonly method: "GET" | "POST";
  readonly path: string;
}

/** The operations, all or those with a tag, in the document's order. */
export const listOperations = ({ paths }: OpenApiDocument, tag?: string): readonly ApiOperation[] =>
  Object.entries(paths)
    .flatMap(([path, { get, post }]) => [
      ...(get ? [{ ...get, method: "GET" as const, path }] : []),
      ...(post ? [{ ...post, method: "POST" as const, path }] : []),
    ])
    .filter(({ tags }) => tag === undefined || tags.includes(tag));

export const titleOf = ({ method, path }: ApiOperation): string => `${method} ${path}`;

type Section<Component> = Readonly<Record<string, Component>>;

/**
 * A component, or the component that a reference names.
 *
 * @param section the document's components of this kind.
 * @throws for a reference to nothing: the document is wrong.
 */
export function resolve<Component extends object>(
  section: Section<Component>,
  value: Component | Reference,
): Component {
  if (!isReference(value)) return value;
  const found = section[componentName(value)];
  if (!found) throw new Error(`The OpenAPI document has no ${value.$ref}`);
  return found;
}

/** The name of the component that a reference names. */
export const componentName = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf("/") + 1);

const isReference = (value: object): value is Reference => "$ref" in value;

interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/** The media type of a body and its description. Every body in this API has exactly one. */
export function chooseMedia(
  content: Content | undefined,
): readonly [string, MediaType] | undefined {
  return Object.entries(content ?? {})[0];
}

export const listExamples = (
  components: Components,
  content: Content | undefined,
): readonly NamedExample[] =>
  Object.values(chooseMedia(content)?.[1].examples ?? {})
    .map((example) => resolve(components.examples, example))
    .map(({ summary = "", value }) => ({ summary, value }));
