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
import type { RawMcpConfig } from "../../src/mcp-config/parse/parse-found-servers.ts";
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
import type { Diagnostic } from "../output.ts";

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

/** Reads the server for a command that accepts only one. */
export async function readSingleServer(
  sources: InputSources,
  options: ServerFlags,
  io: Io,
): Promise<SourceServer & Pick<SourceServers, "messages">> {
  const { servers, messages } = await readServers(sources, options, io);
  const [only, ...others] = servers;
  if (only && others.length === 0) return { ...only, messages };
  const names = servers.map(({ input }) => describeMaskedServer(input.value)).join(", ");
  const text = `contains ${servers.length} servers (${names}); this command accepts one. Choose one with handtools mcp-config read`;
  throw new UsageError([{ location: { file: sourceName(sources.files[0] ?? "") }, text }]);
}

/**
 * Reads the servers of a FILE, or the server in the flags. With a FILE, only `--name` is allowed.
 *
 * @throws {UsageError} if the file has no server, or other flags are used with it.
 */
export async function readServers(
  { files: [file], flags, command }: InputSources,
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
  if (isStandardInput(file) || (await io.exists(file))) return readServersFile(file, options, io);
  if (await isInstallLink(file)) return readServersFile(file, options, io);
  const target = parsePackageWord(file);
  if (target) {
    rejectManifestFlags(options);
    const { name } = options;
    const input = inputWithoutLocations({ ...(name !== undefined && { name }), ...target });
    const origin = (path: Path) => ({ path, ...(path[0] === "name" && { flag: "--name" }) });
    return withDerivedName({ ...input, origin }, true);
  }
  if (usedFlags[0]) throw flagWithFileError(usedFlags[0].flag, file, command);
  if (!/^\w[\w-]*$/.test(file)) return readServersFile(file, options, io);
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
 * Reads a file's servers: an input, a server.json, or a client's own file.
 *
 * @throws {UsageError} if the file has no server or lacks a named one, or if flags need a
 * server.json.
 */
async function readServersFile(file: string, options: ServerFlags, io: Io): Promise<SourceServers> {
  const isLink = await isInstallLink(file);
  const source = isLink ? "the link" : sourceName(file);
  const text = isLink ? file : await readText(file, io);
  const json = await parseJsonFile(source, text).catch((problem: unknown) => {
    // It may have another format.
    if (problem instanceof CliError) return problem;
    throw problem;
  });
  const fileSource = fileInput(json instanceof CliError ? { source, value: undefined } : json);
  const fileServers: FileServers | undefined =
    (await withLocations(fileSource, () => parseOtherFormat(fileSource, text, options))) ??
    (json instanceof CliError ? undefined : { servers: [{ input: fileSource }], messages: [] });
  if (!fileServers) throw json;
  const { messages, selectedNames = options.server } = fileServers;
  const servers = chooseServers(source, fileServers.servers, selectedNames);
  const { name } = options;
  if (name === undefined) return { servers, messages };
  if (servers.length > 1) {
    const names = servers.map(({ input }) => getServerName(input.value)).join(", ");
    throw new UsageError([
      `--name: is for one server, and ${source} has ${names}; choose one with --server`,
    ]);
  }
  const renamed = servers.map((server) => {
    const value = { ...Object(server.input.value), name };
    return { ...server, input: { ...server.input, value } };
  });
  return { servers: renamed, messages };
}

interface FileServers extends SourceServers {
  /** The selected names, as the servers are named here. */
  readonly selectedNames?: readonly string[] | undefined;
}

/** Reads a server.json or a client's file. Loads their parsers only if needed. */
async function parseOtherFormat(
  file: LocatedInput,
  text: string,
  options: ServerFlags,
): Promise<FileServers | undefined> {
  if (/"(?:\$schema|packages|remotes)"\s*:/.test(text)) {
    const reader = await import("../../src/mcp-config/server-json/parse-server-json.ts");
    const manifest = reader.readIfServerJson(text, { ...options, variables: options.var });
    if (manifest) {
      const servers = manifest.servers.map(({ input, transport }) => ({
        ...{ variables: manifest.variables, transport },
        input: { ...file, value: input },
      }));
      return { servers, messages: await toDiagnostics(manifest.warnings, file) };
    }
  }
  rejectManifestFlags(options);
  if (isToolInput(file.value)) return undefined;
  const { readAnyConfig } = await import("../../src/mcp-config/parse/parse-config.ts");
  const config = readAnyConfig(text);
  return config && locateServers(file, config, options.server);
}

/** @throws {UsageError} for flags that need a server.json. */
export function rejectManifestFlags({ via, var: variables }: ServerFlags): void {
  if (via !== undefined) throw new UsageError(["--via: needs a server.json"]);
  if (variables) throw new UsageError(["--var: needs a server.json"]);
}

/**
 * Locates a client's servers and warnings in the file, or only those with the given names. A renamed
 * server is found by its name in the file too.
 */
async function locateServers(
  file: LocatedInput,
  config: RawMcpConfig,
  names: readonly string[] | undefined,
): Promise<FileServers> {
  const servers = config.servers.map(({ input: value, path: parent, ...facts }) => {
    const origin = (path: Path) => file.origin([...parent, ...path]);
    return { ...facts, input: { ...file, value, origin } };
  });
  const selectedNames = names?.map((name) => {
    if (config.servers.some(({ input }) => input.name === name)) return name;
    return config.servers.find(({ path }) => path.at(-1) === name)?.input.name ?? name;
  });
  const selected = config.servers.filter(({ input }) => selectedNames?.includes(input.name));
  const warnings = config.warnings.filter(
    ({ path }) => !selectedNames || selected.some((server) => isWithinPath(path, server.path)),
  );
  return { servers, messages: await toDiagnostics(warnings, file), selectedNames };
}

/**
 * Chooses servers by name. Without names, chooses all.
 *
 * @throws {UsageError} if a name is missing from the file, or two servers share a name.
 */
function chooseServers(
  source: string,
  servers: readonly SourceServer[],
  names: readonly string[] | undefined,
): readonly SourceServer[] {
  const groups = groupBy(servers, ({ input }) => getServerName(input.value));
  const unknown = names?.filter((name) => !groups.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError([
      `--server: ${source} has no server ${unknown.join(", ")} that can be read; it has ${[...groups.keys()].join(", ")}`,
    ]);
  }
  const selected = [...groups].filter(([name]) => names?.includes(name) ?? true);
  const twice = selected.flatMap(([, group]) => (group.length > 1 ? group : []));
  if (twice.length === 0) return selected.flatMap(([, group]) => group);
  const all = twice.map(({ input }) => describeMaskedServer(input.value)).join(", ");
  const text = `contains several servers with the same name (${all}); choose one with handtools mcp-config read`;
  throw new UsageError([{ location: { file: source }, text }]);
}

const getServerName = (value: unknown): string => asString(Object(value).name);
