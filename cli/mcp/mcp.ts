import { addCommands, addExamples, type CommandRow, type DefineCommand } from "../options.ts";

const defineServe: DefineCommand = (command) => {
  command
    .description(
      "Serve the tools to an AI client over the Model Context Protocol, on standard input and output.",
    )
    .action(async () => {
      const { serveTools } = await import("../../server/mcp/stdio.ts");
      await serveTools();
    });
  addExamples(command, ["handtools mcp serve"]);
};

const editFiles = () => import("./add-remove.ts");
const readFiles = () => import("./list-servers.ts");

const SUBCOMMANDS: readonly CommandRow[] = [
  [
    "Commands:",
    "serve",
    "serve the tools of handtools to an AI client",
    async () => ({ commands: { serve: defineServe } }),
  ],
  ["Commands:", "add", "add MCP servers to clients' files", editFiles],
  ["Commands:", "remove", "remove MCP servers from clients' files", editFiles],
  ["Commands:", "list", "list the MCP servers in clients' files", readFiles],
  ["Commands:", "doctor", "find the MCP servers that clients cannot start", readFiles],
];

/** `handtools mcp`: manages the servers in clients' files, and serves handtools itself. */
const defineMcp: DefineCommand = async (command, io, args) => {
  command
    .description("Manage the MCP servers of AI clients, or run handtools as an MCP server.")
    .helpCommand(false);
  addExamples(command, ["handtools mcp list", "handtools mcp add --client cursor --self"]);
  await addCommands(command, SUBCOMMANDS, args, io);
};

export const commands = { mcp: defineMcp };
