import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, prose } from "../prose.ts";
import type { Endpoint } from "./endpoint.ts";
import { exampleRequests } from "./example-requests.ts";
import { parameterTable } from "./parameters.ts";
import { requestBody } from "./request-body.ts";
import { responses } from "./responses.ts";

/** All that there is to say of one operation. */
export function operationSection(document: OpenApiDocument, endpoint: Endpoint): Html {
  const { components } = document;
  const { method, path, operation } = endpoint;
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><span class="method">${method}</span> ${code(path)}</h3>
<p class="lead">${operation.summary}</p>
${prose(operation.description)}
${parameterTable(components, endpoint)}
${requestBody(components, endpoint)}
${exampleRequests(document, endpoint)}
${responses(components, endpoint)}
</section>
`;
}
