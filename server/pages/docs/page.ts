import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import type { OpenApiDocument } from "../../../src/openapi.ts";
import { openApi } from "../../../src/openapi.ts";
import { thousands } from "../../../src/text.ts";
import { CATALOG_PATH, DOCS_PATH, LLMS_PATH, MCP_PATH, OPENAPI_PATH } from "../../links.ts";
import type { Service } from "../../service.ts";
import { filtersInAFile } from "../about.tsx";
import { type Html, html } from "../html.ts";
import { renderHtml } from "../layout.tsx";
import { code, copyBlock, inline, prose } from "../parts.ts";
import { Prose } from "../parts.tsx";
import { chooseMedia, componentName, listOperations } from "./document.ts";
import {
  bodySchema,
  languageTabs,
  listResponses,
  operationText,
  writeRequests,
} from "./operation.ts";
import { fieldTable, type Row, twoColumnTable } from "./schema.ts";

/** The API for people: the OpenAPI document, a part at a time (styles/docs.css). */
export function docsPage(service: Service): string {
  const document = openApi({
    baseUrl: service.baseUrl(),
    signup: service.signup !== undefined,
  });
  const { title, version, summary } = document.info;
  const groups = listGroups(service, document);
  const parts = groups.flatMap((group) => group.parts);
  return renderHtml(service, {
    title: "API",
    description: summary,
    path: DOCS_PATH,
    layout: "docs",
    main: html`<header class="intro">
<h1>${title} API <small>${version}</small></h1>
<p class="lead">${summary}</p>
</header>
${contents(groups)}
<div class="text" id="${ALL}">
${parts.map((part, index) => partSection(part, parts[index - 1], parts[index + 1]))}
</div>`,
  });
}

/** A part of the documentation; one is shown at a time. */
interface Part {
  /** The id of its heading, which is in its body. */
  readonly id: string;
  /** The title of the part in the table of contents. */
  readonly title: string;
  readonly body: Html;
}

interface Group {
  readonly title: string;
  readonly parts: readonly Part[];
}

const ALL = "all";

function listGroups(service: Service, document: OpenApiDocument): readonly Group[] {
  const signup = service.signup !== undefined;
  return [
    {
      title: "Start",
      parts: [
        makePart("overview", "Overview", overview(document)),
        makePart("agents", "AI agents", agents(service)),
        makePart("filters-in-a-file", "Gmail filters in a file", {
          markup: renderToString(h(Prose, { text: filtersInAFile(service.npmPackage) })),
        }),
        makePart("authentication", "Authentication", authentication(signup)),
        makePart("rules", "Sizes, CORS and caching", rules(signup)),
        makePart("errors", "Errors", errors(document)),
      ],
    },
    ...document.tags.map(({ name }) => ({
      title: name,
      parts: listOperations(document, name).map((operation) => ({
        id: operation.operationId,
        title: operation.summary,
        body: operationText(document, operation),
      })),
    })),
    { title: "Objects in responses", parts: responseObjects(document) },
  ];
}

const makePart = (id: string, title: string, body: Html): Part => ({
  id,
  title,
  body: html`<h2 id="${id}">${title}</h2>\n${body}`,
});

const partSection = ({ id, body }: Part, before?: Part, after?: Part): Html =>
  html`<section class="part" aria-labelledby="${id}">
${body}
<p class="turn">${before && html`<a href="#${before.id}">← ${before.title}</a>`} ${after && html`<a href="#${after.id}">${after.title} →</a>`}</p>
</section>
`;

/** Links to the parts, which a narrow window folds away. */
const contents = (
  groups: readonly Group[],
): Html => html`<nav class="contents" aria-label="Contents">
<details class="fold"><summary>Show the contents</summary></details>
<ul>
${groups.map(
  ({ title, parts }) => html`<li>${title}
<ul>
${parts.map((part) => html`<li><a href="#${part.id}">${part.title}</a></li>\n`)}</ul>
</li>
`,
)}<li><a href="#${ALL}">All on one page</a></li>
</ul>
</nav>
`;

const overview = (document: OpenApiDocument): Html => html`
<p>All paths are relative to <code>${document.servers[0]?.url}</code>. A first call:</p>
${firstCall(document)}
${prose(document.info.description)}
<p>For programs and agents there are:</p>
<ul>
<li><a href="/api/tools">/api/tools</a>: the tools with their input schemas and requests that run</li>
<li><a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>: this API as an OpenAPI 3.1 document</li>
<li><a href="${CATALOG_PATH}">${CATALOG_PATH}</a>: the API catalog of RFC 9727</li>
<li><a href="${LLMS_PATH}">${LLMS_PATH}</a>: a short introduction for language models</li>
</ul>`;

/** The first example of the first operation that takes a body. */
function firstCall(document: OpenApiDocument): Html {
  const operation = listOperations(document).find(({ requestBody }) => requestBody);
  const [request] = operation ? writeRequests(document, operation) : [];
  return request ? languageTabs("first-call", { ...request, caption: "" }) : html``;
}

