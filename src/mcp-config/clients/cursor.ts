import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { typedEntry } from "../formats.ts";
import { cursorLink } from "../one-liners.ts";
import { looksLikeCommandLine } from "../server.ts";

export const cursor: ClientDefinition = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  rootKey: "mcpServers",
  locations: [
    ...locations("user", {
      macos: "~/.cursor/mcp.json",
      windows: "%USERPROFILE%\\.cursor\\mcp.json",
      linux: "~/.cursor/mcp.json",
    }),
    ...projectFile(".cursor/mcp.json"),
  ],
  entry: typedEntry,
  variables: /\$\{(?:env:)?[A-Za-z_]\w*(?::-[^}]*)?\}/g,
  rewrittenPaths: { fields: ["args"], pattern: /^(?:[~.]$|[~.]\/)/ },
  link: (server) => cursorLink(server.name, typedEntry(server)),
  notes: () => [
    "One wrong entry makes Cursor drop every server of the file without a word, so look at Settings, MCP afterwards.",
    "A server in the project's file wins over one of the same name in the user's file.",
  ],
  warnAbout(server, diagnostics) {
    if (server.transport === "http" || server.args.length > 0) return;
    const { command } = server;
    if (/\s/.test(command) && !/^".*"$/.test(command) && !looksLikeCommandLine(command)) {
      const message =
        "Cursor splits a command with spaces and no args into words; for Cursor alone, put double quotes around it";
      diagnostics.warn("command-split", message);
    }
  },
};
