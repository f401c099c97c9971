import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { openApi } from "../../src/openapi/openapi.ts";
import { DOCS_PATH } from "../links.ts";
import type { Service } from "../service.ts";
import { contents } from "./docs/contents.ts";
import { anchorOf, endpointsOf } from "./docs/endpoint.ts";
import { errors } from "./docs/errors.ts";
import { guide } from "./docs/guide.ts";
import { operationSection } from "./docs/operation.ts";
import { schemas } from "./docs/schemas.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";

/** The API for people: the OpenAPI document as a page. */
export function docsPage(service: Service): string {
  const document = openApi({ baseUrl: service.baseUrl() });
  const { title, version, summary } = document.info;
  return renderPage(service, {
    title: "API",
    description: summary,
    path: DOCS_PATH,
    layout: "docs",
    main: html`<header class="intro">
<h1>${title} API <small>${version}</small></h1>
<p class="lead">${summary}</p>
</header>
${contents(document)}
<div class="text">
${guide(document)}
${document.tags.map(({ name, description }) => tagSection(document, name, description))}
${errors(document)}
${schemas(document)}
</div>`,
  });
}

const tagSection = (document: OpenApiDocument, tag: string, description: string): Html =>
  html`<section aria-labelledby="${anchorOf(tag)}">
<h2 id="${anchorOf(tag)}">${tag}</h2>
<p>${description}</p>
${endpointsOf(document, tag).map((endpoint) => operationSection(document, endpoint))}
</section>
`;
