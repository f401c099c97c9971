import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { warningsOf } from "./common.ts";
import { defineContract } from "./contract.ts";
import type { McpConfigResult } from "./generated/mcp-config.ts";
import {
  ALL_CLIENTS,
  localMcpConfigInput,
  mcpConfigInput,
  SYNONYMS,
  TRANSPORTS,
} from "./inputs/mcp-config.ts";

export type * from "./generated/mcp-config.ts";
export {
  ALL_CLIENTS,
  CLIENTS,
  type Client,
  type ValidMcpConfigInput,
} from "./inputs/mcp-config.ts";

const ResultSchema: v.GenericSchema<McpConfigResult> = v.strictObject({
  name: v.pipe(v.string(), v.description("The server's name.")),
  transport: v.pipe(
    v.picklist(TRANSPORTS),
    v.description(
      "stdio: a local server; http: a remote one (Streamable HTTP); sse: a remote one of the older transport.",
    ),
  ),
  clients: v.pipe(
    v.array(
      v.strictObject({
        client: v.pipe(v.picklist(ALL_CLIENTS), v.description("The client's identifier.")),
        title: v.pipe(v.string(), v.description("The client's name, such as Claude Desktop.")),
        format: v.pipe(v.picklist(["json", "toml"]), v.description("Of the client's file.")),
        locations: v.pipe(
          v.array(
            v.strictObject({
              scope: v.pipe(
                v.picklist(["user", "project"]),
                v.description("For all projects of the user, or for one."),
              ),
              os: v.pipe(
                v.picklist(["macos", "windows", "linux"]),
                v.description("The system on which the file is there."),
              ),
              path: v.pipe(
                v.string(),
                v.description("The file: ~ and %NAME% are the user's, other paths the project's."),
              ),
            }),
          ),
          v.description("The paths where the client looks for its file."),
        ),
        snippet: v.pipe(v.string(), v.description("The whole file, ready to paste.")),
        entry: v.pipe(
          v.string(),
          v.description(
            "The same for a file that has other servers: the member to put into the object of servers, or the TOML tables to append.",
          ),
        ),
        install: v.pipe(
          v.strictObject({
            bash: v.optional(
              v.pipe(v.string(), v.description("A command for bash and other POSIX shells.")),
            ),
            powershell: v.optional(
              v.pipe(v.string(), v.description("The same command for PowerShell.")),
            ),
            link: v.optional(v.pipe(v.string(), v.description("A link that opens the client."))),
          }),
          v.description("Commands and a link that add the server, where they are known to work."),
        ),
        notes: v.pipe(v.array(v.string()), v.description("Facts to know, in sentences.")),
      }),
    ),
    v.description("One per client, in a fixed order."),
  ),
  warnings: warningsOf<WarningCode<"mcp_config_generator">>(),
});

/** The contract of the MCP config generator. */
export const mcpConfigContract = defineContract({
  name: "mcp_config_generator",
  title: "MCP config generator",
  description: `Writes the config of one MCP server for five AI clients: Claude Desktop, Claude Code, Cursor, VS Code and Codex. They are five of ${ALL_CLIENTS.length}, so that a result stays short: the web page, the command line (--client) and the library write the others on request. Give command, args and env for a local server, or url and headers for a remote one; get each client's file locations, a paste-ready snippet, install commands and links, and warnings.`,
  command: "mcp-config",
  function: "mcpConfig",
  input: mcpConfigInput,
  local_input: localMcpConfigInput,
  synonyms: SYNONYMS,
  output: ResultSchema,
  example_input: {
    name: "files",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
  },
  prints: "the snippets of the five clients, with headings",
  sensitive: true,
});
