import { ALL_CLIENTS, type Client } from "../../../schemas/mcp-config.ts";
import {
  aboutShell,
  type ClientDefinition,
  type ClientRow,
  homeFile,
  homeVariable,
  JSONC,
  projectFile,
  type ShellCommand,
  systemPaths,
  typedEntry,
  USUAL_FIELDS,
  unlessEmpty,
  untypedEntry,
  XDG_VARIABLE,
} from "../client-definition.ts";
import type { ConfigValues } from "../json-values.ts";
import type { McpServer } from "../mcp-server.ts";
import { type Secrets, toValueArguments } from "../secrets.ts";
import { encodeJsonForLink, toCursorLink } from "../shell-commands.ts";
import { looksLikeCommandLine } from "../shell-words.ts";
import type { ServerEntry } from "../write-json-toml.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { codex } from "./codex.ts";
import { vscode } from "./vscode.ts";

const PROJECT_OVERRIDES_USER_NOTE =
  "A server in the project's file wins over one of the same name in the user's file.";

const holdsSettings = (title: string): string =>
  `The file holds all settings of ${title}: add the server to it, and do not replace the file.`;

const UNSET_IS_EMPTY_NOTE = "A variable that is not set becomes an empty string.";

/** Kilo Code began as opencode and reads the same entries. */
const OPENCODE_FIELDS = {
  rootKey: "mcp",
  entry: (server) =>
    server.transport === "stdio"
      ? {
          type: "local",
          command: [server.command, ...server.args],
          ...unlessEmpty("environment", server.env),
        }
      : { type: "remote", url: server.url, ...unlessEmpty("headers", server.headers) },
  fields: { environment: "env" },
  dialect: JSONC,
  types: { command: ["local"], url: ["remote"] },
  requiresStrings: true,
  isOwnKind: ({ command, url, enabled }) =>
    command === undefined && url === undefined && enabled === false,
  problemOf: ({ command }) =>
    typeof command === "string" ? "command must be a list, not a string" : undefined,
  references: {
    syntaxes: ["{env:NAME}"],
    alsoReplaces: (part) => /^\{(?:env|file):[^}]+\}$/.test(part),
  },
  // opencode 2 writes this key. opencode 1 does not start with it.
  file: { innerKey: "servers" },
  // https://github.com/sindresorhus/xdg-basedir
  home: [homeVariable("XDG_CONFIG_HOME", ".config")],
} satisfies Partial<ClientRow>;

/** Windsurf and Devin replace this with the file's content. */
const isFileReference = (part: string): boolean => /^\$\{file:[^}]+\}$/.test(part);

/** Gemini CLI and its fork Qwen Code connect to a WebSocket server at `tcp`. */
const isTcp = ({ tcp }: ConfigValues): boolean => typeof tcp === "string";

const GEMINI_ADD_OPTIONS: readonly string[] = [
  ...["-e", "--env", "-s", "--scope", "-H", "--header", "-t", "--transport", "--type"],
  ...["--timeout", "--trust", "--description", "--include-tools", "--exclude-tools"],
];

