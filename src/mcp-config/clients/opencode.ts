import { type ClientDefinition, fallsBackToSse, homeFile, projectFile } from "../client.ts";
import { type Entry, unlessEmpty } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import { type Secrets, valueWords } from "../secrets.ts";
import type { Server } from "../server.ts";

export const opencode: ClientDefinition = {
  id: "opencode",
  title: "opencode",
  format: "json",
  rootKey: "mcp",
  locations: [
    ...homeFile(".config/opencode/opencode.jsonc"),
    ...homeFile(".config/opencode/opencode.json"),
    ...projectFile("opencode.jsonc"),
    ...projectFile("opencode.json"),
  ],
  entry,
  references: { forms: ["{env:NAME}"], alsoReplaces: /^\{(?:env|file):[^}]+\}$/ },
  commands: (server, secrets) =>
    server.name.startsWith("-") ? undefined : { words: addCommand(server, secrets) },
  notes: ({ server }) => [
    ...(server.transport === "sse" ? [fallsBackToSse("opencode")] : []),
    "opencode reads opencode.jsonc and opencode.json alike: add the server to the one that is there.",
    "One wrong entry keeps opencode from starting.",
    "A variable that is not set leaves an empty text.",
  ],
};

function entry(server: Server): Entry {
  if (server.transport !== "stdio") {
    return { type: "remote", url: server.url, ...unlessEmpty("headers", server.headers) };
  }
  return {
    type: "local",
    command: [server.command, ...server.args],
    ...unlessEmpty("environment", server.env),
  };
}

const addCommand = (server: Server, secrets: Secrets): Word[] =>
  server.transport === "stdio"
    ? [
        ...["opencode", "mcp", "add", server.name],
        ...valueWords("--env", "=", server, secrets),
        ...["--", server.command, ...server.args],
      ]
    : [
        ...["opencode", "mcp", "add", server.name, "--url", server.url],
        ...valueWords("--header", "=", server, secrets),
      ];
