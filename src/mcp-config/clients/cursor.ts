import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { looksLikeCommandLine } from "../command-line.ts";
import { typedEntry } from "../formats.ts";
import { cursorLink } from "../one-liners.ts";

export const cursor: ClientDefinition = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".cursor/mcp.json"), ...projectFile(".cursor/mcp.json")],
  entry: typedEntry,
  references: {
    forms: ["${env:NAME}", "${NAME}"],
    takesDefaults: true,
    // https://cursor.com/docs/mcp#config-interpolation
    alsoReplaces:
      /^\$\{(?:userHome|workspaceFolder(?:Basename)?|pathSeparator|\/|env:[A-Za-z_]\w*:-.*)\}$/s,
  },
  homePaths: { fields: ["args"], pattern: /^~(?:$|\/)/ },
  link: (server) =>
    cursorLink("cursor://anysphere.cursor-deeplink/mcp/install", server.name, typedEntry(server)),
  notes: () => [
    "One wrong entry makes Cursor silently ignore the whole file, so check Settings > MCP afterwards.",
    "A server in the project's file wins over one of the same name in the user's file.",
  ],
  warnAbout({ server }, diagnostics) {
    if (server.transport !== "stdio" || server.args.length > 0) return;
    const { command } = server;
    if (/\s/.test(command) && !/^".*"$/.test(command) && !looksLikeCommandLine(command)) {
      const message =
        "Cursor splits a command with spaces and no args into words; for Cursor alone, put double quotes around it";
      diagnostics.warn("command-split", message);
    }
  },
};