/** A missing client is a compile error. */
const ROWS: Readonly<Record<Client, ClientRow>> = {
  "claude-desktop": claudeDesktop,
  "claude-code": claudeCode,
  cursor: {
    title: "Cursor",
    program: "cursor",
    source: "https://cursor.com/docs/mcp",
    verified: "2026-11-25, @cursor/sdk 1.0.32",
    locations: [...homeFile(".cursor/mcp.json"), ...projectFile(".cursor/mcp.json")],
    entry: typedEntry,
    references: {
      syntaxes: ["${env:NAME}", "${NAME}"],
      takesDefaults: true,
      // https://cursor.com/docs/mcp#config-interpolation
      alsoReplaces: (part, field) =>
        (part === "~" && field === "args") ||
        /^\$\{(?:userHome|workspaceFolder(?:Basename)?|pathSeparator|\/|env:\w+:-.*)\}$/s.test(
          part,
        ),
    },
    dialect: JSONC,
    types: { command: [undefined, "stdio"], url: [undefined, "http", "sse"] },
    requiresStrings: true,
    onWrongEntry: "ignores the whole file",
    install: {
      link: (server) =>
        toCursorLink(
          "cursor://anysphere.cursor-deeplink/mcp/install",
          server.name,
          typedEntry(server),
        ),
      button: {
        colour: "141414",
        // https://cursor.com/docs/mcp/install-links
        link: (name, entry) => toCursorLink("https://cursor.com/en/install-mcp", name, entry),
      },
    },
    notes: () => [
      "One invalid entry makes Cursor silently ignore the whole file, so check Settings > MCP afterwards.",
      PROJECT_OVERRIDES_USER_NOTE,
    ],
    warnAbout({ server }, findings) {
      if (server.transport !== "stdio" || server.args.length > 0) return;
      const { command } = server;
      if (/\s/.test(command) && !/^".*"$/.test(command) && !looksLikeCommandLine(command)) {
        findings.add("command-not-found/split", { client: "Cursor" });
      }
    },
  },
  vscode,
  codex,
  "copilot-cli": {
    title: "GitHub Copilot CLI",
    program: "copilot",
    source:
      "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
    verified: "2026-11-27, 1.0.102",
    locations: [
      ...homeFile(".copilot/mcp-config.json"),
      ...projectFile(".mcp.json"),
      ...projectFile(".github/mcp.json"),
    ],
    entry: typedEntry,
    references: {
      syntaxes: ["${NAME}", "$NAME"],
      takesDefaults: true,
      fields: ["args", "env", "headers"],
    },
    dialect: JSONC,
    projectDialect: { rejectsByteOrderMark: true },
    types: {
      command: [undefined, "stdio", "local"],
      url: [undefined, "http", "sse", "streamable-http"],
    },
    requiresStrings: true,
    // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference
    home: [homeVariable("COPILOT_HOME", ".copilot")],
    file: { readsOnlyFirst: true, mayBeBare: true },
    install: {
      commands: (server, secrets) => {
        if (server.name.startsWith("-")) return DASHED_NAME;
        const add = ["copilot", "mcp", "add"];
        return server.transport === "stdio"
          ? localCommand([...add, server.name], server, secrets)
          : {
              words: [
                ...[...add, "--transport", server.transport],
                ...toValueArguments("--header", ": ", server, secrets),
                ...[server.name, server.url],
              ],
            };
      },
    },
    notes: () => [
      "Copilot CLI reads the project config only in folders that you trust, and only without comments. Claude Code reads the same file.",
      "Copilot CLI reads every .mcp.json from the folder up to the root of the repository, or .github/mcp.json if there is none.",
      ...aboutShell("The shell command drops the comments of an existing file."),
    ],
  },
  opencode: {
    ...OPENCODE_FIELDS,
    title: "opencode",
    program: "opencode",
    source: "https://opencode.ai/docs/mcp-servers",
    verified: "2026-11-29, 1.18.33 and 1.18.20",
    locations: [
      ...homeFile(".config/opencode/opencode.jsonc"),
      ...homeFile(".config/opencode/opencode.json"),
      ...projectFile(".opencode/opencode.jsonc"),
      ...projectFile(".opencode/opencode.json"),
      ...projectFile("opencode.jsonc"),
      ...projectFile("opencode.json"),
    ],
    install: { commands: (server, secrets) => opencodeCommand("opencode", server, secrets) },
    notes: () => [
      "opencode reads both opencode.jsonc and opencode.json: add the server to the file that exists.",
      "If an entry is invalid, older versions of opencode do not start; newer versions skip that server.",
      UNSET_IS_EMPTY_NOTE,
      ...aboutShell(
        "In version 2, the shell command adds the server to the project; use --global for your user config.",
      ),
    ],
  },
  "gemini-cli": {
    title: "Gemini CLI",
    program: "gemini",
    source: "https://geminicli.com/docs/tools/mcp-server",
    verified: "2026-11-27, 0.61.0",
    locations: [...homeFile(".gemini/settings.json"), ...projectFile(".gemini/settings.json")],
    entry: typedEntry,
    hasCwd: true,
    // Gemini CLI replaces %NAME% on Windows; on other systems it is unusual:
    // https://github.com/google-gemini/gemini-cli/issues/28228
    references: { syntaxes: ["${NAME}", "$NAME", "%NAME%"], takesDefaults: true },
    // https://geminicli.com/docs/reference/policy-engine
    warnAbout({ server: { name } }, findings) {
      if (name.includes("_"))
        findings.add("risky-server-name/underscore", { client: "Gemini CLI" });
    },
    // https://github.com/google-gemini/gemini-cli/issues/25675
    dialect: { comments: true, rejectsByteOrderMark: true },
    fields: { httpUrl: "httpUrl" },
    isOwnKind: isTcp,
    // https://geminicli.com/docs/reference/configuration
    home: [homeVariable("GEMINI_CLI_HOME", "")],
    install: { commands: (server, secrets) => geminiCommand("gemini", server, secrets) },
    addCommand: { optionsAnywhere: GEMINI_ADD_OPTIONS },
    notes: () => [
      holdsSettings("Gemini CLI"),
      "Gemini CLI reads the project config only in folders that you trust. It rejects trailing commas.",
      "Since June 2026 Gemini CLI works only with an API key or an enterprise account.",
    ],
  },
  zed: {
    title: "Zed",
    program: "zed",
    source: "https://zed.dev/docs/ai/mcp",
    rootKey: "context_servers",
    locations: [
      ...systemPaths("user", {
        macos: "~/.config/zed/settings.json",
        windows: "%APPDATA%\\Zed\\settings.json",
        linux: "~/.config/zed/settings.json",
      }),
      ...projectFile(".zed/settings.json"),
    ],
    entry: untypedEntry,
    // https://github.com/zed-industries/zed/blob/main/crates/context_server/src/transport/http.rs
    lacksSse: true,
    dialect: JSONC,
    // These are settings for a server that an extension starts.
    isOwnKind: ({ settings, command, url }) =>
      settings !== undefined && command === undefined && url === undefined,
    // Until June 2025 it was `command: { path, args, env }`, which Zed still reads.
    file: { nestedIn: "command" },
    // https://zed.dev/docs/configuring-zed
    home: [{ ...XDG_VARIABLE, mustBeAbsolute: true }],
    notes: () => [holdsSettings("Zed")],
  },
  "lm-studio": {
    title: "LM Studio",
    program: "lms",
    source: "https://lmstudio.ai/docs/app/mcp",
    locations: homeFile(".lmstudio/mcp.json"),
    entry: untypedEntry,
    install: {
      link: (server) => toCursorLink("lmstudio://add_mcp", server.name, untypedEntry(server)),
      button: {
        colour: "4A3AFF",
        // https://lmstudio.ai/docs/app/mcp/deeplink
        link: (name, entry) => toCursorLink("https://lmstudio.ai/install-mcp", name, entry),
      },
    },
    notes: () => ["LM Studio opens the file itself: Program > Install > Edit mcp.json."],
  },
  kiro: {
    title: "Kiro",
    program: "kiro",
    source: "https://kiro.dev/docs/mcp/configuration",
    locations: [...homeFile(".kiro/settings/mcp.json"), ...projectFile(".kiro/settings/mcp.json")],
    entry: untypedEntry,
    // The editor falls back to SSE, the command line fails (kirodotdev/Kiro#6663); both use this file.
    lacksSse: true,
    references: { syntaxes: ["${NAME}"], fields: ["env", "headers"] },
    isOwnKind: ({ type }) => type === "registry",
    install: {
      button: {
        colour: "9046FF",
        // https://kiro.dev/docs/mcp/share
        link: (name, entry) =>
          `https://kiro.dev/launch/mcp/add?name=${name}&config=${encodeJsonForLink(entry)}`,
      },
    },
    notes: ({ references, server }) => [
      PROJECT_OVERRIDES_USER_NOTE,
      ...(server.transport === "sse"
        ? ["Kiro's editor supports SSE, its command line does not."]
        : []),
      ...(references.length > 0
        ? ["Kiro asks before it reads a variable; the setting is “Mcp Approved Env Vars”."]
        : []),
    ],
  },
  "qwen-code": {
    title: "Qwen Code",
    program: "qwen",
    source: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp",
    verified: "2026-11-27, 0.24.4",
    locations: [...homeFile(".qwen/settings.json"), ...projectFile(".qwen/settings.json")],
    entry: (server) =>
      server.transport === "http"
        ? { httpUrl: server.url, ...unlessEmpty("headers", server.headers) }
        : untypedEntry(server),
    hasCwd: true,
    references: { syntaxes: ["${NAME}", "$NAME"] },
    dialect: { comments: true, rejectsByteOrderMark: true },
    fields: { httpUrl: "httpUrl", url: "sseUrl" },
    isOwnKind: isTcp,
    // https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings
    home: [homeVariable("QWEN_HOME", ".qwen")],
    install: { commands: (server, secrets) => geminiCommand("qwen", server, secrets) },
    addCommand: { optionsAnywhere: GEMINI_ADD_OPTIONS },
    notes: () => [
      holdsSettings("Qwen Code"),
      "If folder trust is on, Qwen Code reads the project config only in folders that you trust.",
    ],
  },
  junie: {
    title: "Junie (JetBrains)",
    program: "junie",
    source: "https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html",
    locations: [...homeFile(".junie/mcp/mcp.json"), ...projectFile(".junie/mcp/mcp.json")],
    entry: untypedEntry,
    lacksSse: true,
    notes: ({ server }) => [
      ...(server.transport === "http"
        ? [
            "Junie's command line supports remote servers; the help of the JetBrains plugin still mentions only local servers.",
          ]
        : []),
    ],
  },
  // It replaces no variables (google-antigravity/antigravity-cli#233).
  antigravity: {
    title: "Antigravity",
    source: "https://antigravity.google/docs/cli/mcp",
    locations: [
      ...homeFile(".gemini/config/mcp_config.json"),
      ...projectFile(".agents/mcp_config.json"),
    ],
    entry: serverUrlEntry,
    lacksSse: true,
    fields: { serverUrl: "url" },
    notes: () => [
      "Older Antigravity editors read ~/.gemini/antigravity/mcp_config.json; MCP Servers > Manage MCP Servers > View raw config opens the file.",
    ],
  },
  "copilot-jetbrains": {
    title: "GitHub Copilot (JetBrains)",
    source:
      "https://github.com/github/github-mcp-server/blob/main/docs/installation-guides/install-other-copilot-ides.md",
    rootKey: "servers",
    // https://github.com/microsoft/apm/issues/1225
    locations: systemPaths("user", {
      macos: "~/.config/github-copilot/intellij/mcp.json",
      windows: "%LOCALAPPDATA%\\github-copilot\\intellij\\mcp.json",
      linux: "~/.config/github-copilot/intellij/mcp.json",
    }),
    entry: (server) =>
      server.transport === "stdio"
        ? untypedEntry(server)
        : {
            url: server.url,
            ...unlessEmpty("requestInit", unlessEmpty("headers", server.headers)),
          },
    fields: { requestInit: "requestInit" },
    // Its parser rejects trailing commas: https://github.com/stacklok/toolhive/pull/814
    dialect: { comments: true },
  },
  cline: {
    title: "Cline",
    program: "cline",
    source: "https://docs.cline.bot/mcp/mcp-overview",
    // Its extensions and command line share it: https://github.com/cline/cline/pull/11683
    locations: homeFile(".cline/data/settings/cline_mcp_settings.json"),
    home: [
      homeVariable("CLINE_MCP_SETTINGS_PATH", ".cline/data/settings/cline_mcp_settings.json"),
      homeVariable("CLINE_DATA_DIR", ".cline/data"),
      homeVariable("CLINE_DIR", ".cline"),
    ],
    entry: (server) => ({
      ...untypedEntry(server),
      ...(server.transport !== "stdio" && {
        type: server.transport === "sse" ? "sse" : "streamableHttp",
      }),
    }),
    dialect: { rejectsByteOrderMark: true },
    fields: { url: "untypedSseUrl" },
    // `cline mcp add` writes `transport: { type, url }`.
    file: { nestedIn: "transport" },
    types: { command: [undefined, "stdio"], url: [undefined, "sse", "streamableHttp"] },
    requiresStrings: true,
    onWrongEntry: "ignores the whole file",
    install: { commands: clineCommand },
    notes: () => [
      "One invalid entry makes Cline ignore the whole file.",
      "Older versions of Cline keep the file in VS Code's storage: MCP Servers > Configure.",
    ],
  },
  windsurf: {
    title: "Windsurf (legacy agent of Devin Desktop)",
    source: "https://docs.devin.ai/desktop/cascade/mcp",
    locations: homeFile(".codeium/windsurf/mcp_config.json"),
    entry: serverUrlEntry,
    fields: { serverUrl: "url" },
    references: { syntaxes: ["${env:NAME}"], alsoReplaces: isFileReference },
    notes: () => [
      "Windsurf became Devin Desktop in June 2026. Only its legacy agent, Cascade, reads this file; for its default agent, choose the client devin.",
    ],
  },
  devin: {
    title: "Devin Desktop",
    program: "devin",
    source: "https://docs.devin.ai/cli/extensibility/mcp/configuration",
    locations: [
      ...systemPaths("user", {
        macos: "~/.config/devin/mcp_config.json",
        windows: "%APPDATA%\\devin\\mcp_config.json",
        linux: "~/.config/devin/mcp_config.json",
      }),
      ...projectFile(".devin/mcp_config.json"),
    ],
    entry: (server) =>
      server.transport === "stdio"
        ? untypedEntry(server)
        : { transport: server.transport, ...untypedEntry(server) },
    references: { syntaxes: ["${env:NAME}"], alsoReplaces: isFileReference },
    // https://docs.devin.ai/cli/reference/configuration/config-file
    dialect: { comments: true },
    notes: () => [
      "Devin Desktop was Windsurf until June 2026. Its agent Devin Local and its command line read this file; for the legacy agent Cascade, choose the client windsurf.",
    ],
  },
  "kilo-code": {
    ...OPENCODE_FIELDS,
    title: "Kilo Code",
    program: "kilo",
    source: "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
    verified: "2026-11-29, 7.7.9",
    locations: [
      ...homeFile(".config/kilo/kilo.json"),
      ...homeFile(".config/kilo/kilo.jsonc"),
      ...projectFile("kilo.jsonc"),
      ...projectFile("kilo.json"),
      ...projectFile(".kilo/kilo.json"),
      ...projectFile(".kilo/kilo.jsonc"),
    ],
    install: { commands: (server, secrets) => opencodeCommand("kilo", server, secrets) },
    notes: () => [
      "Kilo Code reads both kilo.jsonc and kilo.json, and a project's older .kilocode/mcp.json.",
      UNSET_IS_EMPTY_NOTE,
    ],
  },
};

