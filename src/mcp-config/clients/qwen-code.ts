import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { type Entry, unlessEmpty, untypedEntry } from "../formats.ts";
import type { Server } from "../server.ts";

/** https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp */
export const qwenCode: ClientDefinition = {
  id: "qwen-code",
  title: "Qwen Code",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".qwen/settings.json"), ...projectFile(".qwen/settings.json")],
  entry,
  references: { forms: ["${NAME}", "$NAME"] },
  notes: () => [
    "The file holds all settings of Qwen Code: add the server to it, and do not replace the file.",
    "Qwen Code reads the project's file only in a folder that you trust, where that setting is on.",
  ],
};

function entry(server: Server): Entry {
  if (server.transport !== "http") return untypedEntry(server);
  return { httpUrl: server.url, ...unlessEmpty("headers", server.headers) };
}
