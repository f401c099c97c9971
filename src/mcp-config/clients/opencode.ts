import {
  type ClientDefinition,
  homeFile,
  homeVariable,
  projectFile,
  typeDefaults,
} from "../client.ts";
import { type Entry, unlessEmpty } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import { headerVariable, type Secrets } from "../secrets.ts";
import type { Server } from "../server.ts";

export const opencode: ClientDefinition = {
  id: "opencode",
  title: "opencode",
  format: "json",
  dialect: "jsonc",
  rootKey: "mcp",
  holdsSettings: true,
  innerKey: "servers",
  locations: [
    ...homeFile(".config/opencode/opencode.jsonc"),
    ...homeFile(".config/opencode/opencode.json"),
    ...projectFile("opencode.jsonc"),
    ...projectFile("opencode.json"),
  ],
  home: homeVariable("XDG_CONFIG_HOME", ".config", "https://github.com/sindresorhus/xdg-basedir"),
  entry,
  defaults: typeDefaults([], []),
  references: { write: (name) => `{env:${name}}`, resolvesIn: () => true },
  variables: { pattern: /\{(?:env|file):[^}]+\}/g },
  failingCommand: /^~[\\/]/,
  commands: (server, secrets) =>
    server.name.startsWith("-") ? undefined : { words: addCommand(server, secrets) },
  notes: () => [
    "opencode reads opencode.jsonc and opencode.json alike: add the server to the one that is there.",
    "One wrong entry keeps opencode from starting.",
    "A variable that is not set leaves an empty text.",
  ],
};

function entry(server: Server): Entry {
  if (server.transport === "http") {
    return { type: "remote", url: server.url, ...unlessEmpty("headers", server.headers) };
  }
  return {
    type: "local",
    command: [server.command, ...server.args],
    ...unlessEmpty("environment", server.env),
  };
}

const addCommand = (server: Server, { names }: Secrets): Word[] =>
  server.transport === "stdio"
    ? [
        ...["opencode", "mcp", "add", server.name],
        ...Object.entries(server.env).flatMap(([key, value]): Word[] => [
          "--env",
          names.has(key) ? { prefix: `${key}=`, variable: key } : `${key}=${value}`,
        ]),
        ...["--", server.command, ...server.args],
      ]
    : [
        ...["opencode", "mcp", "add", server.name, "--url", server.url],
        ...Object.entries(server.headers).flatMap(([key, value]): Word[] => [
          "--header",
          names.has(key) ? { prefix: `${key}=`, variable: headerVariable(key) } : `${key}=${value}`,
        ]),
      ];
