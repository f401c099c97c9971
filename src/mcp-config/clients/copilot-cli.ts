import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { typedEntry } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import { type Secrets, valueWords } from "../secrets.ts";
import type { Server } from "../server.ts";

export const copilotCli: ClientDefinition = {
  id: "copilot-cli",
  title: "GitHub Copilot CLI",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".copilot/mcp-config.json"), ...projectFile(".mcp.json")],
  entry: typedEntry,
  references: {
    forms: ["${NAME}", "$NAME"],
    takesDefaults: true,
    fields: ["args", "env", "headers"],
  },
  commands: (server, secrets) =>
    server.name.startsWith("-") ? undefined : { words: addCommand(server, secrets) },
  notes: () => [
    "Copilot CLI reads the project's file only in a folder that you have told it to trust; Claude Code reads the same file.",
    "The line for a shell drops the comments of an existing file.",
  ],
};

const addCommand = (server: Server, secrets: Secrets): Word[] =>
  server.transport === "stdio"
    ? [
        ...["copilot", "mcp", "add", server.name],
        ...valueWords("--env", "=", server, secrets),
        ...["--", server.command, ...server.args],
      ]
    : [
        ...["copilot", "mcp", "add", "--transport", server.transport],
        ...valueWords("--header", ": ", server, secrets),
        ...[server.name, server.url],
      ];
