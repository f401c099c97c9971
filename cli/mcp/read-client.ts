import type { Client } from "../../schemas/mcp-config.ts";
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
import { chooseServers, type GivenServer, type GivenServers, givenServers } from "./read-server.ts";
import { chooseScope, clientConfigs, clientFiles, type Target } from "./targets.ts";

/**
 * The servers in a client's own files, without those of single projects; with names those alone.
 *
 * @throws {UsageError} for a client without a file of this scope, for a file that it could not read,
 * and where there are no servers.
 */
export async function readClient(
  client: Client,
  { scope, server: names }: Pick<Target, "scope"> & { readonly server?: readonly string[] },
  io: Io,
): Promise<GivenServers> {
  const paths: string[] = [];
  for (const config of clientConfigs([client])) {
    paths.push(...(await clientFiles(config, chooseScope(config, scope, io), io)));
  }
  const files = await Promise.all(paths.map((path) => readFile(path, client, names, io)));
  const messages = files.flatMap((file) => file.messages);
  const servers = files
    .flatMap((file) => file.servers)
    .filter(({ input }, index, all) => {
      const isSame = (other: GivenServer) => sameValue(other.input.value, input.value);
      return all.findIndex(isSame) === index;
    });
  const source = paths.join(", ");
  if (servers.length > 0) return { servers: chooseServers(source, servers, names), messages };
  const place = paths.length > 0 ? `in ${source}` : `of this scope in ${client}`;
  throw new UsageError([`--from: there are no servers ${place}`, ...messages]);
}

/** @throws {UsageError} for a file that the client could not read. */
async function readFile(
  path: string,
  client: Client,
  names: readonly string[] | undefined,
  io: Io,
): Promise<GivenServers> {
  const text = await readTextIfExists(path, io);
  try {
    const config = parseConfig(text, client);
    const isJson = /^\s*[{/]/.test(text);
    const input = fileInput({ source: path, value: config, ...(isJson && { text }) });
    const read = await givenServers(
      input,
      readServers(clientServers(config, client), client),
      names,
    );
    const others = clientProjectServers(config, client).map(
      ({ name, project }) => `${name} is for the project ${project} alone and is left out`,
    );
    const left = names ? [] : [...strayServers(config, client), ...others];
    const place = { file: path };
    const remarks = left.map((text) => ({ severity: "info", place, text }) as const);
    return { ...read, messages: [...read.messages, ...remarks] };
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new UsageError([{ place: { file: path }, text: error.message }]);
  }
}
