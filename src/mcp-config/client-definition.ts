import type { Client, ClientConfig, ClientLocation } from "../../schemas/mcp-config.ts";
import type { McpFindings } from "./config-findings.ts";
import type { ConfigValues } from "./json-values.ts";
import type { McpServer, ServerString, ServerVariable, VariableValues } from "./mcp-server.ts";
import type { Secrets } from "./secrets.ts";
import type { CommandWord } from "./shell-commands.ts";
import {
  isReferenceName,
  REFERENCE_SYNTAXES,
  type ReferenceSyntax,
  type StringWithReferences,
} from "./variable-references.ts";
import { isList, type ServerEntry } from "./write-json-toml.ts";

/** The names of the operating systems. */
export const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;

/** What a client accepts in a file beyond plain JSON, and what it rejects. */
export interface Dialect {
  readonly comments?: true;
  readonly trailingCommas?: true;
  readonly rejectsByteOrderMark?: true;
}

/** JSON with comments and trailing commas. */
export const JSONC: Dialect = { comments: true, trailingCommas: true };

/**
 * The facts about a client's files, entries and lines; a new client is one of these rows. Outside them
 * are the lines that READMEs have for a client (`parse-command-line.ts`), the variables that clients define
 * themselves (`variable-references.ts`), and the forms of a file that are read but not written (`parse/`).
 */
export interface ClientDefinition {
  readonly id: Client;
  readonly title: string;
  /** Its program on the PATH, if it has one. */
  readonly program?: string;
  /** The page that the row follows. */
  readonly source: string;
  /** The day and the version with which the program read what the row writes, or `documented`. */
  readonly verified: string;
  readonly format: ClientConfig["format"];
  /** The key of the object or table that holds the servers by name. */
  readonly rootKey: string;
  /**
   * The client's config files: `homeFile`, `projectFile` and `systemPaths` below make them for the three
   * systems. The client reads all files of a scope, and a new one is made at the last path.
   */
  readonly locations: readonly ClientLocation[];
  /** The server as this client's file spells it, with references in its form. */
  readonly entry: (server: McpServer) => ServerEntry;
  /** An entry may have `cwd`, the folder that a local server starts in. */
  readonly hasCwd?: true;
  /** The name of the program if it does not support SSE: then the entry of an SSE server starts the bridge. */
  readonly withoutSse?: string;
  /** The questions of an entry to its user, which VS Code's file lists as `inputs` next to the servers. */
  readonly prompts?: (name: string, entry: unknown, known?: VariableValues) => readonly unknown[];

  /** The references that the client replaces by variables of its environment. Without this, a reference stays text. */
  readonly references?: {
    /** The forms that the client replaces; we write the first. Empty if `entry` has fields for references. */
    readonly forms?: readonly ReferenceSyntax[];
    /** The client replaces `${NAME:-default}` too. */
    readonly takesDefaults?: true;
    /**
     * What else the client replaces in a field, such as `${workspaceFolder}`, and the `~` before a path. We
     * never write such a part, and warn of it for other clients.
     */
    readonly alsoReplaces?: (part: string, field: string) => boolean;
    /** The fields where the client replaces references. Default: all. */
    readonly fields?: readonly string[];
    /** Decides whether the client replaces a reference, if the field alone does not tell. */
    readonly replaces?: (text: ServerString) => boolean;
    /** The reference to the answer, where the client asks its user for a value. */
    readonly promptReference?: (input: ServerVariable, server: McpServer) => string;
  };

  /** Other ways than the file. */
  readonly install?: {
    /** The command that adds the server, with another line where PowerShell needs it; undefined without one. */
    readonly commands?: (
      server: McpServer,
      secrets: Secrets,
      userValues: VariableValues,
    ) => { words: readonly CommandWord[]; powershell?: string | undefined } | undefined;
    /** A deep link, for a server without a secret. */
    readonly link?: (server: McpServer, userValues: VariableValues) => string;
    /** The button of a README, a page of the client's maker: GitHub drops links of other schemes. */
    readonly button?: {
      readonly colour: string;
      readonly link: (name: string, entry: unknown, prompts: readonly unknown[]) => string;
    };
  };

  /** Sentences for the client's user. A plain string is about the client. */
  readonly notes: (analysis: ServerFacts) => readonly (string | ClientNote)[];
  /** Warns about what surprises in this client alone. */
  readonly warnAbout?: (analysis: ServerFacts, findings: McpFindings) => void;

  // For reading and changing the client's file:
  /** The JSON that the client accepts. Default: plain JSON. */
  readonly dialect?: Dialect;
  /** The JSON that it accepts in a project's file, if that differs. */
  readonly projectDialect?: Dialect;
  /**
   * The types of entries with a command and with a URL that the client starts; `undefined` stands for no
   * type. Without this the type is ignored.
   */
  readonly types?: Readonly<Record<"command" | "url", readonly (string | undefined)[]>>;
  /** A value in `env` or `headers` must be a string. */
  readonly rejectsNumbers?: true;
  /** What the client does about a wrong entry. Default: it skips that server. */
  readonly onWrongEntry?: "skips the server" | "ignores the whole file" | "does not start";
  /**
   * True for an entry that is legal although it has neither a command nor an http URL; why the client
   * starts no server by it, for one that other clients start. All other entries are what their fields say.
   */
  readonly accepts?: (entry: ConfigValues) => true | string | undefined;
  /** The client's own fields of an entry, with what they hold. */
  readonly fields?: Readonly<Record<string, FieldContent>>;
  /** The environment variables that move the user's files; the first that is set counts. */
  readonly home?: readonly HomeVariable[];
  /** What few files have. */
  readonly file?: {
    /** A key below `rootKey` that may hold servers too. A new file has them in `rootKey` itself. */
    readonly innerKey?: string;
    /** A key of the user's file with an object of servers for each project, by its path. */
    readonly projectsKey?: string;
    /** The whole file may be the object of servers, without `rootKey`. */
    readonly mayBeBare?: true;
    /** The client reads only the first of several files of a scope, and a new one is made there. */
    readonly readsOnlyFirst?: true;
    /** The only program that may write the files of a scope, with its arguments. */
    readonly writer?: {
      readonly scope: ClientLocation["scope"];
      readonly command: string;
      /** @param json the server's entry. */
      readonly add: (name: string, json: string) => readonly string[];
      readonly remove: (name: string) => readonly string[];
    };
  };
}

