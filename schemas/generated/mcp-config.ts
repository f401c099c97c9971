// Written by `npm run golden` from the schemas. Change their descriptions, not this file.

import type { WarningCode } from "../codes.ts";
import type { Warning } from "../common.ts";

/** The result of `mcpConfig()`: the config of the server for each client. */
export interface McpConfigResult {
  /** The server's name. */
  name: string;
  /**
   * stdio: a local server; http: a remote one (Streamable HTTP); sse: a remote one of the
   * older transport.
   */
  transport: "stdio" | "http" | "sse";
  /** One per client, in a fixed order. */
  clients: ClientConfig[];
  /** Problems to know about. Typical input gives none. */
  warnings: Warning<WarningCode<"mcp_config_generator">>[];
}

/** The config of the server for one client. */
export interface ClientConfig {
  /** The client's identifier. */
  client:
    | "claude-desktop"
    | "claude-code"
    | "cursor"
    | "vscode"
    | "codex"
    | "copilot-cli"
    | "opencode"
    | "gemini-cli"
    | "zed"
    | "lm-studio"
    | "kiro"
    | "qwen-code"
    | "junie"
    | "antigravity";
  /** The client's name, such as Claude Desktop. */
  title: string;
  /** Of the client's file. */
  format: "json" | "toml";
  /** The paths where the client looks for its file. */
  locations: ClientLocation[];
  /** The whole file, ready to paste. */
  snippet: string;
  /**
   * The same for a file that has other servers: the member to put into the object of servers,
   * or the TOML tables to append.
   */
  entry: string;
  /** Commands and a link that add the server, where they are known to work. */
  install: {
    /** A command for bash and other POSIX shells. */
    bash?: string | undefined;
    /** The same command for PowerShell. */
    powershell?: string | undefined;
    /** A link that opens the client. */
    link?: string | undefined;
  };
  /** Facts to know, in sentences. */
  notes: string[];
}

/** A place where the client looks for its config. */
export interface ClientLocation {
  /** For all projects of the user, or for one. */
  scope: "user" | "project";
  /** The system on which the file is there. */
  os: "macos" | "windows" | "linux";
  /** The file: ~ and %NAME% are the user's, other paths the project's. */
  path: string;
}

/** One MCP server, as `mcpConfig()` reads it: `command` for a local one, `url` for a remote one. */
export interface McpConfigInput {
  /** The server's name in the config: letters, digits, - and _. */
  name: string;
  /** For a local server: the program to start. 1 to 500 characters. */
  command?: string | undefined;
  /**
   * For a local server: the program's arguments, one item each. ${NAME} stands for a variable
   * of the environment in which the client runs. At most 50 items. Each at most 1,000
   * characters.
   */
  args?: readonly string[] | undefined;
  /** For a local server: environment variables. ${NAME} as in args. */
  env?: Record<string, string> | undefined;
  /**
   * For a remote server: its http or https URL. Leave command out. Write ${NAME} encoded, as
   * %24%7BNAME%7D.
   */
  url?: string | undefined;
  /**
   * For a remote server: HTTP headers, such as Authorization. ${NAME} as in args: Bearer
   * ${TOKEN}.
   */
  headers?: Record<string, string> | undefined;
}