export const clientDefinitions = Object.fromEntries(
  ALL_CLIENTS.map((id): [Client, ClientDefinition] => [id, { ...USUAL_FIELDS, ...ROWS[id], id }]),
) as Readonly<Record<Client, ClientDefinition>>;

function serverUrlEntry(server: McpServer): ServerEntry {
  if (server.transport === "stdio") return untypedEntry(server);
  return { serverUrl: server.url, ...unlessEmpty("headers", server.headers) };
}

const DASHED_NAME = {
  because: "the client's command rejects names that begin with a dash",
} as const;

/** Returns the arguments that add a local server, after its name. */
const localCommand = (
  add: readonly string[],
  server: Extract<McpServer, { transport: "stdio" }>,
  secrets: Secrets,
): ShellCommand => ({
  words: [
    ...add,
    ...toValueArguments("--env", "=", server, secrets),
    ...["--", server.command, ...server.args],
  ],
});

function opencodeCommand(
  program: "opencode" | "kilo",
  server: McpServer,
  secrets: Secrets,
): ShellCommand {
  if (server.name.startsWith("-")) return DASHED_NAME;
  const add = [program, "mcp", "add", server.name];
  if (server.transport === "stdio") return localCommand(add, server, secrets);
  const headers = toValueArguments("--header", "=", server, secrets);
  return { words: [...add, "--url", server.url, ...headers] };
}

