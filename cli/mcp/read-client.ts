import type { Client } from "../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import {
  ConfigFileError,
  clientProjectServers,
  clientServers,
  parseConfig,
  strayServers,
} from "../../src/mcp-config/read/config-file.ts";
import { readServers } from "../../src/mcp-config/read/read-config.ts";
import { sameValue } from "../../src/mcp-config/values.ts";
import { UsageError } from "../errors.ts";
import { readTextIfExists } from "../files/read.ts";
import { fileInput } from "../input/input.ts";
import type { Io } from "../io.ts";
import { type GivenServer, type GivenServers, givenServers } from "./read-server.ts";
import { chooseScope, clientConfigs, clientFiles, listScopes, type Scope } from "./targets.ts";

/**
 * The servers in a client's own files, without those of single projects.
 *
 * @throws {UsageError} for a client without a file of this scope, for a file that it could not read,
 * and where there are no servers.
 */
export async function readClient(
  client: Client,
  wanted: Scope | undefined,
  io: Io,
): Promise<GivenServers> {
  const [config] = clientConfigs([client]);
  if (!config) throw new TypeError("A client has a config");
  const scope = chooseScope(config, wanted, io);
  const paths = await clientFiles(config, scope, io);
  if (paths.length === 0) {
    throw new UsageError([`--from: ${config.title} has no ${scope} file on this system`]);
  }
  const files = await Promise.all(paths.map((path) => readFile(path, client, io)));
  const servers: GivenServer[] = [];
  for (const server of files.flatMap((file) => file.servers)) {
    const isKnown = servers.some(({ input }) => sameValue(input.value, server.input.value));
    if (!isKnown) servers.push(server);
  }
  const source = paths.join(", ");
  const messages = files.flatMap((file) => file.messages);
  if (servers.length > 0) return { source, servers, messages };
  const advice =
    wanted === "project" && listScopes(config, io).includes("user")
      ? "; without --scope those of your own file are taken, and --file names the file to write"
      : "";
  throw new UsageError([`--from: there are no servers in ${source}${advice}`, ...messages]);
}

/** @throws {UsageError} for a file that the client could not read. */
async function readFile(path: string, client: Client, io: Io): Promise<GivenServers> {
  const text = await readTextIfExists(path, io);
  const { format } = clientDefinitions[client];
  try {
    const config = parseConfig(text, client);
    const file = { source: path, value: config };
    const input = fileInput(format === "json" ? { ...file, text } : file);
    const read = readServers(clientServers(config, client), client);
    const { servers, messages, source } = await givenServers(path, input, read);
    const remarks = [
      ...strayServers(config, client),
      ...clientProjectServers(config, client).map(
        ({ name, project }) => `${name} is for the project ${project} alone and is left out`,
      ),
    ].map((text) => ({ severity: "info" as const, place: { file: path }, text }));
    return { source, servers, messages: [...messages, ...remarks] };
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new UsageError([{ place: { file: path }, text: error.message }]);
  }
}
