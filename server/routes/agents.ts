import { API_VERSION, tools } from "../../schemas/index.ts";
import { CORS_HEADERS } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { MCP_PATH, OPENAPI_PATH } from "../links.ts";
import { once } from "../once.ts";
import type { Service } from "../service.ts";
import { document } from "./discovery.ts";

/** The documents by which AI agents discover the MCP endpoint and a skill that tells its use. */
export function agentRoutes({ baseUrl, mcp }: Service): Route[] {
  if (!mcp) return [];
  const skill = once(() => skillText(baseUrl()));
  const json = (path: string, compose: () => object, type = "application/json") =>
    document({ path, type, headers: CORS_HEADERS, compose: () => JSON.stringify(compose()) });
  return [
    document({
      path: SKILL_PATH,
      type: "text/markdown; charset=utf-8",
      headers: CORS_HEADERS,
      compose: skill,
    }),
    json("/.well-known/agent-skills/index.json", () => skillIndex(baseUrl(), skill())),
    json(CARD_PATH, () => serverCard(baseUrl()), CARD_TYPE),
    // The two specifications disagree on the name of one and the same file.
    json("/.well-known/ai-catalog.json", () => aiCatalog(baseUrl())),
    json("/.well-known/ard.json", () => aiCatalog(baseUrl())),
  ];
}

const SKILL_PATH = "/.well-known/agent-skills/handtools/SKILL.md";
const CARD_PATH = `${MCP_PATH}/server-card`;
const CARD_TYPE = "application/mcp-server-card+json";

const NAME = "handtools";
const TITLE = "Handtools";
const SUMMARY = "Gmail filters as a file, Zapier prices, MCP configs for AI clients";

/** The Agent Skills discovery format, version 0.2.0. */
const skillIndex = (baseUrl: string, skill: string): object => ({
  $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  skills: [
    {
      name: NAME,
      type: "skill-md",
      description: SKILL_DESCRIPTION,
      url: `${baseUrl}${SKILL_PATH}`,
      digest: `sha256:${new Bun.CryptoHasher("sha256").update(skill).digest("hex")}`,
    },
  ],
});

const SKILL_DESCRIPTION = `${SUMMARY}. Use it when someone wants to sort mail in Gmail, to know what an automation costs on Zapier, or to add an MCP server to Claude, Cursor, VS Code or Codex.`;

const skillText = (baseUrl: string): string => `---
name: ${NAME}
description: ${JSON.stringify(SKILL_DESCRIPTION)}
---

# ${TITLE}

Three tools without side effects. No key and no account is needed.

- By the Model Context Protocol: connect to ${baseUrl}${MCP_PATH} (Streamable HTTP) and call a tool by its name.
- Over HTTP: send the input as JSON with POST; the response is the result as JSON. ${baseUrl}${OPENAPI_PATH} describes inputs and results.

${tools.map(({ name, title, description, segment, example_input }) => toolText(`${title} (\`${name}\`)`, description, `${baseUrl}/api/tools/${segment}`, example_input)).join("\n\n")}

## Results

A refused input names each problem by its path: correct it and call again. Show the user the \`warnings\` of a result. Results of the MCP config generator may hold secrets: do not store or log them.
`;

const toolText = (
  heading: string,
  description: string,
  endpoint: string,
  example: unknown,
): string => `## ${heading}

${description}

\`\`\`
POST ${endpoint}
Content-Type: application/json

${JSON.stringify(example)}
\`\`\``;

/** SEP-2127. The tools themselves are listed by the server. */
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

const aiCatalog = (baseUrl: string): object => ({
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
