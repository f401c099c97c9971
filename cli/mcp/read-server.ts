import { Option } from "commander";
import {
  ALL_CLIENTS,
  type Client,
  REMOTE_TRANSPORTS,
  type Transport,
} from "../../schemas/mcp-config.ts";
import { restOfPath } from "../../src/issues.ts";
import {
  deriveServerName,
  parsePackageWord,
  type ServerTarget,
} from "../../src/mcp-config/command-line.ts";
import type { LocatedServers } from "../../src/mcp-config/read/read-config.ts";
import { isToolInput, type ServerInput } from "../../src/mcp-config/server.ts";
import { isServerJson } from "../../src/mcp-config/server-json/manifest.ts";
import { asText } from "../../src/mcp-config/values.ts";
import { CliError, UsageError } from "../errors.ts";
import { isStandardInput, readText, sourceName } from "../files/read.ts";
import {
  besideFileError,
  fileInput,
  type Input,
  type InputSources,
  inputFromFlags,
  namingPlaces,
  parseJson,
  unplacedInput,
  warningMessages,
} from "../input/input.ts";
import type { Io } from "../io.ts";
import { mapOption, namedValue, namesOption } from "../options.ts";
import type { Message } from "../output.ts";

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
      "--package <name>",
      "how to run the server of a server.json, where it has several ways",
    ).choices(["npm", "pypi", "oci", "nuget", "remote"]),
    mapOption(
      "--set <name=value>",
      "a value that the server.json leaves open. Repeatable.",
      (item, flag) => namedValue(item, flag, io),
    ),
    transportOption(),
  ].map((option) => option.helpGroup("Input:"));

const transportOption = (): Option =>
  new Option(
    "--transport <name>",
    "how a remote server is reached: Streamable HTTP, or the older SSE. A FILE of a client says it itself.",
  ).choices(REMOTE_TRANSPORTS);

/** The values of `serverOptions`. */
export interface ServerFlags {
  readonly package?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly transport?: Transport;
}

/** What flags say about the servers of a FILE. */
export interface FileAnswers {
  readonly package?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** The servers of a client's file that are wanted; all unless given. */
  readonly servers?: readonly string[] | undefined;
}

/** The option `--client` of the commands that write for clients; undefined for the usual ones. */
export const clientOption = (description: string): Option =>
  namesOption("--client <name>", description, [...ALL_CLIENTS, "all"]);

/** The clients that a user wants, or undefined for the usual ones. */
export const readClients = (
  names: readonly (Client | "all")[] | undefined,
): readonly Client[] | undefined =>
  names?.includes("all") ? ALL_CLIENTS : names?.filter((name) => name !== "all");

/** A server, and what its file says beyond the input. */
export interface GivenServer {
  readonly input: Input;
  readonly inputs: readonly ServerInput[];
  readonly transport?: Transport | undefined;
  /** What is to be said about it. */
  readonly messages: readonly Message[];
}

/** The servers of a file. */
export interface GivenServers {
  /** Names the file to the user. */
  readonly source: string;
  readonly servers: readonly GivenServer[];
  /** What is to be said about the rest of the file. */
  readonly messages: readonly Message[];
}

export const nameOf = ({ input }: GivenServer): string => asText(Object(input.value).name);

/**
 * The servers of a FILE, or the one that flags describe. Beside a FILE only `--name` may be given.
 *
 * @throws {UsageError} for a file that gives no server, and for flags that do not go with it.
 */
export async function readServers(
  { files: [file], flags, command }: InputSources,
  answers: FileAnswers,
  io: Io,
): Promise<GivenServers> {
  if (file === undefined) {
    const input = inputFromFlags(command, flags);
    const value = Object(input.value);
    // No name follows without a program or a URL; with a stand-in, that is the only problem reported.
    const isBare = value.command === undefined && value.url === undefined;
    const named = isBare ? { name: "server", ...value } : value;
    return withDerivedName(serverFromInput({ ...input, value: named }, answers));
  }
  const given = flags?.given(command) ?? [];
  const stray = given.find(({ path }) => path !== "name");
  if (stray) throw besideFileError(stray.flag, file, command);
  const [name] = given;
  if (!name) return readServersAt(file, answers, io);
  const unread = () => besideFileError(name.flag, file, command);
  const named = { ...answers, name: command.opts<{ name: string }>().name };
  return readServersAt(file, named, io, unread);
}