const agents = (service: Service): Html => html`
${service.mcp && mcpWays(`${service.baseUrl()}${MCP_PATH}`)}
<p>Agents in a browser with <a href="https://github.com/webmachinelearning/webmcp">WebMCP</a> find the tools on every page of this site. Since Chrome's trial ended on 17 November 2026, people have to switch WebMCP on: in Chrome by <code>chrome://flags/#enable-webmcp-testing</code>, in Firefox by <code>dom.modelcontext.enabled</code> in <code>about:config</code>. All others can start at <a href="${LLMS_PATH}">${LLMS_PATH}</a>.</p>`;

const mcpWays = (
  url: string,
): Html => html`<p>The tools are also a remote MCP server (Streamable HTTP), without a key. Add its address to your client:</p>
${copyBlock({ id: "mcp-address", label: "Address", of: "the MCP server", text: url })}
<p>In Claude Code, for example:</p>
${copyBlock({ id: "mcp-claude-code", label: "Shell", of: "Claude Code", text: `claude mcp add --transport http handtools ${url}` })}`;

const authentication = (signup: boolean): Html => html`
<p>The tools and the health check need none.</p>
${signup && SIGNUP_PROOFS}`;

const rules = (signup: boolean): Html => html`<dl>
<dt>Sizes</dt>
<dd>A tool’s input may have ${thousands(MAX_TOOL_INPUT_BYTES)} bytes of UTF-8: the body as it is sent, or <code>input</code> once decoded.${signup && html` A signup may have ${thousands(MAX_SIGNUP_BYTES)}.`}</dd>
<dt>Text</dt>
<dd>JSON in UTF-8, without a byte order mark or lone surrogates.</dd>
<dt>CORS</dt>
<dd>Scripts on any site may call the tools and the health check, and read the API’s descriptions.${signup && html` Only the site’s own pages can read the signup’s answers.`}</dd>
<dt>Caching</dt>
<dd>Descriptions are the same for everyone and have an <code>ETag</code>: send it back in <code>If-None-Match</code>, and an unchanged one gives 304. Results by GET have an <code>ETag</code> too, but shared caches do not keep them. A result that may hold secrets is not cached at all.</dd>
<dt>HEAD and OPTIONS</dt>
<dd>HEAD works wherever GET does. OPTIONS answers a browser’s preflight at the tools.</dd>
</dl>
`;

/** The proofs that let the site's pages and other servers sign people up. */
const SIGNUP_PROOFS = html`<p>The signup takes one of two proofs. The site’s own pages send a challenge token made for them. Servers share a secret with the site’s operator and send it as a header; add this to a command on this page:</p>
${copyBlock({ id: "signup-header", label: "Shell", of: "the signup’s header", text: '--header "Authorization: Bearer $SIGNUP_INGEST_SECRET"' })}
<p>A page of the site gets its challenge from <code>GET /api/beta-signup/challenge</code>, unless the operator uses Turnstile, whose widget brings its own. The answer is an ALTCHA challenge, version 2: count up until the key that PBKDF2 derives from <code>nonce</code> and counter, with <code>salt</code> and <code>cost</code>, begins with <code>keyPrefix</code>. Then put the base64 of <code>{ challenge, solution: { counter, derivedKey } }</code> into <code>turnstileToken</code>. It is good for five minutes and one signup.</p>
<p>An operator may limit the signups from one network address. The answer is then 429 with the code <code>rate_limited</code> and <code>Retry-After</code>, an extension of this server.</p>
`;

/** Every error of any operation, by status. */
const errors = (document: OpenApiDocument): Html => html`
<p>The body of every error is an <a href="#Error">Error</a>. Branch on <code>code</code>, never on <code>message</code>.</p>
${twoColumnTable("Errors", ["Code", "Meaning"], listErrors(document).map(toRow))}`;

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

function listErrors(document: OpenApiDocument): readonly DocumentedError[] {
  const byStatus = new Map<string, DocumentedError>();
  for (const operation of listOperations(document)) {
    for (const { status, description, content } of listResponses(document.components, operation)) {
      const { schema, examples = {} } = chooseMedia(content)?.[1] ?? {};
      if (schema?.$ref && componentName({ $ref: schema.$ref }) === "Error") {
        byStatus.set(status, { status, codes: Object.keys(examples), description });
      }
    }
  }
  return [...byStatus.values()].sort((a, b) => Number(a.status) - Number(b.status));
}

/** The objects in responses. Request bodies are with their operations. */
function responseObjects(document: OpenApiDocument): readonly Part[] {
  const sent = listOperations(document).map(
    ({ requestBody }) => requestBody && bodySchema(requestBody),
  );
  return Object.entries(document.components.schemas)
    .filter(([name]) => !sent.includes(name))
    .map(([name, schema]) => makePart(name, name, fieldTable(name, schema)));
}
