import type { Client, ClientConfig } from "../../schemas/mcp-config.ts";
import type { Entry } from "./formats.ts";
import type { Word } from "./one-liners.ts";
import type { ReferringText } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import type { Server, ServerDiagnostics, ServerText } from "./server.ts";
import type { Inputs, ServerInput } from "./server-json/inputs.ts";

type Location = ClientConfig["locations"][number];

/** The names of the operating systems. */
export const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;

/** How strictly a client reads JSON: comments, and commas behind the last member. */
export type Dialect = "json" | "comments" | "jsonc";

export interface ClientDefinition {
  readonly id: Client;
  readonly title: string;
  readonly format: ClientConfig["format"];
  /** How strictly it reads a JSON file; plain JSON unless given. */
  readonly dialect?: Dialect;
  /** The key of the object or table that holds the servers by name. */
  readonly rootKey: string;
  /** The file is for all settings of the client, not for servers alone. */
  readonly holdsSettings?: boolean;
  /** A key below it that may hold servers too. */
  readonly innerKey?: string;
  /** A key of the user's file with an object of servers for each project, by its path. */
  readonly projectsKey?: string;
  /** Fields of an entry that other clients with the same key do not know. */
  readonly marks?: readonly string[];
  /**
   * Its config files: `homeFile`, `projectFile` and `locations` below make them for the three
   * systems. Of several files of one scope it reads all, and a new one is made at the last path.
   */
  readonly locations: readonly Location[];
  /** The environment variable that moves the user's files. */
  readonly home?: HomeVariable;
  /** The only program that may write the files of a scope, with its arguments. */
  readonly ownProgram?: {
    readonly scope: Location["scope"];
    readonly command: string;
    /** @param json the server's entry. */
    readonly add: (name: string, json: string) => readonly string[];
    readonly remove: (name: string) => readonly string[];
  };
  /** The server as this client's file spells it, with references in its form. */
  readonly entry: (server: Server) => Entry;
  /** The program that does not speak SSE: the file starts such a server through the bridge. */
  readonly withoutSse?: string;
  /** A `url` in its file is that of an SSE server, whatever the type. */
  readonly urlIsSse?: true;
  /** Other names that it accepts for members of an entry. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The user's own fields that belong to a transport, and that it rejects beside the other one. */
  readonly fieldsOfTransport?: Partial<Readonly<Record<Server["transport"], readonly string[]>>>;
  /** Its parser rejects a file with a byte order mark. */
  readonly rejectsByteOrderMark?: true;
  /** Values of members that mean the same as no such member, by transport. */
  readonly defaults: Readonly<Record<Server["transport"], Defaults>>;
  /** Lists that the file needs next to the servers, for what an entry says. */
  readonly extras?: (
    name: string,
    entry: unknown,
    inputs?: Inputs,
  ) => Readonly<Record<string, readonly unknown[]>>;

  /** How a reference is written, where the client replaces it; without this it stays as text. */
  readonly references?: {
    /** Left out where `entry` has fields for references. */
    readonly write?: (name: string) => string;
    /** Another form that it replaces; the first group is the name. */
    readonly otherForm?: RegExp;
    /** One that it replaces on Windows alone. */
    readonly windowsForm?: RegExp;
    /** The same for a value that the client asks its user for. */
    readonly writeInput?: (input: ServerInput, server: Server) => string;
    /** True where it replaces a reference; elsewhere it would send the text. */
    readonly resolvesIn: (text: ServerText) => boolean;
    /** The bridge replaces them, not the client; its notes say so. */
    readonly areBridged?: boolean;
  };
  /**
   * Texts that it replaces in the strings of its file, in all fields unless some are named: all that
   * it knows; `references` are those that we write. `defined` are the names in `${name}` that the
   * client itself defines; other names of clients are not in its environment.
   */
  readonly variables?: {
    readonly pattern: RegExp;
    readonly defined?: RegExp;
    readonly fields?: readonly string[];
  };
  /** It gives a server few variables of its own environment; the others must be in `env`. */
  readonly passesOnFew?: boolean;
  /** Paths in these fields whose `~` it replaces. */
  readonly homePaths?: { readonly fields: readonly string[]; readonly pattern: RegExp };
  /** Beginnings of a command with which it cannot start the program. */
  readonly failingCommand?: RegExp;
  readonly reservedNames?: RegExp;

