import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import { openApi } from "../../../src/openapi/openapi.ts";
import { thousands } from "../../../src/text.ts";
import { CATALOG_PATH, DOCS_PATH, LLMS_PATH, OPENAPI_PATH } from "../../links.ts";
import type { Service } from "../../service.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { code, inline, prose } from "../parts.ts";
import { type ApiOperation, anchorOf, mediaOf, nameOf, operationsOf } from "./document.ts";
import { bodySchema, operationSection, responsesOf } from "./operation.ts";
import { fieldTable, type Row, table } from "./schema.ts";

/** The API for people: the OpenAPI document as a page. */
export function docsPage(service: Service): string {
  const signup = service.signup !== undefined;
  const document = openApi({ baseUrl: service.baseUrl(), signup });
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
${guide(document, signup)}
${document.tags.map(({ name, description }) => tagSection(document, name, description))}
${errors(document)}
${schemas(document)}
</div>`,
  });
}

/** Links to the sections of the page. */
const contents = (
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
${operationsOf(document, tag).map(operationItem)}</ul>
</li>
`;

const operationItem = ({ operationId, summary }: ApiOperation): Html =>
  html`<li><a href="#${operationId}">${summary}</a></li>\n`;

/** What holds for the whole API. */
const guide = ({ info, servers }: OpenApiDocument, signup: boolean): Html => html`
<section aria-labelledby="overview">
<h2 id="overview">Overview</h2>
<p>All paths are relative to <code>${servers[0]?.url}</code>.</p>
${prose(info.description)}
<p>For programs and agents there are:</p>
<ul>
<li><a href="/api/tools">/api/tools</a>: the tools with their input schemas and requests that run</li>
<li><a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>: this API as an OpenAPI 3.1 document</li>
<li><a href="${CATALOG_PATH}">${CATALOG_PATH}</a>: the API catalog of RFC 9727</li>
<li><a href="${LLMS_PATH}">${LLMS_PATH}</a>: a short introduction for language models</li>
</ul>
</section>
<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>The tools and the health check need none.</p>
${signup && SIGNUP_PROOFS}</section>
<section aria-labelledby="rules">
<h2 id="rules">Sizes, CORS and caching</h2>
<dl>
<dt>Sizes</dt>
<dd>A tool's input may have ${thousands(MAX_TOOL_INPUT_BYTES)} bytes of UTF-8: the body as it is sent, or <code>input</code> when decoded.${signup && html` A signup may have ${thousands(MAX_SIGNUP_BYTES)}.`}</dd>
<dt>Text</dt>
<dd>JSON in UTF-8, without a byte order mark and without half of a surrogate pair.</dd>
<dt>CORS</dt>
<dd>Scripts of any site may call the tools and the health check and read this API's description.${signup && html` The signup's answers can be read by the site's own pages alone.`}</dd>
<dt>Caching</dt>
<dd>Descriptions are the same for everyone and have an <code>ETag</code>: send it back in <code>If-None-Match</code> and an unchanged one gives 304. Results by GET have an <code>ETag</code> too, but no shared cache keeps them; a result that may hold secrets is kept nowhere.</dd>
<dt>HEAD and OPTIONS</dt>
<dd>Where there is GET there is HEAD. OPTIONS answers the preflight of a browser at the tools.</dd>
</dl>
</section>
`;

/** How the site's pages and other servers prove that they may sign people up. */
const SIGNUP_PROOFS = html`<p>The signup takes one of two proofs. The site's own pages send a challenge token, minted for them. Servers share a secret with the site's operator; to a command from this page they add it as a header:</p>
<pre tabindex="0"><code>--header "Authorization: Bearer $SIGNUP_INGEST_SECRET"</code></pre>
<p>A page of the site gets its challenge from <code>GET /api/beta-signup/challenge</code>, unless the operator uses Turnstile, whose widget has its own. The answer is an ALTCHA challenge, version 2: count up until the key that PBKDF2 derives from <code>nonce</code> and counter, with <code>salt</code> and <code>cost</code>, begins with <code>keyPrefix</code>. What goes into <code>turnstileToken</code> is the base64 of <code>{ challenge, solution: { counter, derivedKey } }</code>. It is good for five minutes and for one signup.</p>
<p>An operator may limit the signups of a network address; then the answer is 429 with the code <code>rate_limited</code> and <code>Retry-After</code>, which the interface itself does not have.</p>
`;

const tagSection = (document: OpenApiDocument, tag: string, description: string): Html =>
  html`<section aria-labelledby="${anchorOf(tag)}">
<h2 id="${anchorOf(tag)}">${tag}</h2>
<p>${description}</p>
${operationsOf(document, tag).map((operation) => operationSection(document, operation))}
</section>
`;

/** Every error of any operation, by status. */
const errors = (document: OpenApiDocument): Html => html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>The body of every error is an <a href="#Error">Error</a>. Branch on <code>code</code>, never on <code>message</code>.</p>
${table("Errors", ["Code", "Meaning"], errorsOf(document).map(toRow))}
</section>
`;

interface DocumentedError {
  readonly status: string;
  readonly codes: readonly string[];
  readonly description: string;
}

const toRow = ({ status, codes, description }: DocumentedError): Row => ({
  name: html`${codes.map((name) => html`${code(name)} `)}`,
  kind: html`${status}`,
  meaning: inline(description),
});

function errorsOf(document: OpenApiDocument): readonly DocumentedError[] {
  const byStatus = new Map<string, DocumentedError>();
  for (const operation of operationsOf(document)) {
    for (const { status, description, content } of responsesOf(document.components, operation)) {
      const { schema, examples = {} } = mediaOf(content)?.[1] ?? {};
      if (schema?.$ref && nameOf({ $ref: schema.$ref }) === "Error") {
        byStatus.set(status, { status, codes: Object.keys(examples), description });
      }
    }
  }
  return [...byStatus.values()].sort((a, b) => Number(a.status) - Number(b.status));
}

/** The objects in responses. Request bodies stand with their operations. */
function schemas(document: OpenApiDocument): Html {
  const sent = operationsOf(document).map(
    ({ requestBody }) => requestBody && bodySchema(requestBody),
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
