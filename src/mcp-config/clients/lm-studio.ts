import { type ClientDefinition, fallsBackToSse, homeFile } from "../client.ts";
import { untypedEntry } from "../formats.ts";
import { cursorLink } from "../one-liners.ts";

export const lmStudio: ClientDefinition = {
  id: "lm-studio",
  title: "LM Studio",
  format: "json",
  rootKey: "mcpServers",
  locations: homeFile(".lmstudio/mcp.json"),
  entry: untypedEntry,
  link: (server) => cursorLink("lmstudio://add_mcp", server.name, untypedEntry(server)),
  notes: ({ server }) => [
    ...(server.transport === "sse" ? [fallsBackToSse("LM Studio")] : []),
    "LM Studio opens the file itself: Program > Install > Edit mcp.json.",
    "This follows LM Studio's documentation; it was not tried with the program.",
  ],
};
