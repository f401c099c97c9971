import { API_VERSION, type Contract, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import type { FileSchema } from "../../src/file-schemas.ts";
import { openApi } from "../../src/openapi/openapi.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  type Handler,
  type HeaderMap,
  respondFixed,
} from "../http/response.ts";
import {
  CARD_PATH,
  CATALOG_PATH,
  catalogLink,
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  SITEMAP_PATH,
  SKILL_PATH,
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

/** A skill that tells agents how to call the tools. */
export const agentSkill = ({ baseUrl }: Service): Handler =>
  document(
    () => skillText(baseUrl()),
    "text/markdown; charset=utf-8",
    () => CORS_HEADERS,
  );

/** The Agent Skills discovery format, version 0.2.0. */
export const agentSkills = ({ baseUrl }: Service): Handler => json(() => skillIndex(baseUrl()));

/** SEP-2127: where the MCP server is. It lists the tools itself. */
export const mcpCard = ({ baseUrl }: Service): Handler =>
  json(() => serverCard(baseUrl()), CARD_TYPE);

/** The MCP server for catalogs of AI services. */
export const aiCatalog = ({ baseUrl }: Service): Handler => json(() => aiServices(baseUrl()));

/** RFC 9264's media type, with the profile of RFC 9727. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const CARD_TYPE = "application/mcp-server-card+json";

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

const NAME = "handtools";
const TITLE = "Handtools";
const SUMMARY = "Gmail filters as a file, Zapier prices, MCP configs for AI clients";

const skillIndex = (baseUrl: string): object => ({
  $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  skills: [
    {
      name: NAME,
      type: "skill-md",
      description: SKILL_DESCRIPTION,
      url: `${baseUrl}${SKILL_PATH}`,
      digest: `sha256:${new Bun.CryptoHasher("sha256").update(skillText(baseUrl)).digest("hex")}`,
    },
  ],
});

const SKILL_DESCRIPTION = `${SUMMARY}. Use it when someone wants to sort mail in Gmail, to know what an automation costs on Zapier, or to add an MCP server to Claude, Cursor, VS Code or Codex.`;

const skillText = (baseUrl: string): string => `---
name: ${NAME}
description: ${JSON.stringify(SKILL_DESCRIPTION)}
---

# ${TITLE}

These tools have no side effects, and need no key and no account.

- By the Model Context Protocol: connect to ${baseUrl}${MCP_PATH} (Streamable HTTP) and call a tool by its name.
- Over HTTP: send the input as JSON with POST; the response is the result as JSON. ${baseUrl}${OPENAPI_PATH} describes inputs and results.

${tools.map((tool) => toolText(tool, baseUrl)).join("\n\n")}

## Results

A rejected input names each problem by its path: correct it and call again. Show the user the \`warnings\` of a result. Results of the MCP config generator may hold secrets: do not store or log them.
`;

const toolText = (tool: Contract, baseUrl: string): string => `## ${tool.title} (\`${tool.name}\`)

${tool.description}

\`\`\`
POST ${baseUrl}${toolPath(tool)}
Content-Type: application/json

${JSON.stringify(tool.example_input)}
\`\`\``;

const serverCard = (baseUrl: string): object => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${new URL(baseUrl).hostname.split(".").reverse().join(".")}/${NAME}`,
  version: API_VERSION,
  title: TITLE,
  description: SUMMARY,
  websiteUrl: baseUrl,
  remotes: [
    {
      type: "streamable-http",
      url: `${baseUrl}${MCP_PATH}`,
      supportedProtocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18"],
    },
  ],
});

const aiServices = (baseUrl: string): object => ({
  specVersion: "1.0",
  host: { displayName: TITLE },
  entries: [
    {
      identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${NAME}`,
      displayName: TITLE,
      type: CARD_TYPE,
      url: `${baseUrl}${CARD_PATH}`,
      description: SUMMARY,
      representativeQueries: [
        "Make a Gmail filter that labels invoices",
        "What does Zapier cost for 20,000 tasks a month?",
        "Add this MCP server to Claude Code and Cursor",
      ],
    },
  ],
});
