import type { CommandRow } from "./options.ts";

const loadServerCommands = () => import("./server-commands.ts");
const loadReferenceCommands = () => import("./reference-commands.ts");

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
  ["Server:", "serve", "run the HTTP server", loadServerCommands],
  [
    "Server:",
    "signups",
    "count, export, import, delete or sync the stored signups",
    loadServerCommands,
  ],
  ["Reference:", "tools", "list the tools", loadReferenceCommands],
  ["Reference:", "schema", "print the JSON Schema of a tool's input", loadReferenceCommands],
  ["Reference:", "example", "print an example input", loadReferenceCommands],
  ["Reference:", "explain", "explain the code of a warning", loadReferenceCommands],
  [
    "Reference:",
    "openapi",
    "print the OpenAPI document of the HTTP service",
    loadReferenceCommands,
  ],
  // run.ts turns it into --help.
  ["Reference:", "help", "show how a command is used", loadReferenceCommands],
];
