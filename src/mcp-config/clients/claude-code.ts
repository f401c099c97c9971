import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { typedEntry } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import { headerVariable, type Secrets } from "../secrets.ts";
import type { Server } from "../server.ts";

const RESERVED = ["workspace", "claude-in-chrome", "computer-use"];

export const claudeCode: ClientDefinition = {
  id: "claude-code",
  title: "Claude Code",
  format: "json",
  rootKey: "mcpServers",
  locations: [
    ...projectFile(".mcp.json"),
    ...locations("user", {
      macos: "~/.claude.json",
      windows: "%USERPROFILE%\\.claude.json",
      linux: "~/.claude.json",
    }),
  ],
  entry: typedEntry,
  variables: /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g,
  reservedNames: RESERVED,
  commands: (server, secrets) =>
    isRefusedByAdd(server.name) ? undefined : { bash: addCommand(server, secrets) },
  notes: ({ name }) => [
    "Claude Code asks once, in the project, whether you approve of the servers in .mcp.json.",
    isRefusedByAdd(name)
      ? `There is no bash line, because \`claude mcp add\` refuses the name ${name}.`
      : "For all your projects run the bash line.",
    "~/.claude.json is Claude Code's own state: never replace the whole file.",
  ],
};

/** `claude mcp add` looks a name up in a plain object and finds what every object inherits. */
const isRefusedByAdd = (name: string): boolean =>
  RESERVED.includes(name) || Object.hasOwn(Object.prototype, name);

/**
 * Writes each option with `=`, and the name after `--`: in the order that the vendor documents,
 * `--env` and `--header` take every word that follows them, the name too
 * (anthropics/claude-code#62332).
 */
const addCommand = (server: Server, secrets: Secrets): Word[] => [
  ...["claude", "mcp", "add", "--scope=user", `--transport=${server.transport}`],
  ...optionsOf(server, secrets),
  ...["--", server.name],
  ...(server.transport === "stdio" ? [server.command, ...server.args] : [server.url]),
];

const optionsOf = (server: Server, { names }: Secrets): Word[] =>
  server.transport === "stdio"
    ? Object.entries(server.env).map(([key, value]) =>
        names.has(key) ? { prefix: `--env=${key}=`, variable: key } : `--env=${key}=${value}`,
      )
    : Object.entries(server.headers).map(([key, value]) =>
        names.has(key)
          ? { prefix: `--header=${key}: `, variable: headerVariable(key) }
          : `--header=${key}: ${value}`,
      );
