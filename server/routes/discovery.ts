import { tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import type { FileSchema } from "../../src/file-schemas.ts";
import { openApi } from "../../src/openapi.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  type Handler,
  type HeaderMap,
  respondFixed,
} from "../http/response.ts";
import {
  CATALOG_PATH,
  catalogLink,
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  SITEMAP_PATH,
  TOOLS_PATH,
  toLinkHeader,
  toolPagePath,
} from "../links.ts";
import { html } from "../pages/html.ts";
import type { Service } from "../service.ts";

/** The OpenAPI description of the API. */
export const openApiDocument = ({ baseUrl, signup }: Service): Handler =>
  json(() => openApi({ baseUrl: baseUrl(), signup: signup !== undefined }));

/** A JSON Schema of files, for editors. */
export const fileSchema = ({ compose }: FileSchema): Handler =>
  json(compose, "application/schema+json");

/** RFC 9727: the API for other programs. The signup serves this site alone, so it is not listed. */
export const apiCatalog = ({ baseUrl }: Service): Handler =>
  document(
    () => JSON.stringify(catalog(baseUrl())),
    LINKSET,
    () => ({
      ...CORS_HEADERS,
      Link: toLinkHeader([catalogLink(baseUrl())]),
    }),
  );

/** llmstxt.org: what an AI agent needs to know before it calls. */
export const llmsText = ({ baseUrl, mcp }: Service): Handler => text(() => llms(baseUrl(), mcp));

/** Lets crawlers read everything, and leads them to the pages. */
export const robotsText = ({ baseUrl }: Service): Handler => text(() => robots(baseUrl()));

/** sitemaps.org: the pages for people. */
export const pageMap = ({ baseUrl }: Service): Handler =>
  document(() => sitemap(baseUrl()), "application/xml");

/** RFC 9264's media type, with the profile of RFC 9727. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** A document that stays the same while the server runs. */
const document = (
  compose: () => string,
  type: string,
  headers: () => HeaderMap = () => ({}),
): Handler =>
  respondFixed(compose, {
    headers: () => dataHeaders({ ...headers(), "Cache-Control": "public, max-age=3600" }, type),
  });

const json = (compose: () => object, type = "application/json"): Handler =>
  document(
    () => JSON.stringify(compose()),
    type,
    () => CORS_HEADERS,
  );

const text = (compose: () => string): Handler => document(compose, "text/plain; charset=utf-8");

function catalog(baseUrl: string): object {
  const api = `${baseUrl}/api/tools`;
  const linksTo = (wanted: string) =>
    discoveryLinks(baseUrl)
      .filter(({ rel }) => rel === wanted)
      .map(({ href, type }) => ({ href, type }));
  return {
    linkset: [
      {
        anchor: `${baseUrl}${CATALOG_PATH}`,
        item: [{ href: api, type: "application/json", title: "Free tools API" }],
      },
      {
        anchor: api,
        "service-desc": linksTo("service-desc"),
        "service-doc": linksTo("service-doc"),
        status: linksTo("status"),
        item: tools.map((tool) => ({
          href: `${baseUrl}${toolPath(tool)}`,
          type: "application/json",
          title: tool.title,
        })),
      },
    ],
  };
}

const llms = (baseUrl: string, mcp: boolean): string => `# Handtools

> Free tools over HTTP, with no key and no account: send JSON, get JSON.

GET ${baseUrl}/api/tools lists the tools with input schemas and example requests. Each runs by POST of its input as JSON, or by GET with ?input=<URL-encoded JSON>. Errors are { "error": { "code", "message" } }: branch on the code; the message names each problem by its path.
${mcp ? `\nBy the Model Context Protocol: ${baseUrl}${MCP_PATH} (Streamable HTTP) has the same tools.\n` : ""}
## Tools

${tools.map((tool) => `- [${tool.title}](${baseUrl}${toolPath(tool)}): ${tool.description}`).join("\n")}

## Pages for people

${tools.map((tool) => `- [${tool.title}](${baseUrl}${toolPagePath(tool)})`).join("\n")}

## Documentation

- [API reference](${baseUrl}${DOCS_PATH})
- [OpenAPI 3.1 description](${baseUrl}${OPENAPI_PATH})
- [API catalog](${baseUrl}${CATALOG_PATH})
`;

const robots = (baseUrl: string): string => `User-agent: *
Allow: /

Sitemap: ${baseUrl}${SITEMAP_PATH}
`;

const PAGES = [HOME_PATH, TOOLS_PATH, ...tools.map(toolPagePath), DOCS_PATH];

const sitemap = (baseUrl: string): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${PAGES.map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)}</urlset>
`.markup;
