import type { CommandRow } from "./options.ts";

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
  ["MCP:", "mcp", "serve, add, remove, list and check MCP servers", () => import("./mcp/mcp.ts")],
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
