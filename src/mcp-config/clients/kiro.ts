import { type ClientDefinition, homeFile, projectFile } from "../client.ts";
import { untypedEntry } from "../formats.ts";

/** https://kiro.dev/docs/mcp/configuration */
export const kiro: ClientDefinition = {
  id: "kiro",
  title: "Kiro",
  format: "json",
  rootKey: "mcpServers",
  locations: [...homeFile(".kiro/settings/mcp.json"), ...projectFile(".kiro/settings/mcp.json")],
  entry: untypedEntry,
  // The editor falls back to SSE, the command line fails (kirodotdev/Kiro#6663); both read this file.
  withoutSse: "Kiro's command line",
  references: { forms: ["${NAME}"], fields: ["env", "headers"] },
  notes: ({ references }) => [
    "A server in the project's file wins over one of the same name in the user's file.",
    ...(references.length > 0
      ? ["Kiro asks whether it may read a variable; the setting is “Mcp Approved Env Vars”."]
      : []),
    "This follows Kiro's documentation; it was not tried with the program.",
  ],
};
