import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { typedEntry } from "../formats.ts";
import type { Word } from "../one-liners.ts";
import { type Secrets, valueWords } from "../secrets.ts";
import type { Server } from "../server.ts";

export const geminiCli: ClientDefinition = {
  id: "gemini-cli",
  title: "Gemini CLI",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".gemini/settings.json"), ...projectFile(".gemini/settings.json")],
  entry: typedEntry,
  // It replaces %NAME% on Windows, where alone anybody writes it:
  // https://github.com/google-gemini/gemini-cli/issues/28228
  references: { forms: ["${NAME}", "$NAME", "%NAME%"], takesDefaults: true },
  // None whose name looks secret:
  // https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/environmentSanitization.ts
  passesOnFew: true,
  commands: addCommand,
  notes: ({ server, secrets }) => [
    "The file holds all settings of Gemini CLI: add the server to it, and do not replace the file.",
    "Gemini CLI reads the project's file only in a folder that you have told it to trust, and no trailing commas.",
    "Since June 2026 Gemini CLI works only with an API key or for an enterprise.",
    ...(addCommand(server, secrets) ? [] : [NO_LINE]),
  ],
};

const NO_LINE =
  "There is no line for a shell, because `gemini mcp add` drops an empty value, cuts one at its second = and accepts no name that begins with a dash.";

function addCommand(server: Server, secrets: Secrets): { words: Word[] } | undefined {
  if (server.name.startsWith("-") || secrets.names.size > 0) return undefined;
  const add = ["gemini", "mcp", "add", "-s", "user"];
  if (server.transport !== "stdio") {
    const headers = valueWords("-H", ": ", server, secrets);
    return { words: [...add, "-t", server.transport, ...headers, server.name, server.url] };
  }
  if (Object.values(server.env).some((value) => value === "" || value.includes("=")))
    return undefined;
  return {
    words: [
      ...add,
      ...valueWords("-e", "=", server, secrets),
      ...[server.name, server.command, "--", ...server.args],
    ],
  };
}
