import { Option } from "commander";
import {
  ALL_CLIENTS,
  type Client,
  type McpConfigResult,
  REMOTE_TRANSPORTS,
  type Transport,
} from "../../schemas/mcp-config.ts";
import { groupBy } from "../../src/group-by.ts";
import { joinPath, pathWithin } from "../../src/issues.ts";
import { asString } from "../../src/mcp-config/json-values.ts";
import { describeServer } from "../../src/mcp-config/mask-secrets.ts";
import { isToolInput, type ServerVariable } from "../../src/mcp-config/mcp-server.ts";
import type { ParsedMcpConfig } from "../../src/mcp-config/parse/parse-found-servers.ts";
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
import { mapOption, namedValue, namesOption } from "../options.ts";
import type { Diagnostic } from "../output.ts";

/** The argument of the commands that take a server. */
export const SERVER_FILE = [
  "[file]",
  "a JSON file with the server (comments allowed), a server.json, or a client's own file with one server; - is standard input. Or a URL, or a package: @scope/name, npm:name, uvx:name.",
] as const;

/** The usage of the commands that take a server's command line after `--`. */
export const SERVER_USAGE = "[options] [file] [-- <command> [args...]]";

/** The options beside the FILE of a server. */
export const serverOptions = (io: Io): readonly Option[] =>
  [
    new Option(
      "--via <name>",
      "how to run the server of a server.json that offers several ways",
    ).choices(["npm", "pypi", "oci", "nuget", "remote"]),
    mapOption(
      "--var <name=value>",
      "the value of a variable of a server.json. Repeatable.",
      (item, flag) => namedValue(item, flag, io),
    ),
    new Option(
      "--transport <name>",
      "how a remote server is reached: Streamable HTTP, or the older SSE. A FILE of a client says it itself.",
    ).choices(REMOTE_TRANSPORTS),
  ].map((option) => option.helpGroup("Input:"));

/** What flags say about the servers of a FILE. */
export interface ServerFlags {
  readonly name?: string;
  readonly via?: string;
  readonly var?: Readonly<Record<string, string>>;
  readonly transport?: Transport;
  /** Keep the version of a server.json. */
  readonly pinVersion?: boolean;
  /** The names of the servers that are wanted; all unless given. */
  readonly server?: readonly string[];
}

/** The option `--client` of the commands that write for clients; undefined for the usual ones. */
export const clientOption = (description: string): Option =>
  namesOption("--client <name>", description, [...ALL_CLIENTS, "all"]);

/** The clients that a user wants, or undefined for the usual ones. */
export const readClients = (
  names: readonly (Client | "all")[] | undefined,
): readonly Client[] | undefined =>
  names?.includes("all") ? ALL_CLIENTS : names?.filter((name) => name !== "all");

/** The warnings for a reader of texts: those about a client name it, and get a path for the whole input. */
export const withoutClientPaths = (warnings: McpConfigResult["warnings"], path = "") =>
  warnings.map((warning) =>
    /^(?:clients\[\d+\])?$/.test(warning.path) ? { ...warning, path } : warning,
  );

/** A server, and what its file says beyond the input. */
export interface ServerSource {
  readonly input: LocatedInput;
  readonly variables?: readonly ServerVariable[];
  readonly transport?: Transport | undefined;
  readonly cwd?: string | undefined;
}

export interface GivenServers {
  readonly servers: readonly ServerSource[];
  /** What is to be said about them. */
  readonly messages: readonly Diagnostic[];
}

/** Reads the server of a command that takes one. */
export async function serverFromArguments(
  sources: InputSources,
  answers: ServerFlags,
  io: Io,
): Promise<ServerSource & Pick<GivenServers, "messages">> {
  const { servers, messages } = await serversFromArguments(sources, answers, io);
  const [only, ...others] = servers;
  if (only && others.length === 0) return { ...only, messages };
  const names = servers.map(({ input }) => describeServer(input.value)).join(", ");
  const text = `has ${servers.length} servers, ${names}, and a command takes one: print their inputs with handtools mcp-config read, and give one of them`;
  throw new UsageError([{ location: { file: sourceName(sources.files[0] ?? "") }, text }]);
}

/**
 * The servers of a FILE, or the one that flags describe. Beside a FILE only `--name` may be given.
 *
 * @throws {UsageError} for a file that gives no server, and for flags that do not go with it.
 */
export async function serversFromArguments(
  { files: [file], flags, command }: InputSources,
  answers: ServerFlags,
  io: Io,
): Promise<GivenServers> {
  if (file === undefined) {
    if (answers.server) throw new UsageError(["--server: needs a FILE"]);
    const input = inputFromFlags(command, flags);
    const value = Object(input.value);
    // No name follows without a program or a URL; with a stand-in, that is the only problem reported.
    const isBare = value.command === undefined && value.url === undefined;
    return withDerivedName(isBare ? { ...input, value: { name: "server", ...value } } : input);
  }
  const given = flags?.given(command) ?? [];
  const stray = given.find(({ path }) => path !== "name");
  if (stray) throw flagWithFileError(stray.flag, file, command);
  if (isStandardInput(file) || (await io.exists(file))) return readServersFile(file, answers, io);
  if (await isInstallLink(file)) return readServersFile(file, answers, io);
  const target = parsePackageWord(file);
  if (target) {
    rejectManifestFlags(answers);
    const { name } = answers;
    const input = inputWithoutLocations({ ...(name !== undefined && { name }), ...target });
    const origin = (path: string) => ({ path: path === "name" ? "--name" : path });
    return withDerivedName({ ...input, origin }, true);
  }
  if (given[0]) throw flagWithFileError(given[0].flag, file, command);
  if (!/^\w[\w-]*$/.test(file)) return readServersFile(file, answers, io);
  throw new UsageError([
    `${file}: is no file here; a package is written npm:${file}, uvx:${file} or @scope/name`,
  ]);
}