/** The servers of a FILE, or the one that a word in its place stands for. */
async function readServersAt(
  file: string,
  answers: FileAnswers,
  io: Io,
  unread?: () => CliError,
): Promise<GivenServers> {
  const { name } = answers;
  const target = await wordServer(file, name !== undefined, io);
  if (!target) return readServersFile(file, answers, io, unread);
  const input = {
    ...unplacedInput({ ...(name !== undefined && { name }), ...target }),
    origin: (path: string) => ({ path: path === "name" ? "--name" : path }),
  };
  return withDerivedName(serverFromInput(input, answers, file), target);
}

/**
 * The server that a word in place of a FILE stands for; undefined for a file.
 *
 * @throws {UsageError} for a word that is neither.
 */
async function wordServer(
  word: string,
  isNamed: boolean,
  io: Io,
): Promise<ServerTarget | undefined> {
  if (isStandardInput(word) || (await io.exists(word))) return undefined;
  const target = parsePackageWord(word);
  // Beside --name it is usually a stray word, for which the caller has a better error.
  if (target || isNamed || !/^\w[\w-]*$/.test(word)) return target;
  throw new UsageError([
    `${word}: is no file here; a package is written npm:${word}, uvx:${word} or @scope/name`,
  ]);
}

/**
 * The servers. One without a name is named after what it runs or reaches.
 *
 * @param target what a word in place of a FILE stands for, to be shown.
 */
function withDerivedName(given: GivenServers, target?: ServerTarget): GivenServers {
  const [server] = given.servers;
  const value: ServerTarget & { readonly name?: unknown } = Object(server?.input.value);
  const name = value.name === undefined ? deriveServerName(value) : undefined;
  const words = target?.command === undefined ? [] : [target.command, ...(target.args ?? [])];
  const texts = [
    ...(name === undefined ? [] : [`the server is named ${name}; --name gives it another name`]),
    ...(words.length === 0 ? [] : [`the server is started with ${words.join(" ")}`]),
  ];
  const messages = texts.map((text) => ({ severity: "info" as const, text }));
  if (!server || name === undefined) return { ...given, messages };
  const input = { ...server.input, value: { ...value, name } };
  return { ...given, servers: [{ ...server, input }], messages };
}

/** Reads the input of a command that takes one server. */
export const readServer = async (...given: Parameters<typeof readServers>): Promise<GivenServer> =>
  onlyServer(await readServers(...given));

/** @throws {UsageError} for several servers. */
function onlyServer({ source, servers, messages }: GivenServers): GivenServer {
  const [only, ...others] = servers;
  if (only && others.length === 0) return { ...only, messages: [...messages, ...only.messages] };
  const names = servers.map(nameOf).join(", ");
  const text = `has ${servers.length} servers, ${names}, and a command takes one: print their inputs with handtools mcp-config read, and give one of them`;
  throw new UsageError([{ place: { file: source }, text }]);
}

/**
 * The servers of a file: an input, a server.json, or a client's own file.
 *
 * @param unread the error for a file that is none of these.
 * @throws {UsageError} for a file that gives no server, or not those that are wanted, and for answers
 * without a server.json.
 */
async function readServersFile(
  file: string,
  answers: FileAnswers,
  io: Io,
  unread = (problem: CliError) => problem,
): Promise<GivenServers> {
  const { given, text, problem } = await readJsonOrText(file, io);
  const source = sourceName(file);
  const { name } = answers;
  const read = await namingPlaces(given, () => readOther(source, given, text, answers));
  if (!read && problem) throw unread(problem);
  const found = chosenServers(read ?? serverFromInput(given, answers, source), answers.servers);
  const [only, ...others] = found.servers;
  if (!only || others.length > 0 || name === undefined) return found;
  const input = { ...only.input, value: { ...Object(only.input.value), name } };
  return { ...found, servers: [{ ...only, input }] };
}

