import {
  type ClientDefinition,
  locations,
  projectFile,
  typeDefaults,
  xdgVariable,
} from "../client.ts";
import { untypedEntry } from "../formats.ts";

export const zed: ClientDefinition = {
  id: "zed",
  title: "Zed",
  format: "json",
  dialect: "jsonc",
  rootKey: "context_servers",
  holdsSettings: true,
  locations: [
    ...locations("user", {
      macos: "~/.config/zed/settings.json",
      windows: "%APPDATA%\\Zed\\settings.json",
      linux: "~/.config/zed/settings.json",
    }),
    ...projectFile(".zed/settings.json"),
  ],
  home: { ...xdgVariable("https://zed.dev/docs/configuring-zed"), mustBeAbsolute: true },
  entry: untypedEntry,
  // https://github.com/zed-industries/zed/blob/main/crates/context_server/src/transport/http.rs
  withoutSse: "Zed",
  defaults: typeDefaults([], [], [], { source: ["custom"] }),
  failingCommand: /^~[\\/]/,
  notes: () => [
    "The file holds all settings of Zed: add the server to it, and do not replace the file.",
    "This follows Zed's documentation; it was not tried with the program.",
  ],
};
