import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { localEntry, remoteEntry } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import type { Secrets } from "../secrets.ts";
import type { RemoteServer, Server } from "../server.ts";

export const codex: ClientDefinition = {
  id: "codex",
  title: "Codex",
  format: "toml",
  rootKey: "mcp_servers",
  locations: [
    ...locations("user", {
      macos: "~/.codex/config.toml",
      windows: "%USERPROFILE%\\.codex\\config.toml",
      linux: "~/.codex/config.toml",
    }),
    ...projectFile(".codex/config.toml"),
  ],
  entry: (server) =>
    server.transport === "stdio" ? localEntry(server) : remoteEntry(server, "http_headers"),
  commands: addCommand,
  notes: (server) => [
    "Any error in the file keeps Codex from starting.",
    "Codex reads the project's file only in a folder that you have told it to trust.",
    ...(server.transport === "http" ? remoteNotes(server) : []),
  ],
};

function addCommand(server: Server, { names }: Secrets): { bash: Word[] } | undefined {
  const add = ["codex", "mcp", "add"];
  if (server.transport === "stdio") {
    const env = Object.entries(server.env).flatMap(([key, value]): Word[] => [
      "--env",
      names.has(key) ? { prefix: `${key}=`, variable: key } : `${key}=${value}`,
    ]);
    return { bash: [...add, ...env, "--", server.name, server.command, ...server.args] };
  }
  if (Object.keys(server.headers).length > 0) return undefined;
  return { bash: [...add, `--url=${server.url}`, "--", server.name] };
}

const remoteNotes = ({ headers }: RemoteServer): string[] =>
  Object.keys(headers).length === 0
    ? ["If the server asks for a login, the bash line opens it in the browser."]
    : [
        "There is no bash line, because `codex mcp add` takes no headers.",
        'To keep a bearer token out of the file, write bearer_token_env_var = "NAME" under the url in place of the Authorization header.',
      ];
