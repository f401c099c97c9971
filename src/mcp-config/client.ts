import type { Client, ClientConfig } from "../../schemas/mcp-config.ts";
import type { Entry } from "./formats.ts";
import type { Word } from "./one-liners.ts";
import type { Secrets } from "./secrets.ts";
import type { Server, ServerDiagnostics } from "./server.ts";

type Location = ClientConfig["locations"][number];

/** All that is known about one client. */
export interface ClientDefinition {
  readonly id: Client;
  readonly title: string;
  readonly format: ClientConfig["format"];
  /** The key of the object or table that holds the servers by name. */
  readonly rootKey: string;
  readonly locations: readonly Location[];
  /** The server as this client's file spells it. */
  readonly entry: (server: Server) => Entry;

  /** The variables that the client replaces in the strings of its file. */
  readonly variables?: RegExp;
  /** Paths in the command or the arguments that it replaces by absolute ones. */
  readonly rewrittenPaths?: { readonly fields: readonly string[]; readonly pattern: RegExp };
  /** Names of servers that it keeps for itself. */
  readonly reservedNames?: readonly string[];

  /** The commands that add the server; undefined when the program has none for it. */
  readonly commands?: (server: Server, secrets: Secrets) => Commands | undefined;
  /** A deep link, for a server that holds nothing to keep out of links. */
  readonly link?: (server: Server) => string;

  readonly notes: (server: Server, secrets: Secrets) => readonly string[];
  /** Warns about this client's own traps. */
  readonly warnAbout?: (server: Server, diagnostics: ServerDiagnostics) => void;
}

interface Commands {
  readonly bash: readonly Word[];
  readonly powershell?: string | undefined;
}

/** A file's path on each system, in the order of the result. */
export const locations = (
  scope: Location["scope"],
  paths: Readonly<Record<Location["os"], string>>,
): Location[] => [
  { scope, os: "macos", path: paths.macos },
  { scope, os: "windows", path: paths.windows },
  { scope, os: "linux", path: paths.linux },
];

/** A file of the project, which has the same path on every system. */
export const projectFile = (path: string): Location[] =>
  locations("project", { macos: path, windows: path, linux: path });
