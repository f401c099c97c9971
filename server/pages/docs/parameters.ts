import type { Components, Parameter } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../prose.ts";
import { type Endpoint, titleOf } from "./endpoint.ts";
import { REQUIRED } from "./field-table.ts";
import { mediaOf } from "./media.ts";
import { resolve } from "./resolve.ts";
import { type Row, table } from "./table.ts";
import { typeName } from "./type-name.ts";

/** The parameters of an operation, references resolved. */
export const parametersOf = (
  components: Components,
  { operation }: Endpoint,
): readonly Parameter[] =>
  (operation.parameters ?? []).map((parameter) => resolve(components.parameters, parameter));

export function parameterTable(components: Components, endpoint: Endpoint): Html {
  const parameters = parametersOf(components, endpoint);
  if (parameters.length === 0) return html``;
  const label = `Parameters of ${titleOf(endpoint)}`;
  return html`<h4>Parameters</h4>
${table(label, ["Parameter", "Meaning"], parameters.map(parameterRow))}`;
}

const parameterRow = ({
  name,
  in: place,
  required,
  schema,
  content,
  description,
}: Parameter): Row => ({
  name: code(name),
  kind: html`${place}, ${typeName(schema ?? mediaOf(content)?.[1].schema ?? {})}${required && REQUIRED}`,
  meaning: inline(description),
});
