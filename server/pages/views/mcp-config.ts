import type { McpConfigResult } from "../../../schemas/index.ts";
import { html } from "../html.ts";
import type { View } from "../view.ts";
import { about } from "./mcp-config/about.ts";
import { clientPanel } from "./mcp-config/client-panel.ts";
import { teaser } from "./mcp-config/teaser.ts";

export const mcpConfigView: View<McpConfigResult> = {
  lead: "Describe an MCP server once: get its config for five AI clients, the place of each file, and the commands and links that add it.",

  summary: ({ name, transport, clients }) =>
    `The ${transport === "stdio" ? "local" : "remote"} server “${name}”, for ${clients.length} clients.`,

  body: ({ clients }, { warnings }) => html`<div data-tabs="Clients" id="clients">
${clients.map((client, index) =>
  clientPanel(
    client,
    warnings.filter(({ path }) => path === `clients[${index}]`),
  ),
)}</div>
`,

  teaser,

  about,
};
