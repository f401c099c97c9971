import type { Client } from "../../../schemas/mcp-config.ts";
import { formatPath } from "../../../src/issues.ts";
import { skipComments } from "../../../src/json-tree.ts";
import { findEntryProblem } from "../../../src/mcp-config/check-entry.ts";
import type { ClientDefinition, Dialect } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import {
  type ConfigValues,
  isObjectOrArray,
  sameValue,
  withMember,
} from "../../../src/mcp-config/json-values.ts";
import { isDisabled } from "../../../src/mcp-config/parse/entry-fields.ts";
import {
  ConfigFileError,
  describeMisplacedServers,
  dialectOf,
  type FoundServer,
  listClientServers,
  parseConfig,
  parseJsonConfig,
} from "../../../src/mcp-config/parse/find-servers.ts";
import type { WrittenServer } from "../../../src/mcp-config/write-client-config.ts";
import type { Scope } from "../client-files.ts";
import { editJson, removeIfEmpty, removeJsonMember, withMemberAt } from "./edit-json.ts";
import { removeTomlTable, setTomlTable } from "./edit-toml.ts";
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
  const { id: client, format, rootKey } = definition;
  if (text.trim() === "") return { change: "added", text: snippet };
  const dialect = dialectOf(client, scope);
  const file = withoutRejectedMark(text, dialect);
  const parsed = parseConfig(file, client, scope);
  const servers = listClientServers(parsed, client);
  const old = findServer(servers, name);
  const isSame = old !== undefined && isSameEntry(old.entry, entry, client);
  const merged = isSame ? { entry, dropped: [] } : mergeEntry(old?.entry, entry);
  const problems = servers.flatMap((server) => {
    const problem = server === old ? undefined : findEntryProblem(server.entry, client);
    return problem === undefined ? [] : [`${formatPath(server.path)}: ${problem}`];
  });
  const droppedNote = `replacing ${name} drops ${merged.dropped.join(", ")}, because the old entry is for another program or host`;
  const notes = [
    ...describeMisplacedServers(parsed, client),
    ...problems,
    ...(merged.dropped.length > 0 ? [droppedNote] : []),
    ...(isDisabled(isSame ? old.entry : merged.entry)
      ? [`${name} is disabled in this file, and stays disabled`]
      : []),
  ];
  // Keep an older file layout: add the server next to the most deeply nested servers.
  const [deepest] = servers.toSorted((one, other) => other.path.length - one.path.length);
  const path = old?.path ?? [...(deepest?.path.slice(0, -1) ?? [rootKey]), name];
  const edited = isSame
    ? file
    : format === "toml"
      ? setTomlTable(file, [rootKey, name], merged.entry)
      : setServer(file, definition, dialect, path, merged.entry, prompts);
  return {
    change: !old ? "added" : isSame ? "none" : replace ? "replaced" : "conflict",
    text: old && !isSame ? removeUnusedPrompts(edited, old, client) : edited,
    ...(notes.length > 0 && { notes }),
  };
}

/** Removes the byte order mark if the client rejects it. */
const withoutRejectedMark = (text: string, { rejectsByteOrderMark }: Dialect): string =>
  rejectsByteOrderMark ? text.replace(/^\ufeff/, "") : text;

/** Sets a server, and adds the prompts that its entry needs. */
function setServer(
  text: string,
  { rootKey, file: { innerKey } = {} }: ClientDefinition,
  dialect: Dialect,
  path: readonly string[],
  entry: ConfigValues,
  prompts: readonly unknown[],
): string {
  // A file may contain only comments.
  const isFilled = skipComments(text) < text.length;
  const filled = isFilled ? text : `${text}${text.endsWith("\n") ? "" : "\n"}{}\n`;
  const root = innerKey ? removeIfEmpty(filled, dialect, [rootKey, innerKey]) : filled;
  const { value } = parseJsonConfig(root, dialect);
  const withServer = withMemberAt(value, path, entry);
  if (prompts.length === 0) return editJson(root, dialect, withServer);
  const { inputs = [] } = Object(value);
  if (!Array.isArray(inputs)) throw new ConfigFileError("inputs must be a list");
  const added = prompts.filter((prompt) => !inputs.some((old) => isSamePrompt(old, prompt)));
  return editJson(root, dialect, withMember(withServer, "inputs", [...inputs, ...added]));
}

/** Whether the prompts are equal or have the same ID: the user may have edited the first. */
const isSamePrompt = (one: unknown, other: unknown): boolean =>
  sameValue(one, other) ||
  (isObjectOrArray(one) && isObjectOrArray(other) && one.id !== undefined && one.id === other.id);

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
  const inputs: readonly unknown[] = Array.isArray(file.inputs) ? file.inputs : [];
  const kept = inputs.filter((item) => {
    const isIn = (items: readonly unknown[]) => items.some((one) => isSamePrompt(one, item));
    return !isIn(needed) || isIn(used);
  });
  if (kept.length === inputs.length) return text;
  return removeIfEmpty(editJson(text, dialect, { ...file, inputs: kept }), dialect, ["inputs"]);
}

/** @throws {ConfigFileError} if two servers have the name. */
function findServer(servers: readonly FoundServer[], name: string): FoundServer | undefined {
  const [found, other] = servers.filter((server) => server.name === name);
  if (other) throw new ConfigFileError(`has the server ${JSON.stringify(name)} twice`);
  return found;
}