function serverFromInput(input: Input, answers: FileAnswers, source = ""): GivenServers {
  requireNoManifestAnswers(answers);
  return { source, servers: [{ input, inputs: [], messages: [] }], messages: [] };
}

/** @throws {UsageError} for answers that only a server.json takes. */
export function requireNoManifestAnswers({ package: kind, set }: FileAnswers): void {
  if (kind !== undefined) throw new UsageError(["--package: needs a server.json"]);
  if (set) throw new UsageError(["--set: needs a server.json"]);
}

/** The value of a file, or why it is not JSON: it may have another format. */
async function readJsonOrText(file: string, io: Io) {
  const source = sourceName(file);
  let text = "";
  try {
    text = await readText(file, io);
    return { text, given: fileInput(await parseJson(source, text)) };
  } catch (problem) {
    if (!(problem instanceof CliError)) throw problem;
    return { text, given: fileInput({ source, value: undefined }), problem };
  }
}

/** Reads a server.json or a client's own file, whose parsers load only for these; undefined for others. */
async function readOther(
  source: string,
  given: Input,
  text: string,
  answers: FileAnswers,
): Promise<GivenServers | undefined> {
  const { value } = given;
  if (isServerJson(value)) {
    const { readManifest } = await import("../../src/mcp-config/server-json/read-server-json.ts");
    const { servers, transports, inputs, warnings } = readManifest(value, answers);
    const messages = await warningMessages(warnings, given);
    const input = { ...given, value: servers[0] };
    const [transport] = transports;
    return { source, servers: [{ input, inputs, transport, messages }], messages: [] };
  }
  if (isToolInput(value) || answers.package !== undefined || answers.set) return undefined;
  const { readAnyConfig } = await import("../../src/mcp-config/read/read-config.ts");
  const read = readAnyConfig(text);
  return read && givenServers(source, given, read);
}

/** The servers of a client's file, each with the warnings about it. */
export async function givenServers(
  source: string,
  file: Input,
  { config, paths }: LocatedServers,
): Promise<GivenServers> {
  const servers = config.servers.map(async (value, index) => {
    const serverPath = paths[index] ?? "";
    const warnings = config.warnings.filter(
      ({ path }) => restOfPath(path, serverPath) !== undefined,
    );
    return {
      input: { ...file, value, origin: (path: string) => file.origin(within(serverPath, path)) },
      inputs: [],
      transport: config.transports[index],
      messages: await warningMessages(warnings, file),
    };
  });
  const others = config.warnings.filter(
    ({ path }) => !paths.some((serverPath) => restOfPath(path, serverPath) !== undefined),
  );
  return {
    source,
    servers: await Promise.all(servers),
    messages: await warningMessages(others, file),
  };
}

const within = (parent: string, path: string): string =>
  path === "" || path.startsWith("[") ? parent + path : `${parent}.${path}`;

/**
 * The servers of these names; all servers without names.
 *
 * @throws {UsageError} for a name that the file does not have, and for two servers of one name.
 */
export function chosenServers(
  { source, servers, messages }: GivenServers,
  names: readonly string[] | undefined,
): GivenServers {
  const known = servers.map(nameOf);
  const unknown = names?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError([
      `--server: ${source} has no server ${unknown.join(", ")} that can be read; it has ${known.join(", ")}`,
    ]);
  }
  const chosen = servers.filter((server) => names?.includes(nameOf(server)) ?? true);
  const twice = chosen.map(nameOf).find((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) {
    const text = `has several servers ${twice}: print one with handtools mcp-config read, and give that`;
    throw new UsageError([{ place: { file: source }, text }]);
  }
  return { source, servers: chosen, messages: names ? [] : messages };
}
