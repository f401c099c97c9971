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

export const SYSTEMS = { macos: "macOS", windows: "Windows", linux: "Linux" } as const;

/** Differences between a client's file and plain JSON. */
export interface Dialect {
  readonly comments?: true;
  readonly trailingCommas?: true;
  readonly rejectsByteOrderMark?: true;
}

export const JSONC: Dialect = { comments: true, trailingCommas: true };

/**
 * Describes a client's files, entries and commands. To add a client, add one row. Only the options
 * of `mcp add` (`parse-command-line.ts`), variables that clients define (`variable-references.ts`)
 * and file formats that we only read (`parse/`) live elsewhere.
 */
export interface ClientDefinition {
  readonly id: Client;
  readonly title: string;
  /** Its program on the PATH, if any. */
  readonly program?: string;
  /** The documentation that the row follows. */
  readonly source: string;
  /** The date and version of the client that was tested, or `documented`. */
  readonly verified: string;
  readonly format: ClientConfig["format"];
  /** The key of the object or table that maps names to servers. */
  readonly rootKey: string;
  /**
   * The client's config files, from `homeFile`, `projectFile` or `systemPaths`. The client reads
   * all files of a scope; we create new ones at the last path.
   */
  readonly locations: readonly ClientLocation[];
  /** The entry in this client's format and reference syntax. */
  readonly entry: (server: McpServer) => ServerEntry;
  /** Whether an entry may set `cwd`, the folder that a local server starts in. */
  readonly hasCwd?: true;
  /** Whether it lacks SSE support. Its SSE servers start through the bridge. */
  readonly lacksSse?: true;
  /** The prompts for an entry's values, which VS Code stores as `inputs` next to the servers. */
  readonly prompts?: (name: string, entry: unknown, known?: VariableValues) => readonly unknown[];

  /** How the client replaces references to environment variables. Without this it replaces none. */
  readonly references?: {
    /** The syntaxes that it replaces; we write the first. Empty if `entry` has reference fields. */
    readonly syntaxes?: readonly ReferenceSyntax[];
    /** Whether the client also replaces `${NAME:-default}`. */
    readonly takesDefaults?: true;
    /**
     * Whether the client replaces another part, such as `${workspaceFolder}` or the `~` of a path.
     * We never write such parts, and warn if other clients keep them.
     */
    readonly alsoReplaces?: (part: string, field: string) => boolean;
    /** The fields in which the client replaces references. Default: all. */
    readonly fields?: readonly string[];
    /** Whether the client replaces this reference, if the field is not enough to know. */
    readonly replaces?: (text: ServerString) => boolean;
    /** The reference to the user's response, if the client prompts for the value. */
    readonly promptReference?: (input: ServerVariable, server: McpServer) => string;
  };

  /** Ways to install without editing the file. */
  readonly install?: {
    /** The command that adds the server, and a variant if PowerShell needs one; or why there is none. */
    readonly commands?: (
      server: McpServer,
      secrets: Secrets,
      userValues: VariableValues,
    ) => ShellCommand;
    /** A deep link for a server without secrets. */
    readonly link?: (server: McpServer, userValues: VariableValues) => string;
    /** A README button. It links to the vendor's page, because GitHub drops other schemes. */
    readonly button?: {
      readonly colour: string;
      readonly link: (name: string, entry: unknown, prompts: readonly unknown[]) => string;
    };
  };

  /** How the client's own `mcp add` reads words. */
  readonly addCommand?: {
    /** Whether all words after the server's program belong to it. */
    readonly programTakesRest?: true;
    /** The options that may stand anywhere before `--`, even after the program of a container. */
    readonly optionsAnywhere?: readonly string[];
  };

  /** Notes for the client's user. A plain string is about the client. */
  readonly notes: (facts: ServerFacts) => readonly (string | ClientNote)[];
  /** Warns about surprises that only this client has. */
  readonly warnAbout?: (facts: ServerFacts, findings: McpFindings) => void;

  // Reading and editing the client's file:
  /** Default: plain JSON. */
  readonly dialect?: Dialect;
  /** The dialect of project files, if it differs. */
  readonly projectDialect?: Dialect;
  /**
   * The `type` values that the client accepts, by kind of entry. `undefined` means that `type` may
   * be missing. Without this, `type` is ignored.
   */
  readonly types?: Readonly<Record<"command" | "url", readonly (string | undefined)[]>>;
  /** Whether values in `env` and `headers` must be strings. */
  readonly requiresStrings?: true;
  /** What the client does with an invalid entry. */
  readonly onWrongEntry: "skips the server" | "ignores the whole file" | "does not start";
  /** Whether the entry is of a kind that only this client has, without a command or an http URL. */
  readonly isOwnKind?: (entry: ConfigValues) => boolean;
  /** Returns the reason why only this client does not start the entry. */
  readonly problemOf?: (entry: ConfigValues) => string | undefined;
  /** The client's own fields in an entry, with their content. */
  readonly fields?: Readonly<Record<string, FieldContent>>;
  /** Environment variables that move the user's files. The first one that is set wins. */
  readonly home?: readonly HomeVariable[];
  /** Options for unusual files. */
  readonly file?: {
    /** A key inside `rootKey` that may hold servers too. New files do not use it. */
    readonly innerKey?: string;
    /** A key in the user's file that maps project paths to objects of servers. */
    readonly projectsKey?: string;
    /** The object in which an entry may hold its fields. The command may be its `path`. */
    readonly nestedIn?: "transport" | "command";
    /** Whether the whole file may be the object of servers, without `rootKey`. */
    readonly mayBeBare?: true;
    /** Whether the client reads only the first file of a scope. New files go there. */
    readonly readsOnlyFirst?: true;
    /** The only program that may write the files of a scope. */
    readonly writer?: {
      readonly scope: ClientLocation["scope"];
      readonly command: string;
      readonly add: (name: string, json: string) => readonly string[];
      readonly remove: (name: string) => readonly string[];
    };
  };
}

