import {
  aboutShell,
  type ClientRow,
  homeFile,
  homeVariable,
  inProject,
  projectFile,
  typedEntry,
} from "../client-definition.ts";
import type { McpServer } from "../mcp-server.ts";
import { type Secrets, toValueArguments } from "../secrets.ts";
import type { CommandWord } from "../shell-commands.ts";

/** Claude Code uses these names for its own servers. */
const RESERVED_SERVER_NAMES: ReadonlySet<string> = new Set([
  ...["claude_ai", "Claude_Browser", "claude-in-chrome", "Claude_in_Chrome", "workspace"],
  ...["computer-use", "webagent", "Claude_Preview", "remote-devices", "ccr-email"],
  ...["claude-device", "claude-code-remote", "hearthbot"],
]);

export const claudeCode: ClientRow = {
  title: "Claude Code",
  program: "claude",
  source: "https://code.claude.com/docs/en/mcp",
  verified: "2026-11-27, 2.1.332",
  locations: [...projectFile(".mcp.json"), ...homeFile(".claude.json")],
  entry: typedEntry,
  references: {
    syntaxes: ["${NAME}"],
    takesDefaults: true,
    alsoReplaces: (part) => /^\$\{CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)\}$/.test(part),
  },
  types: { command: [undefined, "stdio"], url: ["http", "sse", "streamable-http", "ws"] },
  requiresStrings: true,
  // https://code.claude.com/docs/en/env-vars
  home: [homeVariable("CLAUDE_CONFIG_DIR", "")],
  warnAbout({ server: { name } }, findings) {
    if (RESERVED_SERVER_NAMES.has(name)) {
      findings.add("risky-server-name/reserved", { client: "Claude Code", name });
    }
  },
  file: {
    // `claude mcp add` writes there by default.
    projectsKey: "projects",
    // Claude Code stores its state in the user config and may write it at any time.
    writer: {
      scope: "user",
      command: "claude",
      add: (name, json) => ["mcp", "add-json", "--scope", "user", name, json],
      remove: (name) => ["mcp", "remove", "--scope", "user", name],
    },
  },
  install: {
    commands: (server, secrets) =>
      isRejectedByAdd(server.name)
        ? { because: `\`claude mcp add\` rejects the name ${server.name}` }
        : { words: claudeAddCommand(server, secrets) },
  },
  notes: () => [
    inProject(
      "Claude Code asks once, in the project, whether you approve the servers in .mcp.json.",
    ),
    ...aboutShell("The shell command adds the server for all your projects."),
    "~/.claude.json also stores Claude Code's state: never replace the whole file.",
  ],
};

/** `claude mcp add` looks up names in a plain object and finds inherited members too. */
const isRejectedByAdd = (name: string): boolean =>
  RESERVED_SERVER_NAMES.has(name) || Object.hasOwn(Object.prototype, name);

/**
 * Writes options with `=` and puts the name after `--`. In the documented order, `--env` and
 * `--header` consume every following word, even the name (anthropics/claude-code#62332).
 */
const claudeAddCommand = (server: McpServer, secrets: Secrets): CommandWord[] => [
  ...["claude", "mcp", "add", "--scope=user", `--transport=${server.transport}`],
  ...(server.transport === "stdio"
    ? toValueArguments("--env=", "=", server, secrets)
    : toValueArguments("--header=", ": ", server, secrets)),
  ...["--", server.name],
  ...(server.transport === "stdio" ? [server.command, ...server.args] : [server.url]),
];
