import { asLocal, bridgedReferences, warnAboutBridge } from "../bridge.ts";
import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { untypedEntry } from "../formats.ts";

/** https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html */
export const junie: ClientDefinition = {
  id: "junie",
  title: "Junie (JetBrains)",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".junie/mcp/mcp.json"), ...projectFile(".junie/mcp/mcp.json")],
  entry: (server) => untypedEntry(asLocal(server)),
  references: bridgedReferences,
  notes: ({ server }) => [
    ...(server.transport !== "stdio"
      ? [
          "Junie starts local servers only, so the entry starts the bridge mcp-remote, which needs Node.js.",
        ]
      : []),
    "This follows Junie's documentation; it was not tried with the program.",
  ],
  warnAbout: warnAboutBridge,
};