/** What most rows have, so that they need not state it. */
export const USUAL_FIELDS = {
  format: "json",
  rootKey: "mcpServers",
  verified: "documented",
  notes: () => [],
  onWrongEntry: "skips the server",
} satisfies Partial<ClientDefinition>;

export type ClientRow = Omit<ClientDefinition, "id" | keyof typeof USUAL_FIELDS> &
  Partial<Pick<ClientDefinition, keyof typeof USUAL_FIELDS>>;

export interface ShellCommand {
  readonly words?: readonly CommandWord[];
  readonly powershell?: string | undefined;
  /** Why there is no command, in words that follow "because". */
  readonly because?: string;
}

/**
 * The content of a field. `httpUrl` is only for Streamable HTTP and wins over a command. `sseUrl`
 * is for SSE regardless of the type, `untypedSseUrl` only without a type. `requestInit` is an object
 * with headers. The last three hold names of variables: for the environment, for headers, and for a
 * bearer token.
 */
export type FieldContent =
  | "url"
  | "httpUrl"
  | "sseUrl"
  | "untypedSseUrl"
  | "env"
  | "headers"
  | "requestInit"
  | "token"
  | "envNames"
  | "headerVariables"
  | "tokenVariable";

/**
 * A note for a client's user. A page shows it only if its subject or operating system is selected.
 * For `link/values`, using references makes the link possible. `project` is about secrets in the file.
 */
export interface ClientNote {
  readonly about:
    | ("client" | "paste" | "shell" | "link" | "link/values" | "project" | "in-project")
    | keyof typeof SYSTEMS;
  readonly text: string;
}

/** Creates notes about the shell command, which appear only if there is one. */
export const aboutShell = (...notes: readonly string[]): readonly ClientNote[] =>
  notes.map((text) => ({ about: "shell", text }));

/** Creates a note about the file of a project. */
export const inProject = (text: string): ClientNote => ({ about: "in-project", text });

interface HomeVariable {
  readonly name: string;
  /** The folder or file that the variable replaces on each OS. */
  readonly folder: Partial<Record<ClientLocation["os"], string>>;
  /** Whether a relative path is ignored. Other clients resolve it from their working directory. */
  readonly mustBeAbsolute?: boolean;
}

/** Whether the client replaces references in this string, instead of sending them unchanged. */
export const replacesReferences = ({ references }: ClientDefinition, text: ServerString): boolean =>
  references !== undefined &&
  (references.replaces?.(text) ?? references.fields?.includes(String(text.path[0])) ?? true);

/** Whether the client replaces this part, such as `$NAME` or a leading `~`, in this field. */
export function replacesPart(
  { references }: ClientDefinition,
  part: string,
  field: string,
): boolean {
  if (!references) return false;
  const { syntaxes = [], takesDefaults, alsoReplaces, fields } = references;
  if (alsoReplaces?.(part, field)) return true;
  const [, name = ""] = /^\$\{([^:}]*)\}$/.exec(part) ?? [];
  if (fields?.includes(field) === false || !isReferenceName(name)) return false;
  return (
    syntaxes.some((syntax) => part.replace(REFERENCE_SYNTAXES[syntax], "") === "") ||
    (takesDefaults === true && /^\$\{[A-Za-z_]\w*:-[^}]*\}$/.test(part))
  );
}

/** Facts about the server that all clients share. */
export interface ServerFacts {
  readonly server: McpServer;
  readonly strings: readonly ServerString[];
  readonly references: readonly StringWithReferences[];
  readonly secrets: Secrets;
  /** The known values of the references. */
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

/** A file's path on each OS, in the order of the result. */
export const systemPaths = (
  scope: ClientLocation["scope"],
  paths: Readonly<Record<ClientLocation["os"], string>>,
): ClientLocation[] =>
  (["macos", "windows", "linux"] as const).map((os) => ({ scope, os, path: paths[os] }));

/** A file in the home folder with the same path on every OS. */
export const homeFile = (path: string): ClientLocation[] =>
  systemPaths("user", {
    macos: `~/${path}`,
    windows: `%USERPROFILE%\\${path.replaceAll("/", "\\")}`,
    linux: `~/${path}`,
  });

/** A project file with the same path on every OS. */
export const projectFile = (path: string): ClientLocation[] =>
  systemPaths("project", { macos: path, windows: path, linux: path });

/** A variable that replaces a path in the home folder on every OS. "" is the home folder. */
export const homeVariable = (name: string, folder: string): HomeVariable => ({
  name,
  folder: Object.fromEntries(
    homeFile(folder).map(({ os, path }) => [os, path.replace(/[\\/]$/, "")]),
  ),
});

/** The XDG variable that replaces `~/.config` on Linux. */
export const XDG_VARIABLE: HomeVariable = {
  name: "XDG_CONFIG_HOME",
  folder: { linux: "~/.config" },
};
