import type { Command, Option } from "commander";
import {
  ALL_CLIENTS,
  type Client,
  REMOTE_TRANSPORTS,
  type Transport,
} from "../../schemas/inputs/mcp-config.ts";
import { isOwnInput } from "../../src/mcp-config/server.ts";
import type { ServerInput } from "../../src/mcp-config/server-json/inputs.ts";
import { isServerJson } from "../../src/mcp-config/server-json/is-server-json.ts";
import { CliError, UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read-file.ts";
import {
  besideFile,
  type Input,
  type InputSources,
  inputIn,
  inputOfFlags,
  namingPlaces,
  parseInput,
  warningMessages,
} from "../input/input.ts";
import type { Io } from "../io.ts";
import type { Message } from "../messages/message.ts";
import {
  allChoices,
  allValues,
  choiceOption,
  namedValues,
  onlyChoice,
  valueOption,
} from "../options.ts";

/** The argument of the commands that take a server. */
export const SERVER_FILE = [
  "[file]",
  "a JSON file with the server (comments allowed), a server.json, or a client's own file with one server; - is standard input",
] as const;

/** The options beside the FILE of a server. */
export function serverOptions() {
  const kind = choiceOption(
    "--package <name>",
    "how to run the server of a server.json, where it has several ways",
    PACKAGES,
  );
  const set = valueOption(
    "--set <name=value>",
    "a value that the server.json leaves open. Repeatable.",
  );
  const transport = choiceOption(
    "--transport <name>",
    "how a remote server is reached: Streamable HTTP, or the older SSE. A FILE of a client says it itself.",
    REMOTE_TRANSPORTS,
  );
  for (const option of [kind, set, transport]) option.helpGroup("Input:");
  return { kind, set, transport };
}

const PACKAGES = ["npm", "pypi", "oci", "nuget", "remote"] as const;

/** The answers to what a server.json leaves open, and another name for the server. */
export interface ManifestAnswers {
  readonly package?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly pinned?: boolean | undefined;
}

/** @throws {UsageError} for an unknown package, and for a name given twice. */
export function readAnswers(
  command: Command,
  { kind, set }: ReturnType<typeof serverOptions>,
  io: Io,
): ManifestAnswers {
  const values = allValues(command, set);
  return {
    package: onlyChoice(command, kind, PACKAGES),
    set: values && namedValues(values, String(set.long), io),
  };
}

/** @throws {UsageError} for an unknown transport, and when it is given twice. */
export const readTransport = (command: Command, { transport }: { readonly transport: Option }) =>
  onlyChoice(command, transport, REMOTE_TRANSPORTS);

export const CLIENT_NAMES = [...ALL_CLIENTS, "all"] as const;

/** The clients of an option, or undefined for the usual ones. */
export function readClients(command: Command, option: Option): readonly Client[] | undefined {
  const names = allChoices(command, option, CLIENT_NAMES);
  if (names.includes("all")) return ALL_CLIENTS;
  return names.length === 0 ? undefined : names.filter((name) => name !== "all");
}

/** A server, and what its file says beyond the input. */
export interface GivenServer {
  readonly input: Input;
  readonly inputs: readonly ServerInput[];
  readonly transport?: Transport | undefined;
  /** What is to be said about the file. */
  readonly messages: readonly Message[];
}

/**
 * The server of a FILE, beside which only its name may be given as a flag, or of flags.
 *
 * @throws {UsageError} for a file that gives no server, and for flags that do not go with it.
 */
export async function readServer(
  { files: [file], flags, command }: InputSources,
  answers: ManifestAnswers,
  io: Io,
): Promise<GivenServer> {
  if (file === undefined) return ownServer(inputOfFlags({ command, flags }), answers);
  const stray = flags?.given.find(({ path }) => path !== "name");
  if (stray) throw besideFile(stray, file, flags);
  const [name] = flags?.given ?? [];
  if (!name) return readServerFile(file, answers, io);
  const unread = () => besideFile(name, file, flags);
  return readServerFile(file, { ...answers, name: String(name.value()) }, io, unread);
}

/**
 * The server of a file: an input, a server.json, or a client's own file.
 *
 * @param unread the error for a file that is none of these.
 * @throws {UsageError} for a file that gives no server, and for answers without a server.json.
 */
export async function readServerFile(
  file: string,
  answers: ManifestAnswers,
  io: Io,
  unread = (problem: CliError) => problem,
): Promise<GivenServer> {
  const { given, text, problem } = await parsed(file, io);
  const read = await namingPlaces(given, () => readOther(given.value, text, answers));
  const { name } = answers;
  const withName = (server: unknown): Input =>
    name === undefined
      ? { ...given, value: server }
      : { ...given, value: { ...Object(server), name } };
  if (!read) {
    if (problem) throw unread(problem);
    return ownServer(withName(given.value), answers);
  }
  const [transport] = read.transports;
  return {
    input: withName(read.servers[0]),
    inputs: read.inputs,
    transport,
    messages: await warningMessages(read.warnings, given),
  };
}

/** @throws {UsageError} for answers that only a server.json takes. */
function ownServer(input: Input, { package: kind, set }: ManifestAnswers): GivenServer {
  if (kind !== undefined) throw new UsageError(["--package: needs a server.json"]);
  if (set) throw new UsageError(["--set: needs a server.json"]);
  return { input, inputs: [], messages: [] };
}

/** The value of a file, or why it is not JSON: it may have another format. */
async function parsed(file: string, io: Io) {
  const source = sourceName(file);
  let text = "";
  try {
    text = await readText(file, io);
    return { text, given: inputIn(await parseInput(source, text)) };
  } catch (problem) {
    if (!(problem instanceof CliError)) throw problem;
    return { text, given: inputIn({ source, value: undefined }), problem };
  }
}

/** Reads a server.json or a client's own file, whose parsers load for one alone; undefined for another. */
async function readOther(value: unknown, text: string, answers: ManifestAnswers) {
  if (isServerJson(value)) {
    const { readManifest } = await import("../../src/mcp-config/server-json/read-server-json.ts");
    return readManifest(value, answers);
  }
  if (isOwnInput(value) || answers.package !== undefined || answers.set) return undefined;
  const { readSingleServer } = await import("../../src/mcp-config/read/read-config.ts");
  const read = readSingleServer(text);
  return read && { ...read, inputs: [] };
}
