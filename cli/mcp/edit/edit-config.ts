import type { Client } from "../../../schemas/mcp-config.ts";
import { formatPath } from "../../../src/issues.ts";
import { skipComments } from "../../../src/json-tree.ts";
import { findEntryProblem } from "../../../src/mcp-config/check-entry.ts";
import type { ClientDefinition, Dialect } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import { isDisabled } from "../../../src/mcp-config/parse/entry-fields.ts";
import {
  ConfigFileError,
  describeMisplacedServers,
  dialectOf,
  type FoundServer,
  listClientServers,
  parseConfig,
} from "../../../src/mcp-config/parse/find-servers.ts";
import type { WrittenServer } from "../../../src/mcp-config/write-client-config.ts";
import type { Scope } from "../client-files.ts";
import {
  addJsonItems,
  isSameItem,
  removeIfEmpty,
  removeJsonItems,
  removeJsonMember,
  setJsonMember,
} from "./edit-json.ts";
import { addTomlTable, removeTomlTable, setTomlTable } from "./edit-toml.ts";
import { isSameEntry, mergeEntry } from "./merge-entry.ts";

export interface FileEdit {
  /** `conflict`: another server has this name, and `replace` is not set. */
  readonly change: "added" | "replaced" | "removed" | "none" | "conflict";
  /** The edited file. For a conflict, the file as it would be. */
  readonly text: string;
  /** Notes about the entry for the user. */
  readonly notes?: readonly string[];
}

/**
 * Adds a server to a client's file. Everything else stays, as do fields of an old entry that
 * `createMcpConfig` never writes. Removes only a byte order mark that the client rejects.
 *
 * @param text the file; "" for a new file.
 * @param server from `writeConfigsInParts`.
 * @throws {ConfigFileError} if the file cannot be edited safely.
 */
export function addServerToText(
  text: string,
  { client: definition, name, entry, prompts, snippet }: WrittenServer,
  { replace, scope }: { readonly replace?: boolean; readonly scope?: Scope | undefined } = {},
): FileEdit {
  const { id: client, format } = definition;
  if (text.trim() === "") return { change: "added", text: snippet };
  const dialect = dialectOf(client, scope);
  const file = withoutRejectedMark(text, dialect);
  const parsed = parseConfig(file, client, scope);
  const servers = listClientServers(parsed, client);
  const old = findServer(servers, name);
  const entryNotes = servers
    .filter((server) => server.name !== name)
    .flatMap(({ path, entry }) => {
      const problem = findEntryProblem(entry, client);
      return problem === undefined ? [] : [`${formatPath(path)}: ${problem}`];
    });
  const fileNotes = [...describeMisplacedServers(parsed, client), ...entryNotes];
  const disabledNotes = (entry: unknown) =>
    isDisabled(entry) ? [`${name} is disabled in this file, and stays disabled`] : [];
  if (!old) {
    // Keep an older file layout: add the server next to the most deeply nested servers.
    const [deepest] = servers.toSorted((one, other) => other.path.length - one.path.length);
    const keys = deepest?.path.slice(0, -1) ?? [definition.rootKey];
    const edited =
      format === "toml"
        ? addTomlTable(file, [definition.rootKey, name], snippet)
        : setServer(
            removeEmptyInner(file, definition, dialect),
            dialect,
            [...keys, name],
            entry,
            prompts,
          );
    return { change: "added", text: edited, ...withNotes(fileNotes) };
  }
  if (isSameEntry(old.entry, entry, client)) {
    return {
      change: "none",
      text: file,
      ...withNotes([...fileNotes, ...disabledNotes(old.entry)]),
    };
  }
  const merged = mergeEntry(old.entry, entry);
  const edited =
    format === "toml"
      ? setTomlTable(file, [definition.rootKey, name], merged.entry)
      : removeUnusedPrompts(setServer(file, dialect, old.path, merged.entry, prompts), old, client);
  const droppedNote = `replacing ${name} drops ${merged.dropped.join(", ")}, because the old entry is for another program or host`;
  const droppedNotes = merged.dropped.length === 0 ? [] : [droppedNote];
  return {
    change: replace ? "replaced" : "conflict",
    text: edited,
    ...withNotes([...fileNotes, ...droppedNotes, ...disabledNotes(merged.entry)]),
  };
}

const withNotes = (notes: readonly string[]): Pick<FileEdit, "notes"> =>
  notes.length === 0 ? {} : { notes };

/** Removes the byte order mark if the client rejects it. */
const withoutRejectedMark = (text: string, { rejectsByteOrderMark }: Dialect): string =>
  rejectsByteOrderMark ? text.replace(/^\ufeff/, "") : text;

/** Removes an empty inner object that holds no servers. */
const removeEmptyInner = (text: string, { rootKey, file }: ClientDefinition, dialect: Dialect) =>
  file?.innerKey === undefined ? text : removeIfEmpty(text, dialect, [rootKey, file.innerKey]);

/** Adds a server, and the prompts that its entry needs. */
const setServer = (
  text: string,
  dialect: Dialect,
  path: readonly string[],
  entry: unknown,
  prompts: readonly unknown[],
): string => {
  // A file may contain only comments.
  const isFilled = skipComments(text) < text.length;
  const root = isFilled ? text : `${text}${text.endsWith("\n") ? "" : "\n"}{}\n`;
  return addJsonItems(setJsonMember(root, dialect, path, entry), dialect, "inputs", prompts);
};

/**
 * Removes a server from a client's file, and objects that become empty. Nothing else changes.
 *
 * @throws {ConfigFileError} if the file cannot be edited safely.
 */
export function removeServerFromText(
  text: string,
  client: Client,
  name: string,
  scope?: Scope,
): FileEdit {
  const { rootKey, format } = clientDefinitions[client];
  const dialect = dialectOf(client, scope);
  const file = withoutRejectedMark(text, dialect);
  const old = findServer(listClientServers(parseConfig(file, client, scope), client), name);
  if (old === undefined) return { change: "none", text };
  if (format === "toml") {
    return { change: "removed", text: removeTomlTable(file, [rootKey, name]) };
  }
  const edited = removeJsonMember(file, dialect, old.path);
  return { change: "removed", text: removeUnusedPrompts(edited, old, client) };
}

/** Removes prompts that only the removed entry used. */
function removeUnusedPrompts(text: string, { name, entry }: FoundServer, client: Client): string {
  const { prompts = () => [], dialect = {} } = clientDefinitions[client];
  const file = parseConfig(text, client);
  const [needed, used] = [prompts(name, entry), prompts(name, file)];
  // VS Code stores its prompts there.
  const { inputs } = file;
  const unused = (Array.isArray(inputs) ? inputs : []).filter((item) => {
    const isIn = (items: readonly unknown[]) => items.some((one) => isSameItem(one, item));
    return isIn(needed) && !isIn(used);
  });
  return removeJsonItems(text, dialect, "inputs", unused);
}

/** @throws {ConfigFileError} if two servers have the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}
