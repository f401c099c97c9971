import type { Components, Content, MediaType } from "../../../src/openapi/document.ts";
import { resolve } from "./resolve.ts";

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
