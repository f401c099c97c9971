import { Option } from "commander";
import {
  ALL_CLIENTS,
  type Client,
  REMOTE_TRANSPORTS,
  type Transport,
} from "../../schemas/mcp-config.ts";
import type { Finding } from "../../src/findings.ts";
import { groupBy } from "../../src/group-by.ts";
import { isWithinPath, type Path } from "../../src/issues.ts";
import { asString } from "../../src/mcp-config/json-values.ts";
import { describeMaskedServer } from "../../src/mcp-config/mask-secrets.ts";
import { isToolInput, type ServerVariable } from "../../src/mcp-config/mcp-server.ts";
import {
  deriveServerName,
  parsePackageWord,
  type ServerTarget,
} from "../../src/mcp-config/server-name.ts";
import { CliError, UsageError } from "../cli-error.ts";
import { isStandardInput, readText, sourceName } from "../files/read-file.ts";
import {
  fileInput,
  flagWithFileError,
  type InputSources,
  inputFromFlags,
  inputWithoutLocations,
  type LocatedInput,
  parseJsonFile,
  toDiagnostics,
  withLocations,
} from "../input/read-input.ts";
import type { Io } from "../io.ts";
import { mapOption, parseNamedValue, repeatableChoiceOption } from "../options.ts";
import { type Diagnostic, writeDiagnostics } from "../output.ts";
import { requireFiles } from "../tools/input-files.ts";

/** The argument of commands that accept a server. */
export const SERVER_ARGUMENT = [
  "[file]",
  "a JSON file with the server (comments allowed), a server.json, or a client's own file with one server; - is standard input. Or a URL, or a package: @scope/name, npm:name, uvx:name.",
] as const;

/** The usage of commands that accept a server's command line after `--`. */
export const SERVER_USAGE = "[options] [file] [-- <command> [args...]]";

/** Options for the server in a FILE. */
export const serverOptions = (io: Io): readonly Option[] =>
  [
    new Option(
      "--via <name>",
      "how to run the server of a server.json that offers several ways",
    ).choices(["npm", "pypi", "oci", "nuget", "remote"]),
    mapOption(
      "--var <name=value>",
      "the value of a variable of a server.json. Repeatable.",
      (item, flag) => parseNamedValue(item, flag, io),
    ),
    new Option(
      "--transport <name>",
      "how a remote server is reached: Streamable HTTP, or the older SSE. A client's own FILE states it.",
    ).choices(REMOTE_TRANSPORTS),
  ].map((option) => option.helpGroup("Input:"));

/** Flags about the servers in a FILE. */
export interface ServerFlags {
  readonly name?: string;
  readonly via?: string;
  readonly var?: Readonly<Record<string, string>>;
  readonly transport?: Transport;
  /** Whether to keep the version of a server.json. */
  readonly pinVersion?: boolean;
  /** The names of the servers to use. The default is all. */
  readonly server?: readonly string[];
}

export const clientOption = (description: string): Option =>
  repeatableChoiceOption("--client <name>", description, [...ALL_CLIENTS, "all"]);

/** Expands `all`. Undefined means the default clients. */
export const readClients = (
  names: readonly (Client | "all")[] | undefined,
): readonly Client[] | undefined =>
  names?.includes("all") ? ALL_CLIENTS : names?.filter((name) => name !== "all");

/** Changes the path of warnings about a client: the input has no field for clients. */
export const withoutClientPaths = (warnings: readonly Finding[], path: Path = []) =>
  warnings.map((warning) =>
    warning.path.length === 0 || warning.path[0] === "clients" ? { ...warning, path } : warning,
  );

/** A server, and facts from its file that the input cannot hold. */
export interface SourceServer {
  readonly input: LocatedInput;
  readonly variables?: readonly ServerVariable[];
  readonly transport?: Transport | undefined;
  readonly cwd?: string | undefined;
}

export interface SourceServers {
  readonly servers: readonly SourceServer[];
  /** Diagnostics about the servers. */
  readonly messages: readonly Diagnostic[];
}

