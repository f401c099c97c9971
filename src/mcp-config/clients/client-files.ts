import type { Transport } from "../../../schemas/inputs/mcp-config.ts";
import type { Client, ClientConfig } from "../../../schemas/mcp-config.ts";
import { homeFile } from "../client.ts";

type Location = ClientConfig["locations"][number];

/** How strictly a client reads JSON: comments, and commas behind the last member. */
export type Dialect = "json" | "comments" | "jsonc";

/** What reading and changing a client's file has to know, and writing a config has not. */
export interface ClientFile {
  /** How strictly it reads a JSON file; plain JSON unless given. */
  readonly dialect?: Dialect;
  /** Its parser rejects a file with a byte order mark. */
  readonly rejectsByteOrderMark?: true;
  /** A key below that of the servers that may hold servers too. */
  readonly innerKey?: string;
  /** A key of the user's file with an object of servers for each project, by its path. */
  readonly projectsKey?: string;
  /** Fields of an entry that other clients with the same key do not know. */
  readonly marks?: readonly string[];
  /** Other names that it accepts for members of an entry. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The types of an entry that mean the same as none, by transport. */
  readonly usualTypes: Partial<Readonly<Record<Transport, readonly unknown[]>>>;
  /** Another member that says nothing, with its value. */
  readonly constant?: readonly [key: string, value: unknown];
  /** A `url` is that of an SSE server, whatever the type. */
  readonly urlIsSse?: true;
  /** The user's own fields that belong to a transport, and that it rejects beside the other one. */
  readonly fieldsOfTransport?: Partial<Readonly<Record<Transport, readonly string[]>>>;
  /** The environment variable that moves the user's files. */
  readonly home?: HomeVariable;
  /** The only program that may write the files of a scope, with its arguments. */
  readonly ownProgram?: {
    readonly scope: Location["scope"];
    readonly command: string;
    /** @param json the server's entry. */
    readonly add: (name: string, json: string) => readonly string[];
    readonly remove: (name: string) => readonly string[];
  };
}

interface HomeVariable {
  readonly name: string;
  /** The folder in the paths that its value replaces, on the systems where it does. */
  readonly folder: Partial<Record<Location["os"], string>>;
  /** A relative path is ignored; other clients resolve it from their working directory. */
  readonly mustBeAbsolute?: boolean;
  /** The client's documentation or code for it. */
  readonly source: string;
}

/** A variable that replaces a folder of the user's home, "" for the home itself, on every system. */
const homeVariable = (name: string, folder: string, source: string): HomeVariable => ({
  name,
  folder: Object.fromEntries(
    homeFile(folder).map(({ os, path }) => [os, path.replace(/[\\/]$/, "")]),
  ),
  source,
});

/** The variable of the XDG specification, which replaces `~/.config` on Linux. */
const xdgVariable = (source: string): HomeVariable => ({
  name: "XDG_CONFIG_HOME",
  folder: { linux: "~/.config" },
  source,
});

/** A missing client does not compile. */
export const clientFiles: Readonly<Record<Client, ClientFile>> = {
  "claude-desktop": {
    // https://github.com/tradesdontlie/tradingview-mcp/issues/406: it starts with defaults and drops all servers.
    rejectsByteOrderMark: true,
    usualTypes: { stdio: ["stdio"] },
    home: xdgVariable("https://www.electronjs.org/docs/latest/api/app#appgetpathname"),
  },
  "claude-code": {
    // https://github.com/anthropics/claude-code/issues/9906
    rejectsByteOrderMark: true,
    // `claude mcp add` writes there unless it is given a scope.
    projectsKey: "projects",
    // A remote entry without a type is skipped.
    usualTypes: { stdio: ["stdio"] },
    home: homeVariable("CLAUDE_CONFIG_DIR", "", "https://code.claude.com/docs/en/env-vars"),
    // Claude Code keeps its state in the user's file and writes it at any time.
    ownProgram: {
      scope: "user",
      command: "claude",
      add: (name, json) => ["mcp", "add-json", "--scope", "user", name, json],
      remove: (name) => ["mcp", "remove", "--scope", "user", name],
    },
  },
  cursor: {
    dialect: "jsonc",
    usualTypes: { stdio: ["stdio"], http: ["http"] },
  },
  vscode: {
    dialect: "jsonc",
    usualTypes: { stdio: ["stdio"], http: ["http"] },
    home: xdgVariable(
      "https://github.com/microsoft/vscode/blob/main/src/vs/platform/environment/node/userDataPath.ts",
    ),
  },
  codex: {
    // A type is ignored.
    usualTypes: { stdio: ["stdio"], http: ["http", "streamable-http"] },
    // https://github.com/openai/codex/blob/main/codex-rs/config/src/mcp_types.rs: it does not start.
    fieldsOfTransport: {
      stdio: ["cwd"],
      http: ["auth", "bearer_token", "http_headers_helper", "oauth", "oauth_resource"],
    },
    home: homeVariable(
      "CODEX_HOME",
      ".codex",
      "https://developers.openai.com/codex/environment-variables",
    ),
  },
  "copilot-cli": {
    dialect: "jsonc",
    marks: ["tools"],
    usualTypes: { stdio: ["stdio", "local"], http: ["http", "streamable-http"] },
    home: homeVariable(
      "COPILOT_HOME",
      ".copilot",
      "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference",
    ),
  },
  opencode: {
    dialect: "jsonc",
    innerKey: "servers",
    usualTypes: {},
    home: homeVariable("XDG_CONFIG_HOME", ".config", "https://github.com/sindresorhus/xdg-basedir"),
  },
  "gemini-cli": {
    dialect: "comments",
    // https://github.com/google-gemini/gemini-cli/issues/25675
    rejectsByteOrderMark: true,
    marks: ["httpUrl", "trust", "includeTools", "excludeTools"],
    synonyms: { httpUrl: "url" },
    usualTypes: { stdio: ["stdio"], http: ["http"] },
    home: homeVariable("GEMINI_CLI_HOME", "", "https://geminicli.com/docs/reference/configuration"),
  },
  zed: {
    dialect: "jsonc",
    usualTypes: {},
    constant: ["source", "custom"],
    home: { ...xdgVariable("https://zed.dev/docs/configuring-zed"), mustBeAbsolute: true },
  },
  "lm-studio": { usualTypes: { stdio: ["stdio"], http: ["http"], sse: ["sse"] } },
  kiro: { usualTypes: { stdio: ["stdio"], http: ["http", "streamable-http"] } },
  "qwen-code": {
    dialect: "comments",
    // https://github.com/QwenLM/qwen-code/issues/11803: it replaces the file by an empty one.
    rejectsByteOrderMark: true,
    marks: ["httpUrl", "trust", "includeTools", "excludeTools"],
    usualTypes: { stdio: ["stdio"], http: ["http"], sse: ["sse"] },
    urlIsSse: true,
    home: homeVariable(
      "QWEN_HOME",
      ".qwen",
      "https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings",
    ),
  },
  junie: { usualTypes: { stdio: ["stdio"] } },
  "roo-code": { usualTypes: { stdio: ["stdio"] } },
};
