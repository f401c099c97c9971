import type { Client, ClientConfig } from "../../../schemas/mcp-config.ts";
import { serverKeys } from "../../../src/mcp-config/client.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import { promptId } from "../../../src/mcp-config/clients/vscode.ts";
import {
  ConfigFileError,
  clientProjectServers,
  clientServers,
  type FoundServer,
  parseConfig,
  strayServers,
} from "../../../src/mcp-config/read/config-file.ts";
import { detectTransport } from "../../../src/mcp-config/read/entry.ts";
import {
  asText,
  type ConfigValues,
  isObjectOrArray,
  sameValue,
} from "../../../src/mcp-config/values.ts";
import {
  addJsonItems,
  isSameItem,
  removeJsonItems,
  removeJsonMember,
  setJsonMember,
} from "./edit-json.ts";
import { addTomlTable, removeTomlTable, setTomlTable } from "./edit-toml.ts";
import { isSameEntry, mergeEntry } from "./same-entry.ts";

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
  const definition = clientDefinitions[client];
  const { rootKey, format } = definition;
  const wanted = parseConfig(snippet, client);
  const [{ name, entry } = { name: "", entry: undefined }] = clientServers(wanted, client);
  const file = withoutMark(text, client);
  const parsed = parseConfig(file, client);
  const servers = clientServers(parsed, client);
  const stray = strayServers(parsed, client);
  const old = findServer(servers, name);
  if (!old) {
    // A file in an older form keeps it: a new server goes where the most deeply nested ones are.
    const [deepest] = servers.toSorted((one, other) => other.path.length - one.path.length);
    const keys = deepest?.path.slice(0, -1) ?? serverKeys(definition);
    const edited =
      format === "toml"
        ? addTomlTable(file, [rootKey, name], snippet)
        : withServer(file, client, [...keys, name], entry, listInputs(wanted));
    return { change: "added", text: edited, ...noted(stray) };
  }
  if (isSameEntry(old.entry, entry, client)) {
    return {
      change: "none",
      text: file,
      ...noted([...stray, ...switchedOff(name, old.entry, title)]),
    };
  }
  const merged = mergeEntry(old.entry, Object(entry), client);
  const edited =
    format === "toml"
      ? setTomlTable(file, [rootKey, name], merged.entry)
      : withoutUnused(
          withServer(file, client, old.path, merged.entry, listInputs(wanted)),
          old,
          client,
        );
  const notes = [
    ...stray,
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

/** The text without a byte order mark, if the client rejects a file with one. */
const withoutMark = (text: string, client: Client): string =>
  clientDefinitions[client].rejectsByteOrderMark ? text.replace(/^\ufeff/, "") : text;

/** A note if the user has switched the server off, which stays so. */
function switchedOff(name: string, entry: unknown, title: string): string[] {
  const { disabled, enabled } = Object(entry);
  const field = disabled === true ? "disabled" : enabled === false ? "enabled" : undefined;
  return field === undefined
    ? []
    : [`${name} keeps ${field} = ${Object(entry)[field]}, with which ${title} may not start it`];
}

/** The file with a server, and with the inputs that its entry asks for. */
const withServer = (
  text: string,
  client: Client,
  path: readonly string[],
  entry: unknown,
  inputs: readonly unknown[],
): string => {
  const { dialect } = clientDefinitions[client];
  return addJsonItems(setJsonMember(text, dialect, path, entry), dialect, "inputs", inputs);
};

const listInputs = ({ inputs }: ConfigValues): readonly unknown[] =>
  Array.isArray(inputs) ? inputs : [];

/**
 * Removes a server from a client's file. Nothing else in it changes.
 *
 * @param before the file before the last edit, if it is known. Where only the server was added since
 * then, it comes back, without the empty object that would stay of an install.
 * @throws {ConfigFileError} for a file that cannot be edited safely.
 */
export function uninstallServer(
  text: string,
  client: Client,
  name: string,
  before?: string,
): FileEdit {
  const { rootKey, format, dialect } = clientDefinitions[client];
  const file = withoutMark(text, client);
  const old = findServer(clientServers(parseConfig(file, client), client), name);
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

/** True if nothing but the server, and the inputs for it, were added to a file. */
function wasAddedTo(
  origin: string,
  text: string,
  { name, entry, path }: FoundServer,
  client: Client,
): boolean {
  const inputs = ownInputs(text, { name, entry }, client);
  try {
    if (findServer(clientServers(parseConfig(origin, client), client), name)) return false;
    return withServer(origin, client, path, entry, inputs) === text;
  } catch (error) {
    // The backup may hold anything, even no config.
    if (!(error instanceof ConfigFileError)) throw error;
    return false;
  }
}

/** A file without the inputs that an entry needed and nothing else uses. */
function withoutUnused(text: string, server: FoundServer, client: Client): string {
  const used = clientDefinitions[client].prompts?.(server.name, parseConfig(text, client)) ?? [];
  const unused = ownInputs(text, server, client).filter(
    (item) => !used.some((one) => isSameItem(one, item)),
  );
  return removeJsonItems(text, clientDefinitions[client].dialect, "inputs", unused);
}

/**
 * The inputs that an install added for an entry. One that the user has edited does not count, unless
 * its id is named after the server: its text may come from the server's manifest.
 */
function ownInputs(
  text: string,
  { name, entry }: Pick<FoundServer, "name" | "entry">,
  client: Client,
): readonly unknown[] {
  const needed = clientDefinitions[client].prompts?.(name, entry) ?? [];
  if (needed.length === 0) return [];
  return listInputs(parseConfig(text, client)).filter((item) =>
    needed.some(
      (one) => sameValue(one, item) || (isSameItem(one, item) && isNamedAfter(item, name)),
    ),
  );
}

const isNamedAfter = (item: unknown, server: string): boolean =>
  isObjectOrArray(item) && asText(item.id).startsWith(promptId(server, ""));

/**
 * All servers in a client's file, also those of single projects.
 *
 * @throws {ConfigFileError} for a file that the client could not read.
 */
export function listServers(text: string, client: Client): ListedServer[] {
  const file = parseConfig(text, client);
  const { urlIsSse } = clientDefinitions[client];
  return [...clientServers(file, client), ...clientProjectServers(file, client)].map((server) => ({
    ...server,
    transport: detectTransport(server.entry, urlIsSse),
  }));
}

export interface ListedServer extends FoundServer {
  readonly transport: ReturnType<typeof detectTransport>;
}

/** @throws {ConfigFileError} when there are two of the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}