/** Where a command finds a server: in a FILE, or in its flags. */
type ServerSource = Pick<InputSources, "command" | "flags"> & { readonly file: string | undefined };

/** Reads the server for a command that accepts only one, and prints diagnostics about it. */
export async function readSingleServer(
  source: ServerSource,
  options: ServerFlags,
  io: Io,
): Promise<SourceServer> {
  const { command, file } = source;
  await requireFiles(command, file === undefined ? [] : [file], io);
  const { servers, messages } = await readServers(source, options, io);
  const [only, ...others] = servers;
  if (only && others.length === 0) {
    await writeDiagnostics(io, messages);
    return only;
  }
  const names = servers.map(({ input }) => describeMaskedServer(input.value)).join(", ");
  const text = `contains ${servers.length} servers (${names}); this command accepts one. Choose one with handtools mcp-config read`;
  throw new UsageError([{ location: { file: sourceName(file ?? "") }, text }]);
}

/**
 * Reads the servers of a FILE, or the server in the flags. With a FILE, only `--name` is allowed.
 *
 * @throws {UsageError} if the file has no server, or other flags are used with it.
 */
export async function readServers(
  { file, flags, command }: ServerSource,
  options: ServerFlags,
  io: Io,
): Promise<SourceServers> {
  if (file === undefined) {
    if (options.server) throw new UsageError(["--server: needs a FILE"]);
    const input = inputFromFlags(command, flags);
    const value = Object(input.value);
    // A name cannot be derived without a program or URL. A dummy name avoids a second error.
    const isBare = value.command === undefined && value.url === undefined;
    return withDerivedName(isBare ? { ...input, value: { name: "server", ...value } } : input);
  }
  const usedFlags = flags?.listUsedFlags(command) ?? [];
  const disallowed = usedFlags.find(({ path: [field] }) => field !== "name");
  if (disallowed) throw flagWithFileError(disallowed.flag, file, command);
  const readTheFile = async () =>
    readServersFile(sourceName(file), await readText(file, io), options);
  if (isStandardInput(file) || (await io.exists(file))) return readTheFile();
  if (await isInstallLink(file)) return readServersFile("the link", file, options);
  const target = parsePackageWord(file);
  if (target) {
    rejectManifestFlags(options);
    const { name } = options;
    const input = inputWithoutLocations({ ...(name !== undefined && { name }), ...target });
    const origin = (path: Path) => ({ path, ...(path[0] === "name" && { flag: "--name" }) });
    return withDerivedName({ ...input, origin }, true);
  }
  if (usedFlags[0]) throw flagWithFileError(usedFlags[0].flag, file, command);
  if (!/^\w[\w-]*$/.test(file)) return readTheFile();
  throw new UsageError([
    `${file}: no such file. For a package, write npm:${file}, uvx:${file} or @scope/name`,
  ]);
}

/** Whether the argument is a link that adds a server to a client. */
async function isInstallLink(word: string): Promise<boolean> {
  if (!/^[a-z-]+:\S+[?]/.test(word)) return false;
  const { parseServersOfLinks } = await import("../../src/mcp-config/parse/install-links.ts");
  return parseServersOfLinks(word).length > 0;
}

/** Derives a name from the program or URL if the input has none. */
function withDerivedName(input: LocatedInput, isPackage = false): SourceServers {
  const value: ServerTarget & { readonly name?: unknown } = Object(input.value);
  const name = value.name === undefined ? deriveServerName(value) : undefined;
  const words = isPackage && value.command ? [value.command, ...(value.args ?? [])] : [];
  const texts = [
    ...(name === undefined ? [] : [`the server is named ${name}; --name gives it another name`]),
    ...(words.length === 0 ? [] : [`the server is started with ${words.join(" ")}`]),
  ];
  const named = name === undefined ? input : { ...input, value: { ...value, name } };
  return {
    servers: [{ input: named }],
    messages: texts.map((text) => ({ severity: "info", text })),
  };
}

/**
 * Reads the servers of an input, a server.json or a client's own file.
 *
 * @throws {UsageError} if the text has no server or lacks a named one, or if flags need a
 * server.json.
 */