/** True for a link that adds a server to a client, in place of a FILE. */
async function isInstallLink(word: string): Promise<boolean> {
  if (!/^[a-z-]+:\S+[?]/.test(word)) return false;
  const { serversOfLinks } = await import("../../src/mcp-config/parse/install-links.ts");
  return serversOfLinks(word).length > 0;
}

/** The server of an input. One without a name is named after what it runs or reaches. */
function withDerivedName(input: LocatedInput, isPackage = false): GivenServers {
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
 * The servers of a file: an input, a server.json, or a client's own file.
 *
 * @throws {UsageError} for a file that gives no server, or not those that are wanted, and for answers
 * without a server.json.
 */
async function readServersFile(file: string, answers: ServerFlags, io: Io): Promise<GivenServers> {
  const isLink = await isInstallLink(file);
  const source = isLink ? "the link" : sourceName(file);
  const text = isLink ? file : await readText(file, io);
  const json = await parseJsonFile(source, text).catch((problem: unknown) => {
    // It may have another format.
    if (problem instanceof CliError) return problem;
    throw problem;
  });
  const given = fileInput(json instanceof CliError ? { source, value: undefined } : json);
  const read: FileServers | undefined =
    (await withLocations(given, () => parseOtherFormat(given, text, answers))) ??
    (json instanceof CliError ? undefined : { servers: [{ input: given }], messages: [] });
  if (!read) throw json;
  const { messages, wanted = answers.server } = read;
  const servers = chooseServers(source, read.servers, wanted);
  const { name } = answers;
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

interface FileServers extends GivenServers {
  /** The wanted names, as the servers are named here. */
  readonly wanted?: readonly string[] | undefined;
}

/** Reads a server.json or a client's own file, whose parsers load only for these; undefined for others. */
async function parseOtherFormat(
  given: LocatedInput,
  text: string,
  answers: ServerFlags,
): Promise<FileServers | undefined> {
  if (/"(?:\$schema|packages|remotes)"\s*:/.test(text)) {
    const reader = await import("../../src/mcp-config/server-json/parse-server-json.ts");
    const manifest = reader.readIfServerJson(text, { ...answers, variables: answers.var });
    if (manifest) {
      const servers = manifest.servers.map(({ input, transport }) => ({
        ...{ variables: manifest.variables, transport },
        input: { ...given, value: input },
      }));
      return { servers, messages: await toDiagnostics(manifest.warnings, given) };
    }
  }
  rejectManifestFlags(answers);
  if (isToolInput(given.value)) return undefined;
  const { readAnyConfig } = await import("../../src/mcp-config/parse/parse-config.ts");
  const read = readAnyConfig(text);
  return read && locateServers(given, read, answers.server);
}

/** @throws {UsageError} for answers that only a server.json takes. */
export function rejectManifestFlags({ via, var: variables }: ServerFlags): void {
  if (via !== undefined) throw new UsageError(["--via: needs a server.json"]);
  if (variables) throw new UsageError(["--var: needs a server.json"]);
}

/**
 * The servers of a client's file, with the warnings about it; with names, with those about these alone.
 * A server that was renamed is found by its name in the file too.
 */
async function locateServers(
  file: LocatedInput,
  config: ParsedMcpConfig,
  names: readonly string[] | undefined,
): Promise<FileServers> {
  const servers = config.servers.map(({ input: value, path: parent, ...known }) => {
    const origin = (path: string) =>
      file.origin(path === "" || path.startsWith("[") ? parent + path : `${parent}.${path}`);
    return { ...known, input: { ...file, value, origin } };
  });
  const wanted = names?.map((name) => {
    if (config.servers.some(({ input }) => input.name === name)) return name;
    const ending = joinPath("x", name).slice(1);
    return config.servers.find(({ path }) => path.endsWith(ending))?.input.name ?? name;
  });
  const chosen = config.servers.filter(({ input }) => wanted?.includes(input.name));
  const warnings = config.warnings.filter(
    ({ path }) => !wanted || chosen.some((server) => pathWithin(path, server.path) !== undefined),
  );
  return { servers, messages: await toDiagnostics(warnings, file), wanted };
}

/**
 * The servers of these names; all servers without names.
 *
 * @throws {UsageError} for a name that the file does not have, and for two servers of one name.
 */
function chooseServers(
  source: string,
  servers: readonly ServerSource[],
  names: readonly string[] | undefined,
): readonly ServerSource[] {
  const groups = groupBy(servers, ({ input }) => getServerName(input.value));
  const unknown = names?.filter((name) => !groups.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError([
      `--server: ${source} has no server ${unknown.join(", ")} that can be read; it has ${[...groups.keys()].join(", ")}`,
    ]);
  }
  const chosen = [...groups].filter(([name]) => names?.includes(name) ?? true);
  const twice = chosen.flatMap(([, group]) => (group.length > 1 ? group : []));
  if (twice.length === 0) return chosen.flatMap(([, group]) => group);
  const all = twice.map(({ input }) => describeServer(input.value)).join(", ");
  const text = `has several servers of one name, ${all}: print one with handtools mcp-config read, and give that`;
  throw new UsageError([{ location: { file: source }, text }]);
}

const getServerName = (value: unknown): string => asString(Object(value).name);
