import type { Content, Example, Reference } from "./document.ts";
import { reference } from "./reference.ts";

/** JSON of the schema with this name. */
export const json = (
  schema: string,
  examples: Readonly<Record<string, Example | Reference>>,
): Content => ({ "application/json": { schema: reference("schemas", schema), examples } });

/** JSON of the schema with this name, and the example that has the same name. */
export const exampledJson = (name: string): Content =>
  json(name, { example: reference("examples", name) });
