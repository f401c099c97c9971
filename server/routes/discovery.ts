import { HEALTH_MEDIA_TYPE, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { openApi } from "../../src/openapi/openapi.ts";
import { CORS_HEADERS, dataHeaders, type HeaderMap, staticText } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import {
  CATALOG_PATH,
  catalogLink,
  DOCS_PATH,
  HOME_PATH,
  type Link,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  TOOLS_PATH,
  toLinkHeader,
  toolPagePath,
} from "../links.ts";
import { html } from "../pages/html.ts";
import type { Service } from "../service.ts";

/** RFC 9264's media type, with the profile of RFC 9727. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const SITEMAP_PATH = "/sitemap.xml";
const TEXT = "text/plain; charset=utf-8";

/** The documents by which clients, crawlers and agents discover the API and the pages. */
export const discoveryRoutes = ({ baseUrl, signup, mcp }: Service): Route[] => [
  document({
    path: OPENAPI_PATH,
    type: "application/json",
    headers: CORS_HEADERS,
    compose: () => JSON.stringify(openApi({ baseUrl: baseUrl(), signup: signup !== undefined })),
  }),
  document({
    path: CATALOG_PATH,
    type: LINKSET,
    headers: CORS_HEADERS,
    links: () => [catalogLink(baseUrl())],
    compose: () => JSON.stringify(catalog(baseUrl())),
    logged: true,
  }),
  document({ path: LLMS_PATH, type: TEXT, compose: () => llms(baseUrl(), mcp) }),
  document({ path: "/robots.txt", type: TEXT, compose: () => robots(baseUrl()) }),
  document({ path: SITEMAP_PATH, type: "application/xml", compose: () => sitemap(baseUrl()) }),
];

interface Document {
  readonly path: string;
  readonly type: string;
  /** Headers of every response, errors included. */
  readonly headers?: HeaderMap;
  readonly logged?: boolean;
  links?(): readonly Link[];
  compose(): string;
}

/** A document that stays the same while the server runs. */
export const document = ({
  path,
  type,
  headers = {},
  logged = false,
  links,
  compose,
}: Document): Route => ({
  path,
  methods: {
    GET: staticText(compose, () =>
      dataHeaders(
        {
          ...headers,
          ...(links && { Link: toLinkHeader(links()) }),
          "Cache-Control": "public, max-age=3600",
        },
        type,
      ),
    ),
  },
  headers,
  logged,
});

/** RFC 9727: the API for other programs. The signup serves this site alone, so it is not listed. */
function catalog(baseUrl: string): object {
  const api = `${baseUrl}/api/tools`;
  return {
    linkset: [
      {
        anchor: `${baseUrl}${CATALOG_PATH}`,
        item: [{ href: api, type: "application/json", title: "Free tools API" }],
      },
      {
        anchor: api,
        "service-desc": [{ href: `${baseUrl}${OPENAPI_PATH}`, type: "application/json" }],
        "service-doc": [{ href: `${baseUrl}${DOCS_PATH}`, type: "text/html" }],
        status: [{ href: `${baseUrl}/api/health`, type: HEALTH_MEDIA_TYPE }],
        item: tools.map((tool) => ({
          href: `${baseUrl}${toolPath(tool)}`,
          type: "application/json",
          title: tool.title,
        })),
      },
    ],
  };
}

/** llmstxt.org: what an AI agent needs to know before it calls. */
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

/** sitemaps.org: the pages for people. */
const sitemap = (baseUrl: string): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${PAGES.map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)}</urlset>
`.markup;
