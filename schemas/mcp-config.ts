import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import {
  closedObject,
  type Editable,
  list,
  shortText,
  stringMap,
  text,
  uri,
  usableName,
  warningsOf,
} from "./common.ts";
import { defineContract } from "./contract.ts";
import type { McpConfigInput, McpConfigResult } from "./generated/mcp-config.ts";

export type * from "./generated/mcp-config.ts";

const NO_LINE_BREAK = { value: /^[^\r\n]*$/, valueIs: "without line breaks", maxLength: 2000 };

const SYNONYMS = {
  arguments: "args",
  cmd: "command",
  endpoint: "url",
  environment: "env",
  header: "headers",
  http_url: "url",
  httpUrl: "url",
  program: "command",
  server_url: "url",
  serverUrl: "url",
  uri: "url",
} as const;

const INPUT = {
  name: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9_-]{1,64}$/, ({ input }) => {
      const usable = usableName(input);
      return `must be 1 to 64 letters, digits, - or _${usable === undefined ? "" : `, such as ${usable}`}`;
    }),
    v.description("The server's name in the config: letters, digits, - and _."),
  ),
  command: v.optional(
    v.pipe(text(1, 500), v.description("For a local server: the program to start.")),
  ),
  args: v.optional(
    v.pipe(
      list(shortText(1000), { max: 50 }),
      v.description(
        "For a local server: the program's arguments, one item each. ${NAME} stands for a variable of the environment in which the client runs.",
      ),
    ),
  ),
  env: v.optional(
    v.pipe(
      stringMap({
        ...NO_LINE_BREAK,
        key: /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
        keyIs: "1 to 100 letters, digits or _, not starting with a digit",
      }),
      v.description("For a local server: environment variables. ${NAME} as in args."),
    ),
  ),
  url: v.optional(
    v.pipe(
      v.string(),
      uri(),
      v.description(
        "For a remote server: its http or https URL. Leave command out. A variable is %24%7BNAME%7D here.",
      ),
    ),
  ),
  headers: v.optional(
    v.pipe(
      stringMap({
        ...NO_LINE_BREAK,
        key: /^[A-Za-z0-9-]{1,100}$/,
        keyIs:
          "1 to 100 letters, digits or -; many servers drop a header with _, so ask yours for one with -",
      }),
      v.description(
        "For a remote server: HTTP headers, such as Authorization. ${NAME} as in args: Bearer ${TOKEN}.",
      ),
    ),
  ),
};

const InputSchema: v.GenericSchema<McpConfigInput, ValidMcpConfigInput> = closedObject(
  INPUT,
  SYNONYMS,
);

/** The AI clients of every result, in its order. */
export const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "codex"] as const;

/** Those, and the clients that a result has on request. */
export const ALL_CLIENTS = [
  ...CLIENTS,
  "copilot-cli",
  "opencode",
  "gemini-cli",
  "zed",
  "lm-studio",
  "kiro",
  "qwen-code",
  "junie",
  "roo-code",
] as const;
/** The identifier of an AI client. */
export type Client = (typeof ALL_CLIENTS)[number];

const ResultSchema: v.GenericSchema<McpConfigResult> = v.strictObject({
  name: v.pipe(v.string(), v.description("The server's name.")),
  transport: v.pipe(
    v.picklist(["stdio", "http"]),
    v.description("stdio: a local server; http: a remote one."),
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
  input: InputSchema,
  command_line: ["command", "args"],
  synonyms: SYNONYMS,
  output: ResultSchema,
  example_input: {
    name: "files",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"],
  },
  text: {
    description: "the snippets of the five clients, with headings",
    options: {
      client: {
        type: "choices",
        values: [...ALL_CLIENTS, "all"],
        description: "print this client's file alone; with several, the entries of these",
        in_result: true,
      },
    },
    files: {
      read: {
        does: "read",
        description:
          "read the servers of any client's config, of a README or of a line that adds one, and print their input",
        part: {
          name: "block",
          description: "which block of the README, where several have servers",
        },
      },
    },
    shared_file: "add the server to it with handtools mcp-install",
  },
  source: {
    file: "a server.json",
    choice: {
      name: "package",
      values: ["npm", "pypi", "oci", "nuget", "remote"],
      description: "how to run the server of a server.json, where it has several ways",
    },
    values: {
      name: "set",
      description: "a value that the server.json leaves open. Repeatable.",
    },
    fields: ["name"],
  },
  sensitive: true,
});

/** The input after validation. It has no defaults, so it is as the caller wrote it. */
export type ValidMcpConfigInput = Editable<McpConfigInput>;
