import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { type Html, html } from "../html.ts";
import { anchorOf, type Endpoint, endpointsOf } from "./endpoint.ts";

/** The way through the page. */
export const contents = (
  document: OpenApiDocument,
): Html => html`<nav class="contents" aria-label="On this page">
<ul>
<li><a href="#overview">Overview</a></li>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#rules">Sizes, CORS and caching</a></li>
${document.tags.map(({ name }) => tagItem(document, name))}
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Objects in responses</a></li>
</ul>
</nav>
`;

const tagItem = (document: OpenApiDocument, tag: string): Html =>
  html`<li><a href="#${anchorOf(tag)}">${tag}</a>
<ul>
${endpointsOf(document, tag).map(operationItem)}</ul>
</li>
`;

const operationItem = ({ operation: { operationId, summary } }: Endpoint): Html =>
  html`<li><a href="#${operationId}">${summary}</a></li>\n`;
