import type { Client, ClientConfig } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../clients/client-definitions.ts";
import {
  ConfigFileError,
  type ConfigValues,
  type FoundServer,
  parseConfig,
  serversIn,
  urlOf,
} from "../config-file.ts";
import { isObject, sameValue } from "../values.ts";
import { removeJsonMember, setJsonMember } from "./edit-json.ts";
import { removeTomlTable, setTomlTable } from "./edit-toml.ts";

export { maskedDiff } from "./masked-diff.ts";
export { ConfigFileError };

export interface FileEdit {
  /** `conflict`: the file has another server of that name, and `replace` is not set. */
  readonly change: "added" | "replaced" | "removed" | "none" | "conflict";
  /** The file after the edit, for a conflict as it would be. */
  readonly text: string;
}

/**
 * Puts a server into a client's file. Nothing else in it changes.
 *
 * @param text the file; "" for a new one.
 * @param config what `mcpConfig` gives for the client.
 * @throws {ConfigFileError} for a file that cannot be edited safely.
 */
export function installServer(
  text: string,
  config: ClientConfig,
  options: { readonly replace?: boolean } = {},
): FileEdit {
  if (text.trim() === "") return { change: "added", text: config.snippet };
  const { client, snippet } = config;
  const wanted = parseConfig(snippet, client);
  const { rootKey, innerKey, format, dialect } = clientDefinitions[client];
  const [{ name, entry } = { name: "", entry: undefined }] = serversIn(wanted, client);
  const servers = serversIn(parseConfig(text, client), client);
  if (name === innerKey && servers.some(({ path }) => path.length > 2)) {
    throw new ConfigFileError(`has other servers under the name ${name}; choose another name`);
  }
  const old = findServer(servers, name);
  if (sameValue(withoutDefaults(old?.entry, client), withoutDefaults(entry, client)))
    return { change: "none", text };
  const edited =
    format === "toml"
      ? setTomlTable(text, [rootKey, name], snippet)
      : setJsonMember(text, dialect, old?.path ?? [rootKey, name], entry, listsOf(wanted));
  if (old === undefined) return { change: "added", text: edited };
  return { change: options.replace ? "replaced" : "conflict", text: edited };
}

/**
 * Removes a server from a client's file. Nothing else in it changes.
 *
 * @throws {ConfigFileError} for a file that cannot be edited safely.
 */
export function uninstallServer(text: string, client: Client, name: string): FileEdit {
  const { rootKey, format, dialect } = clientDefinitions[client];
  const old = findServer(serversIn(parseConfig(text, client), client), name);
  if (old === undefined) return { change: "none", text };
  if (format === "toml") {
    return { change: "removed", text: removeTomlTable(text, [rootKey, name]) };
  }
  const { path, entry } = old;
  const edited = removeJsonMember(text, dialect, path);
  const { [rootKey]: servers, ...others } = parseConfig(edited, client);
  if (sameValue(servers, {}) && Object.keys(others).length > 0) {
    // An object of servers that an install has added goes with its last server.
    const before = removeJsonMember(edited, dialect, [rootKey]);
    if (setJsonMember(before, dialect, path, entry) === text) {
      return { change: "removed", text: before };
    }
  }
  return { change: "removed", text: edited };
}

/** @throws {ConfigFileError} for a file that the client could not read. */
export function listServers(
  text: string,
  client: Client,
): { name: string; transport: "stdio" | "http" | "unknown" }[] {
  return serversIn(parseConfig(text, client), client).map(({ name, entry }) => ({
    name,
    transport: transportOf(entry),
  }));
}

/** @throws {ConfigFileError} when there are two of the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}

/** An entry without the members that mean the same to the client as none. */
function withoutDefaults(entry: unknown, client: Client): unknown {
  if (!isObject(entry)) return entry;
  const transport = transportOf(entry);
  if (transport === "unknown") return entry;
  const defaults = new Map(Object.entries(clientDefinitions[client].defaults[transport]));
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([key, value]) => !defaults.get(key)?.some((one) => sameValue(one, value)),
    ),
  );
}

/** The lists that the file needs next to the servers, such as VS Code's inputs. */
const listsOf = (file: ConfigValues): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(file).filter((member): member is [string, unknown[]] =>
      Array.isArray(member[1]),
    ),
  );

function transportOf(entry: unknown): "stdio" | "http" | "unknown" {
  if (!isObject(entry)) return "unknown";
  if (urlOf(entry) !== undefined) return "http";
  return "command" in entry ? "stdio" : "unknown";
}
