import { type ClientDefinition, locations, projectFile } from "../client.ts";
import { untypedEntry } from "../formats.ts";

export const zed: ClientDefinition = {
  id: "zed",
  title: "Zed",
  format: "json",
  rootKey: "context_servers",
  locations: [
    ...locations("user", {
      macos: "~/.config/zed/settings.json",
      windows: "%APPDATA%\\Zed\\settings.json",
      linux: "~/.config/zed/settings.json",
    }),
    ...projectFile(".zed/settings.json"),
  ],
  entry: untypedEntry,
  // https://github.com/zed-industries/zed/blob/main/crates/context_server/src/transport/http.rs
  withoutSse: "Zed",
  notes: () => [
    "The file holds all settings of Zed: add the server to it, and do not replace the file.",
    "This follows Zed's documentation; it was not tried with the program.",
  ],
};
