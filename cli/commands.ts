import type { Define } from "./options.ts";

/** A command in the list of --help. Its code loads when a command line names it. */
type CommandRow = readonly [
  heading: string,
  name: string,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<string, Define>> }>,
];

const mcpInstall = () => import("./mcp/install.ts");
const server = () => import("./server-commands.ts");
const reference = () => import("./reference-commands.ts");

export const COMMANDS: readonly CommandRow[] = [
  ["Tools:", "mail-filter", "Gmail filter generator", () => import("./tools/mail-filter.ts")],
  [
    "Tools:",
    "automation-cost",
    "Zapier cost calculator",
    () => import("./tools/automation-cost.ts"),
  ],
  ["Tools:", "mcp-config", "MCP config generator", () => import("./tools/mcp-config.ts")],
  ["MCP:", "mcp-install", "write an MCP server into clients' files", mcpInstall],
  ["MCP:", "mcp-uninstall", "remove an MCP server from clients' files", mcpInstall],
  ["MCP:", "mcp-list", "list the MCP servers in clients' files", () => import("./mcp/list.ts")],
  ["MCP:", "mcp", "serve the tools to an AI client (MCP)", server],
  ["Server:", "serve", "run the HTTP server", server],
  ["Server:", "signups", "count, export, import, delete or sync the stored signups", server],
  ["Reference:", "tools", "list the tools", reference],
  ["Reference:", "schema", "print the JSON Schema of a tool's input", reference],
  ["Reference:", "example", "print an input that runs", reference],
  ["Reference:", "explain", "explain the code of a warning", reference],
  ["Reference:", "openapi", "print the OpenAPI document of the HTTP service", reference],
  // run.ts makes it the flag --help.
  ["Reference:", "help", "show how a command is used", reference],
];
