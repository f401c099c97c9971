import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { type Entry, untypedEntry } from "../formats.ts";
import type { Server } from "../server.ts";

const FILE = "User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";

/** https://docs.roocode.com/features/mcp/using-mcp-in-roo */
export const rooCode: ClientDefinition = {
  id: "roo-code",
  title: "Roo Code",
  format: "json",
  rootKey: "mcpServers",
  locations: [
    ...locations("user", {
      macos: `~/Library/Application Support/Code/${FILE}`,
      windows: `%APPDATA%\\Code\\${FILE.replaceAll("/", "\\")}`,
      linux: `~/.config/Code/${FILE}`,
    }),
    ...projectFile(".roo/mcp.json"),
  ],
  entry,
  // https://github.com/RooCodeInc/Roo-Code/blob/main/src/utils/config.ts replaces them in the whole entry.
  references: { forms: ["${env:NAME}"], alsoReplaces: /^\$\{workspaceFolder\}$/ },
  notes: () => [
    "Roo Code opens its own file: MCP servers > Edit Global MCP.",
    "A server in the project's file wins over one of the same name in the user's file.",
    "This follows Roo Code's documentation and source; it was not tried with the program.",
  ],
};

/** A remote entry without a type is rejected. */
function entry(server: Server): Entry {
  const untyped = untypedEntry(server);
  if (server.transport === "stdio") return untyped;
  return { type: server.transport === "sse" ? "sse" : "streamable-http", ...untyped };
}