  /** The commands that add the server; undefined when the program has none for it. */
  readonly commands?: (server: Server, secrets: Secrets, inputs: Inputs) => Commands | undefined;
  /** A deep link, for a server without a secret. */
  readonly link?: (server: Server, inputs: Inputs) => string;

  readonly notes: (facts: ServerFacts) => readonly string[];
  readonly warnAbout?: (facts: ServerFacts, diagnostics: ServerDiagnostics) => void;
}

type Defaults = Readonly<Record<string, readonly unknown[]>>;

export interface HomeVariable {
  readonly name: string;
  /** The folder in the paths that its value replaces, on the systems where it does. */
  readonly folder: Partial<Record<Location["os"], string>>;
  /** A relative path is ignored; other clients resolve it from their working directory. */
  readonly mustBeAbsolute?: boolean;
  /** The client's documentation or code for it. */
  readonly source: string;
}

/** Facts about the server that all clients share. */
export interface ServerFacts {
  readonly server: Server;
  readonly texts: readonly ServerText[];
  readonly references: readonly ReferringText[];
  readonly secrets: Secrets;
  /** The values behind the references, as far as they are known. */
  readonly inputs: Inputs;
}

interface Commands {
  readonly words: readonly Word[];
  /** Given where PowerShell needs other words. */
  readonly powershell?: string | undefined;
}

/** Defaults of a client that knows the transport without `type`, unless a type is left out here. */
export const typeDefaults = (
  stdio: readonly string[],
  http: readonly string[],
  sse: readonly string[] = [],
  others: Defaults = {},
): ClientDefinition["defaults"] => ({
  stdio: { ...COMMON_DEFAULTS, type: stdio, ...others },
  http: { ...COMMON_DEFAULTS, type: http, ...others },
  sse: { ...COMMON_DEFAULTS, type: sse, ...others },
});

/** The note of a client that tries the transports one after the other. */
export const fallsBackToSse = (title: string): string =>
  `${title} tries Streamable HTTP first, and SSE when that fails.`;

const COMMON_DEFAULTS: Defaults = {
  ...{ args: [[]], env: [{}], environment: [{}], env_vars: [[]], headers: [{}] },
  ...{ http_headers: [{}], env_http_headers: [{}] },
};

/** A file's path on each system, in the order of the result. */
export const locations = (
  scope: Location["scope"],
  paths: Readonly<Record<Location["os"], string>>,
): Location[] => [
  { scope, os: "macos", path: paths.macos },
  { scope, os: "windows", path: paths.windows },
  { scope, os: "linux", path: paths.linux },
];

/** A file in a folder of the user's home that has the same name on every system. */
export const homeFile = (path: string): Location[] =>
  locations("user", {
    macos: `~/${path}`,
    windows: `%USERPROFILE%\\${path.replaceAll("/", "\\")}`,
    linux: `~/${path}`,
  });

/** A variable that replaces a folder of the user's home, "" for the home itself, on every system. */
export const homeVariable = (name: string, folder: string, source: string): HomeVariable => ({
  name,
  folder: Object.fromEntries(
    homeFile(folder).map(({ os, path }) => [os, path.replace(/[\\/]$/, "")]),
  ),
  source,
});

/** The variable of the XDG specification, which replaces `~/.config` on Linux. */
export const xdgVariable = (source: string): HomeVariable => ({
  name: "XDG_CONFIG_HOME",
  folder: { linux: "~/.config" },
  source,
});

/** A file of the project, which has the same path on every system. */
export const projectFile = (path: string): Location[] =>
  locations("project", { macos: path, windows: path, linux: path });
