import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { described } from "./common.ts";
import { defineContract } from "./contract.ts";
import {
  ALL_CLIENTS,
  clientsSchema,
  localMcpConfigInput,
  mcpConfigInput,
  SYNONYMS,
  TRANSPORTS,
} from "./inputs/mcp-config.ts";
import { warningsOf } from "./warning.ts";

export {
  ALL_CLIENTS,
  CLIENTS,
  type Client,
  type McpConfigInput,
  type ValidMcpConfigInput,
} from "./inputs/mcp-config.ts";

const ResultSchema = v.strictObject({
  name: described(v.string(), "The server's name."),
  transport: described(
    v.picklist(TRANSPORTS),
    "stdio: a local server; http: a remote one (Streamable HTTP); sse: a remote one of the older transport.",
  ),
  clients: described(
    v.array(
      v.strictObject({
        client: described(v.picklist(ALL_CLIENTS), "The client's identifier."),
        title: described(v.string(), "The client's name, such as Claude Desktop."),
        format: described(v.picklist(["json", "toml"]), "Of the client's file."),
        locations: described(
          v.array(
            v.strictObject({
              scope: described(
                v.picklist(["user", "project"]),
                "For all projects of the user, or for one.",
              ),
              os: described(
                v.picklist(["macos", "windows", "linux"]),
                "The system on which the file is there.",
              ),
              path: described(
                v.string(),
                "The file: ~ and %NAME% are the user's, other paths the project's.",
              ),
            }),
          ),
          "The paths where the client looks for its file.",
        ),
        snippet: described(v.string(), "The whole file, ready to paste."),
        entry: described(
          v.string(),
          "The same for a file that has other servers: the member to put into the object of servers, or the TOML tables to append.",
        ),
        install: described(
          v.strictObject({
            bash: v.optional(described(v.string(), "A command for bash and other POSIX shells.")),
            powershell: v.optional(described(v.string(), "The same command for PowerShell.")),
            link: v.optional(described(v.string(), "A link that opens the client.")),
          }),
          "Commands and a link that add the server, where they are known to work.",
        ),
        notes: described(v.array(v.string()), "Facts to know, in sentences."),
      }),
    ),
    "One per client, in a fixed order.",
  ),
  warnings: warningsOf<WarningCode<"mcp_config_generator">>(),
});

/** The result of `mcpConfig()`: the config of the server for each client. */
export interface McpConfigResult extends v.InferOutput<typeof ResultSchema> {}
/** The config of the server for one client. */
export type ClientConfig = McpConfigResult["clients"][number];
/** A place where the client looks for its config. */
export type ClientLocation = ClientConfig["locations"][number];

/** The contract of the MCP config generator. */
export const mcpConfigContract = defineContract({
  name: "mcp_config_generator",
  title: "MCP config generator",
  description: `Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex, or for others of ${ALL_CLIENTS.length} clients: ?clients=zed,opencode in the URL, over MCP the argument clients. Give command, args and env for a local server, or url and headers for a remote one; get each client's file locations, a paste-ready snippet, install commands and links, and warnings. A server.json of the MCP registry goes to the command line: handtools mcp-config server.json.`,
  command: "mcp-config",
  function: "mcpConfig",
  input: mcpConfigInput,
  local_input: localMcpConfigInput,
  synonyms: SYNONYMS,
  clients: clientsSchema,
  output: ResultSchema as v.GenericSchema<McpConfigResult>,
  example_input: {
    name: "files",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
  },
  prints: "the snippets of the five clients, with headings",
  sensitive: true,
});
