import type { Define } from "./options.ts";

/** A command in the list of --help. Its code loads when a command line names it. */
type CommandEntry = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<string, Define>> }>,
];

/** The headings of --help, each with its commands. */
export type CommandGroups = Readonly<Record<string, readonly CommandEntry[]>>;

export const COMMANDS: CommandGroups = {
  "Tools:": [
    ["mail-filter", "Gmail filter generator", () => import("./tools/mail-filter.ts")],
    ["automation-cost", "Zapier cost calculator", () => import("./tools/automation-cost.ts")],
    ["mcp-config", "MCP config generator", () => import("./tools/mcp-config.ts")],
  ],
  "Gmail:": [
    [
      "mail-try",
      "see what filters would do to your own mail",
      () => import("./mail-try/mail-try.ts"),
    ],
  ],
  "MCP:": [
    ["mcp-install", "write an MCP server into clients' files", () => import("./mcp/install.ts")],
    ["mcp-uninstall", "remove an MCP server from clients' files", () => import("./mcp/install.ts")],
    ["mcp-list", "list the MCP servers in clients' files", () => import("./mcp/list.ts")],
    ["mcp", "serve the tools to an AI client (MCP)", () => import("./server-commands.ts")],
  ],
  "Server:": [
    ["serve", "run the HTTP server", () => import("./server-commands.ts")],
    ["signups", "count, export or delete the stored signups", () => import("./server-commands.ts")],
  ],
  "Reference:": [
    ["tools", "list the tools", () => import("./reference-commands.ts")],
    ["schema", "print the JSON Schema of a tool's input", () => import("./reference-commands.ts")],
    ["example", "print an input that runs", () => import("./reference-commands.ts")],
    ["explain", "explain the code of a warning", () => import("./reference-commands.ts")],
    [
      "openapi",
      "print the OpenAPI document of the HTTP service",
      () => import("./reference-commands.ts"),
    ],
  ],
};
