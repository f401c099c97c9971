import { Elysia } from "elysia";
import { tools } from "../../schemas/index.ts";
import { clientsUsage, toolPath } from "../../src/describe-tool.ts";
import { fileSchemas } from "../../src/file-schemas.ts";
import { createOpenApiDocument } from "../../src/openapi.ts";
import { joinWithConjunction } from "../../src/text.ts";
import { cachedHandler } from "../http/respond.ts";
import { DOCS_PATHS } from "../pages/docs/docs.tsx";
import {
  CATALOG_PATH,
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  toLinkHeader,
  toolPagePath,
} from "../paths.ts";
import type { Service } from "../service.ts";
import { preflight } from "./tools.ts";

/** Documents for clients, crawlers and agents. */
export function discoveryRoutes({ baseUrl, config, signup }: Service) {
  const openApi = () => createOpenApiDocument({ baseUrl: baseUrl(), signup: !!signup });
  const documents: readonly (readonly [path: string, type: string, compose: () => string])[] = [
    [OPENAPI_PATH, "application/json", () => JSON.stringify(openApi())],
    [LLMS_PATH, PLAIN_TEXT, () => llms(baseUrl(), config.MCP)],
    ["/robots.txt", PLAIN_TEXT, () => robots(baseUrl())],
    ["/sitemap.xml", "application/xml", () => sitemap(baseUrl())],
  ];
  const app = new Elysia().get(
    CATALOG_PATH,
    cachedHandler(
      () => JSON.stringify(catalog(baseUrl())),
      () => ({
        ...hourly(LINKSET_TYPE)(),
        link: toLinkHeader(discoveryLinks(baseUrl()).slice(0, 1)),
      }),
    ),
  );
  for (const [path, type, compose] of documents)
    app.get(path, cachedHandler(compose, hourly(type)));
  for (const { name, compose } of fileSchemas) {
    const json = () => JSON.stringify(compose());
    app.get(`/schemas/${name}.json`, cachedHandler(json, hourly("application/schema+json")));
  }
  return app.options(OPENAPI_PATH, preflight).options(CATALOG_PATH, preflight);
}

const hourly = (type: string) => () => ({
  "cache-control": "public, max-age=3600",
  "content-type": type,
});

/** RFC 9264, with the profile of RFC 9727. */
const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

const PLAIN_TEXT = "text/plain; charset=utf-8";

/** RFC 9727. The signup is not listed, because it serves this site only. */
function catalog(baseUrl: string): object {
  const api = `${baseUrl}/api/tools`;
  const links = discoveryLinks(baseUrl).map(({ rel, href, type }) => [rel, [{ href, type }]]);
  const { "api-catalog": _, describedby: __, ...ofApi } = Object.fromEntries(links);
  const item = (href: string, title: string) => ({ href, type: "application/json", title });
  return {
    linkset: [
      { anchor: `${baseUrl}${CATALOG_PATH}`, item: [item(api, "Free tools API")] },
      {
        anchor: api,
        ...ofApi,
        item: tools.map((tool) => item(`${baseUrl}${toolPath(tool)}`, tool.title)),
      },
    ],
  };
}

const TOOL_NAMES = joinWithConjunction(
  tools.map(({ name }) => name),
  "and",
);

/** llmstxt.org */
const llms = (baseUrl: string, hasMcp: boolean): string => `# Handtools

> Free tools over HTTP, with no key and no account: send JSON, get JSON.

GET ${baseUrl}/api/tools lists the tools with input schemas and example requests. To run one, POST its input as JSON, or use GET with ?input=<URL-encoded JSON>. Errors are { "error": { "code", "message" } }: branch on the code; the message names each problem by its path.
${hasMcp ? `\nOver the Model Context Protocol: ${baseUrl}${MCP_PATH} (Streamable HTTP) has the same tools, named ${TOOL_NAMES}.\n` : ""}
In a browser with WebMCP every page has the tools too, and runs them there: no input is sent.

## Tools

${tools.map((tool) => `- [${tool.title}](${baseUrl}${toolPath(tool)}): ${tool.description}${clientsUsage(tool)}`).join("\n")}

## Pages for people

${tools.map((tool) => `- [${tool.title}](${baseUrl}${toolPagePath(tool)})`).join("\n")}

## Documentation

- [API reference](${baseUrl}${DOCS_PATH})
- [OpenAPI 3.1 description](${baseUrl}${OPENAPI_PATH})
- [API catalog](${baseUrl}${CATALOG_PATH})
`;

const robots = (baseUrl: string): string => `User-agent: *
Allow: /

Sitemap: ${baseUrl}/sitemap.xml
`;

const sitemap = (baseUrl: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[HOME_PATH, ...tools.map(toolPagePath), ...DOCS_PATHS].map((path) => `<url><loc>${baseUrl}${path}</loc></url>\n`).join("")}</urlset>
`;
