import type { Client, ClientConfig } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../clients/client-definitions.ts";
import { clientFiles } from "../clients/client-files.ts";
import {
  ConfigFileError,
  type FoundServer,
  parseConfig,
  projectServersIn,
  serversIn,
} from "../read/config-file.ts";
import { transportOf } from "../read/entry.ts";
import { inputId } from "../server-json/inputs.ts";
import { type ConfigValues, isObject, sameValue } from "../values.ts";
import { isSameItem, removeJsonItems, removeJsonMember, setJsonMember } from "./edit-json.ts";
import { addTomlTable, removeTomlTable, setTomlTable } from "./edit-toml.ts";
import { isSameEntry, mergedEntry } from "./same-entry.ts";

export { maskedDiff } from "./masked-diff.ts";
export { ConfigFileError };

export interface FileEdit {
  /** `conflict`: the file has another server of that name, and `replace` is not set. */
  readonly change: "added" | "replaced" | "removed" | "none" | "conflict";
  /**
   * The file after the edit, for a conflict as it would be. A byte order mark that the client
   * rejects is gone, also where the change is `none`.
   */
  readonly text: string;
  /** What the user has to know about the entry. */
  readonly notes?: readonly string[];
}

/**
 * Puts a server into a client's file. Nothing else in it changes, nor do the fields of an old entry
 * that `mcpConfig` never writes.
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
  const { client, snippet, title } = config;
  const { rootKey, format } = clientDefinitions[client];
  const { innerKey, dialect } = clientFiles[client];
  const wanted = parseConfig(snippet, client);
  const [{ name, entry } = { name: "", entry: undefined }] = serversIn(wanted, client);
  const file = withoutMark(text, client);
  const servers = serversIn(parseConfig(file, client), client);
  if (name === innerKey && servers.some(({ path }) => path.length > 2)) {
    throw new ConfigFileError(`has other servers under the name ${name}; choose another name`);
  }
  const old = findServer(servers, name);
  if (!old) {
    const edited =
      format === "toml"
        ? addTomlTable(file, [rootKey, name], snippet)
        : setJsonMember(file, dialect, [rootKey, name], entry, listsOf(wanted));
    return { change: "added", text: edited };
  }
  if (isSameEntry(old.entry, entry, client)) {
    return { change: "none", text: file, ...noted(switchedOff(name, old.entry, title)) };
  }
  const merged = mergedEntry(old.entry, Object(entry), client);
  const edited =
    format === "toml"
      ? setTomlTable(file, [rootKey, name], merged.entry)
      : withoutUnused(
          setJsonMember(file, dialect, old.path, merged.entry, listsOf(wanted)),
          old,
          client,
        );
  const notes = [
    ...switchedOff(name, merged.entry, title),
    ...(merged.dropped.length === 0
      ? []
      : [
          `${name} does not get ${merged.dropped.join(", ")} of the old entry, which starts another program or reaches another host`,
        ]),
  ];
  return { change: options.replace ? "replaced" : "conflict", text: edited, ...noted(notes) };
}

const noted = (notes: readonly string[]): Pick<FileEdit, "notes"> =>
  notes.length === 0 ? {} : { notes };

/** Without a byte order mark, if the client rejects a file with one. */
const withoutMark = (text: string, client: Client): string =>
  clientFiles[client].rejectsByteOrderMark ? text.replace(/^\ufeff/, "") : text;

/** A note if the user has switched the server off, which stays so. */
function switchedOff(name: string, entry: unknown, title: string): string[] {
  const { disabled, enabled } = Object(entry);
  const field = disabled === true ? "disabled" : enabled === false ? "enabled" : undefined;
  return field === undefined
    ? []
    : [`${name} keeps ${field} = ${Object(entry)[field]}, with which ${title} may not start it`];
}

/** The lists beside the servers. */
const listsOf = (file: ConfigValues): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(file).flatMap(([key, value]) => (Array.isArray(value) ? [[key, value]] : [])),
  );

/**
 * Removes a server from a client's file. Nothing else in it changes.
 *
 * @param before the file before the last edit, if it is known. An uninstall right after an install
 * gives it back: without it an empty object of servers that the install has added stays.
 * @throws {ConfigFileError} for a file that cannot be edited safely.
 */
export function uninstallServer(
  text: string,
  client: Client,
  name: string,
  before?: string,
): FileEdit {
  const { rootKey, format } = clientDefinitions[client];
  const { dialect } = clientFiles[client];
  const file = withoutMark(text, client);
  const old = findServer(serversIn(parseConfig(file, client), client), name);
  if (old === undefined) return { change: "none", text };
  if (format === "toml") {
    return { change: "removed", text: removeTomlTable(file, [rootKey, name]) };
  }
  const origin = before === undefined ? undefined : withoutMark(before, client);
  if (origin !== undefined && wasAddedTo(origin, file, old, client)) {
    return { change: "removed", text: origin };
  }
  const edited = removeJsonMember(file, dialect, old.path);
  return { change: "removed", text: withoutUnused(edited, old, client) };
}

/** True if nothing but the server, and the lists for it, were added to a file. */
function wasAddedTo(
  origin: string,
  text: string,
  { name, entry, path }: FoundServer,
  client: Client,
): boolean {
  const lists = ownLists(text, { name, entry }, client);
  try {
    const servers = serversIn(parseConfig(origin, client), client);
    if (findServer(servers, name)) return false;
    return setJsonMember(origin, clientFiles[client].dialect, path, entry, lists) === text;
  } catch (error) {
    // Any text may be in its place.
    if (!(error instanceof ConfigFileError)) throw error;
    return false;
  }
}

/** A file without the items of lists, such as inputs, that an entry needed and nothing else uses. */
function withoutUnused(text: string, { name, entry }: FoundServer, client: Client): string {
  const used = clientDefinitions[client].extras?.(name, parseConfig(text, client)) ?? {};
  let rest = text;
  for (const [key, items] of Object.entries(ownLists(text, { name, entry }, client))) {
    const unused = items.filter((item) => !used[key]?.some((one) => isSameItem(one, item)));
    rest = removeJsonItems(rest, clientFiles[client].dialect, key, unused);
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

/**
 * All servers in a client's file, also those of single projects.
 *
 * @throws {ConfigFileError} for a file that the client could not read.
 */
export function listServers(
  text: string,
  client: Client,
): { name: string; transport: ReturnType<typeof transportOf>; project?: string }[] {
  const file = parseConfig(text, client);
  const servers = [...serversIn(file, client), ...projectServersIn(file, client)];
  return servers.map(({ name, entry, project }) => ({
    name,
    transport: transportOf(entry, clientFiles[client].urlIsSse),
    ...(project !== undefined && { project }),
  }));
}

/** @throws {ConfigFileError} when there are two of the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}