/**
 * The content of a field of an entry. `httpUrl` is a URL for Streamable HTTP alone, preferred to a command,
 * `sseUrl` that of an SSE server, whatever the type, and `untypedSseUrl` without a type. The last three
 * hold names of variables: for the environment, for headers, and for a bearer token.
 */
export type FieldContent =
  | "url"
  | "httpUrl"
  | "sseUrl"
  | "untypedSseUrl"
  | "env"
  | "headers"
  | "token"
  | "envNames"
  | "headerVariables"
  | "tokenVariable";

/**
 * A sentence for a client's user. Those about a shell, a link or the project's file are shown where that
 * is chosen, and so are those about one system. For `link/values`, references make the link possible.
 */
export interface ClientNote {
  readonly about:
    | ("client" | "paste" | "shell" | "link" | "link/values" | "project")
    | keyof typeof SYSTEMS;
  readonly text: string;
}

/** Notes about the line that adds a server. */
export const aboutShell = (...texts: readonly string[]): readonly ClientNote[] =>
  texts.map((text) => ({ about: "shell", text }));

interface HomeVariable {
  readonly name: string;
  /** The folder or the file that its value replaces, on the systems where it does. */
  readonly folder: Partial<Record<ClientLocation["os"], string>>;
  /** A relative path is ignored; other clients resolve it from their working directory. */
  readonly mustBeAbsolute?: boolean;
}

/** True where the client replaces a reference; elsewhere it would send the text. */
export const replacesReferences = ({ references }: ClientDefinition, text: ServerString): boolean =>
  references !== undefined &&
  (references.replaces?.(text) ?? references.fields?.includes(String(text.path[0])) ?? true);

/** True for a part of a text, such as `$NAME` or the `~` before a path, that the client replaces in this field. */
export function replacesPart(
  { references }: ClientDefinition,
  part: string,
  field: string,
): boolean {
  if (!references) return false;
  const { forms = [], takesDefaults, alsoReplaces, fields } = references;
  if (alsoReplaces?.(part, field)) return true;
  const [, name = ""] = /^\$\{([^:}]*)\}$/.exec(part) ?? [];
  if (fields?.includes(field) === false || !isReferenceName(name)) return false;
  return (
    forms.some((form) => part.replace(REFERENCE_SYNTAXES[form], "") === "") ||
    (takesDefaults === true && /^\$\{[A-Za-z_]\w*:-[^}]*\}$/.test(part))
  );
}

/** Facts about the server that all clients share. */
export interface ServerFacts {
  readonly server: McpServer;
  readonly texts: readonly ServerString[];
  readonly references: readonly StringWithReferences[];
  readonly secrets: Secrets;
  /** The values of the references, as far as they are known. */
  readonly userValues: VariableValues;
}

export const typedEntry = (server: McpServer): ServerEntry => ({
  type: server.transport,
  ...untypedEntry(server),
});

export const untypedEntry = (server: McpServer): ServerEntry =>
  server.transport === "stdio"
    ? {
        command: server.command,
        ...unlessEmpty("args", server.args),
        ...unlessEmpty("env", server.env),
      }
    : { url: server.url, ...unlessEmpty("headers", server.headers) };

export const unlessEmpty = (key: string, value: readonly string[] | ServerEntry): ServerEntry =>
  (isList(value) ? value : Object.keys(value)).length === 0 ? {} : { [key]: value };

/** A file's path on each system, in the order of the result. */
export const systemPaths = (
  scope: ClientLocation["scope"],
  paths: Readonly<Record<ClientLocation["os"], string>>,
): ClientLocation[] =>
  (["macos", "windows", "linux"] as const).map((os) => ({ scope, os, path: paths[os] }));

/** A file in a folder of the user's home that has the same name on every system. */
export const homeFile = (path: string): ClientLocation[] =>
  systemPaths("user", {
    macos: `~/${path}`,
    windows: `%USERPROFILE%\\${path.replaceAll("/", "\\")}`,
    linux: `~/${path}`,
  });

/** A file of the project, which has the same path on every system. */
export const projectFile = (path: string): ClientLocation[] =>
  systemPaths("project", { macos: path, windows: path, linux: path });

/** A variable that replaces a folder or a file of the user's home, "" for the home itself, on every system. */
export const homeVariable = (name: string, folder: string): HomeVariable => ({
  name,
  folder: Object.fromEntries(
    homeFile(folder).map(({ os, path }) => [os, path.replace(/[\\/]$/, "")]),
  ),
});

/** The variable of the XDG specification, which replaces `~/.config` on Linux. */
export const XDG_VARIABLE: HomeVariable = {
  name: "XDG_CONFIG_HOME",
  folder: { linux: "~/.config" },
};
