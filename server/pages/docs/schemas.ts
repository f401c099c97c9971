import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { endpointsOf } from "./endpoint.ts";
import { fieldTable } from "./field-table.ts";
import { bodySchema } from "./request-body.ts";

/** The objects in answers; those that are sent stand with their operations. */
export function schemas(document: OpenApiDocument): Html {
  const sent = endpointsOf(document).map(
    ({ operation: { requestBody } }) => requestBody && bodySchema(requestBody),
  );
  const others = Object.entries(document.components.schemas).filter(
    ([name]) => !sent.includes(name),
  );
  return html`<section aria-labelledby="schemas">
<h2 id="schemas">Objects in responses</h2>
${others.map(([name, schema]) => html`<h3 id="${name}">${name}</h3>\n${fieldTable(name, schema)}`)}
</section>
`;
}