/** `--yes` skips the confirmation. */
function clineCommand(server: McpServer, secrets: Secrets): ShellCommand {
  const hasVariables = server.transport === "stdio" && Object.keys(server.env).length > 0;
  if (hasVariables || server.name.startsWith("-")) {
    return {
      because:
        "`cline mcp add` has no option for variables and rejects names that begin with a dash",
    };
  }
  const add = ["cline", "mcp", "add", server.name, "--yes"];
  if (server.transport === "stdio")
    return { words: [...add, "--", server.command, ...server.args] };
  const headers = toValueArguments("--header", ": ", server, secrets);
  return { words: [...add, "--transport", server.transport, ...headers, server.url] };
}

/** Qwen Code is a fork of Gemini CLI and has the same command. */
function geminiCommand(
  program: "gemini" | "qwen",
  server: McpServer,
  secrets: Secrets,
): ShellCommand {
  const none = {
    because: `\`${program} mcp add\` drops empty values, cuts values at a second = and rejects names that begin with a dash`,
  };
  if (server.name.startsWith("-") || secrets.names.size > 0) return none;
  const add = [program, "mcp", "add", "-s", "user"];
  if (server.transport !== "stdio") {
    const headers = toValueArguments("-H", ": ", server, secrets);
    return { words: [...add, "-t", server.transport, ...headers, server.name, server.url] };
  }
  if (Object.values(server.env).some((value) => value === "" || value.includes("=")))
    return { because: `\`${program} mcp add\` drops empty values and cuts values at a second =` };
  return {
    words: [
      ...add,
      ...toValueArguments("-e", "=", server, secrets),
      ...[server.name, server.command, "--", ...server.args],
    ],
  };
}