async function readServersFile(
  source: string,
  text: string,
  options: ServerFlags,
): Promise<SourceServers> {
  const json = await parseJsonFile(source, text).catch((problem: unknown) => {
    // It may have another format.
    if (problem instanceof CliError) return problem;
    throw problem;
  });
  const file = fileInput(json instanceof CliError ? { source, value: undefined } : json);
  const config = await withLocations(file, () => parseConfigText(text, file.value, options));
  if (!config && json instanceof CliError) throw json;
  const { servers, warnings = [] } = config ?? { servers: [{ input: file.value, path: [] }] };
  const { name, server: names } = options;
  const chosen = chooseServers(source, servers, names);
  if (name !== undefined && chosen.length > 1) {
    throw new UsageError([
      `--name: is for one server, and ${source} has ${chosen.map(getServerName).join(", ")}; choose one with --server`,
    ]);
  }
  const shown = warnings.filter(
    ({ path }) => !names || chosen.some((server) => isWithinPath(path, server.path)),
  );
  return {
    servers: chosen.map(({ input, path: parent, ...facts }) => ({
      ...facts,
      input: {
        ...file,
        value: name === undefined ? input : { ...Object(input), name },
        origin: (path) => file.origin([...parent, ...path]),
      },
    })),
    messages: await toDiagnostics(shown, file),
  };
}

/** A server in a file, at a path to which its locations are relative. */
interface FileServer extends Omit<SourceServer, "input"> {
  readonly input: unknown;
  readonly path: Path;
}

/** Parses a server.json or a client's file. Loads their parsers only if needed. */
async function parseConfigText(
  text: string,
  value: unknown,
  options: ServerFlags,
): Promise<{ servers: readonly FileServer[]; warnings: readonly Finding[] } | undefined> {
  if (/"(?:\$schema|packages|remotes)"\s*:/.test(text)) {
    const reader = await import("../../src/mcp-config/server-json/parse-server-json.ts");
    const manifest = reader.readIfServerJson(text, { ...options, variables: options.var });
    if (manifest) {
      const { servers, variables, warnings } = manifest;
      return { servers: servers.map((server) => ({ ...server, variables, path: [] })), warnings };
    }
  }
  rejectManifestFlags(options);
  if (isToolInput(value)) return undefined;
  const { readAnyConfig } = await import("../../src/mcp-config/parse/parse-config.ts");
  return readAnyConfig(text);
}

/** @throws {UsageError} for flags that need a server.json. */
export function rejectManifestFlags({ via, var: variables }: ServerFlags): void {
  if (via !== undefined) throw new UsageError(["--via: needs a server.json"]);
  if (variables) throw new UsageError(["--var: needs a server.json"]);
}

/**
 * Chooses servers by name. Without names, chooses all. A renamed server is found by its name in the
 * file too.
 *
 * @throws {UsageError} if a name is missing from the file, or two servers share a name.
 */
function chooseServers(
  source: string,
  servers: readonly FileServer[],
  names: readonly string[] | undefined,
): readonly FileServer[] {
  const groups = groupBy(servers, getServerName);
  const wanted = names?.map((name) => {
    const renamed = servers.find(({ path }) => path.at(-1) === name);
    return renamed && !groups.has(name) ? getServerName(renamed) : name;
  });
  const unknown = wanted?.filter((name) => !groups.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError([
      `--server: ${source} has no server ${unknown.join(", ")} that can be read; it has ${[...groups.keys()].join(", ")}`,
    ]);
  }
  const selected = [...groups].filter(([name]) => wanted?.includes(name) ?? true);
  const twice = selected.flatMap(([, group]) => (group.length > 1 ? group : []));
  if (twice.length === 0) return selected.flatMap(([, group]) => group);
  const all = twice.map(({ input }) => describeMaskedServer(input)).join(", ");
  const text = `contains several servers with the same name (${all}); choose one with handtools mcp-config read`;
  throw new UsageError([{ location: { file: source }, text }]);
}

const getServerName = ({ input }: FileServer): string => asString(Object(input).name);
