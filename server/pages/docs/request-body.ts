import type { Components, RequestBody } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { code, inline } from "../prose.ts";
import type { Endpoint } from "./endpoint.ts";
import { fieldTable } from "./field-table.ts";
import { mediaOf } from "./media.ts";
import { nameOf } from "./resolve.ts";

/** What an operation takes as its body; the heading is where links to this schema lead. */
export function requestBody(components: Components, { operation }: Endpoint): Html {
  const body = operation.requestBody;
  const name = body && bodySchema(body);
  const schema = name && components.schemas[name];
  if (!schema) return html``;
  return html`<h4 id="${name}">Body: ${name}</h4>
<p>${code(mediaOf(body.content)?.[0] ?? "")}. ${inline(body.description)}</p>
${fieldTable(name, schema)}`;
}

/** The name of the schema of a body. */
export function bodySchema({ content }: RequestBody): string | undefined {
  const { $ref } = mediaOf(content)?.[1].schema ?? {};
  return $ref && nameOf({ $ref });
}
