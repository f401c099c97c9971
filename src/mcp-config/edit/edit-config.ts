import type { Client, ClientConfig } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../clients/client-definitions.ts";
import {
  ConfigFileError,
  type ConfigValues,
  type FoundServer,
  parseConfig,
  serversIn,
} from "../read/config-file.ts";
import { inputId } from "../server-json/inputs.ts";
import { isObject, sameValue } from "../values.ts";
import { isSameItem, removeJsonItems, removeJsonMember, setJsonMember } from "./edit-json.ts";
import { removeTomlTable, setTomlTable } from "./edit-toml.ts";
import { isSameEntry, transportOf } from "./same-entry.ts";

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
  const { rootKey, innerKey, format, dialect } = clientDefinitions[client];
  const wanted = parseConfig(snippet, client);
  const [{ name, entry } = { name: "", entry: undefined }] = serversIn(wanted, client);
  const servers = serversIn(parseConfig(text, client), client);
  if (name === innerKey && servers.some(({ path }) => path.length > 2)) {
    throw new ConfigFileError(`has other servers under the name ${name}; choose another name`);
  }
  const old = findServer(servers, name);
  if (isSameEntry(old?.entry, entry, client)) return { change: "none", text };
  const edited =
    format === "toml"
      ? setTomlTable(text, [rootKey, name], snippet)
      : setJsonMember(text, dialect, old?.path ?? [rootKey, name], entry, listsOf(wanted));
  if (old === undefined) return { change: "added", text: edited };
  const change = options.replace ? "replaced" : "conflict";
  return { change, text: format === "toml" ? edited : withoutUnused(edited, old, client) };
}

/** The lists beside the servers. */
const listsOf = (file: ConfigValues): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(file).flatMap(([key, value]) => (Array.isArray(value) ? [[key, value]] : [])),
  );

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
  const edited = withoutUnused(removeJsonMember(text, dialect, old.path), old, client);
  return { change: "removed", text: withoutEmpty(text, edited, old, client) };
}

/**
 * A file without the object of servers and the lists that an install of the server has added, where
 * they are empty by now.
 *
 * @param edited the text without the entry.
 */
function withoutEmpty(
  text: string,
  edited: string,
  { name, entry, path }: FoundServer,
  client: Client,
): string {
  const { rootKey, dialect, holdsSettings } = clientDefinitions[client];
  const lists = ownLists(text, { name, entry }, client);
  const values = parseConfig(edited, client);
  const empty = [rootKey, ...Object.keys(lists)].filter((key) => isEmpty(values[key]));
  if (empty.length === 0) return edited;
  const before = empty.reduce((rest, key) => removeJsonMember(rest, dialect, [key]), edited);
  // Claude Code reports a file without the object of servers.
  if (!holdsSettings && sameValue(parseConfig(before, client), {})) return edited;
  return setJsonMember(before, dialect, path, entry, lists) === text ? before : edited;
}

/** A file without the items of lists, such as inputs, that an entry needed and nothing else uses. */
function withoutUnused(text: string, { name, entry }: FoundServer, client: Client): string {
  const { dialect, extras } = clientDefinitions[client];
  const used = extras?.(name, parseConfig(text, client)) ?? {};
  let rest = text;
  for (const [key, items] of Object.entries(ownLists(text, { name, entry }, client))) {
    const unused = items.filter((item) => !used[key]?.some((one) => isSameItem(one, item)));
    rest = removeJsonItems(rest, dialect, key, unused);
  }
  return rest;
}

/**
 * The items of the file's lists that an entry needs, unless their text is the user's; that of one
 * named after the server may come from its manifest.
 */
function ownLists(
  text: string,
  { name, entry }: Pick<FoundServer, "name" | "entry">,
  client: Client,
): Readonly<Record<string, readonly unknown[]>> {
  const lists = Object.entries(clientDefinitions[client].extras?.(name, entry) ?? {});
  if (lists.length === 0) return {};
  const file = listsOf(parseConfig(text, client));
  return Object.fromEntries(
    lists.map(([key, items]) => {
      const isOwn = (item: unknown) =>
        items.some(
          (one) => sameValue(one, item) || (isSameItem(one, item) && isNamedAfter(item, name)),
        );
      return [key, file[key]?.filter(isOwn) ?? []];
    }),
  );
}

const isNamedAfter = (item: unknown, server: string): boolean =>
  isObject(item) && String(item.id).startsWith(inputId(server, ""));

const isEmpty = (value: unknown): boolean => sameValue(value, {}) || sameValue(value, []);

/** @throws {ConfigFileError} for a file that the client could not read. */
export function listServers(
  text: string,
  client: Client,
): { name: string; transport: ReturnType<typeof transportOf> }[] {
  return serversIn(parseConfig(text, client), client).map(({ name, entry }) => ({
    name,
    transport: transportOf(entry, client),
  }));
}

/** @throws {ConfigFileError} when there are two of the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}
