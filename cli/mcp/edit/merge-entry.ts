import type { Client } from "../../../schemas/mcp-config.ts";
import { findEntryProblem } from "../../../src/mcp-config/check-entry.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import {
  asString,
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
} from "../../../src/mcp-config/json-values.ts";
import { TRANSPORT_KEYS } from "../../../src/mcp-config/mcp-server.ts";
import {
  detectTransport,
  fieldsWith,
  isValueField,
  remoteUrlKey,
  toInputField,
} from "../../../src/mcp-config/parse/entry-fields.ts";
import { isDefaultValue } from "../../../src/mcp-config/parse/parse-entry.ts";
import { parseFoundServers } from "../../../src/mcp-config/parse/parse-found-servers.ts";

/**
 * Whether both entries mean the same server to the client, whatever their syntax. Variables and
 * headers that the user added do not count.
 */
export function isSameEntry(old: unknown, newEntry: unknown, client: Client): boolean {
  const [oldServer, newServer] = [parseAsClient(client, old), parseAsClient(client, newEntry)];
  if (!oldServer || !newServer) return false;
  return [...new Set([...Object.keys(oldServer), ...Object.keys(newServer)])].every((field) => {
    const [oldValue, newValue] = [oldServer[field], newServer[field]];
    if (field !== "env" && field !== "headers") return sameValue(oldValue, newValue);
    const values = new Map(
      Object.entries(Object(oldValue)).map(([name, value]) => [toLookupKey(field, name), value]),
    );
    return Object.entries(Object(newValue)).every(
      ([name, value]) => values.get(toLookupKey(field, name)) === value,
    );
  });
}

/** The server as the client reads it. Undefined if the client does not start it. */
function parseAsClient(client: Client, entry: unknown): ConfigValues | undefined {
  const { rootKey } = clientDefinitions[client];
  if (!isPlainObject(entry) || findEntryProblem(entry, client) !== undefined) return undefined;
  const found = { name: "a", entry, path: [rootKey, "a"] };
  const [server] = parseFoundServers([found], client).servers.map(({ input }) => input);
  const transport = detectTransport(entry, client);
  // Two bridges to one server may have different versions.
  const isBridge = transport === "stdio" && server?.url !== undefined;
  return server && { ...server, transport, ...(isBridge && { args: entry.args }) };
}

/**
 * Merges a new entry into an old one. For the same program or host, our fields replace the old
 * ones and all others stay. Otherwise nothing of the old entry stays: it may hold credentials, and
 * its approvals are for the old server.
 *
 * @returns `dropped`: members of the old entry that are lost, such as `env.API_KEY` and `oauth`.
 */
export function mergeEntry(
  old: unknown,
  newEntry: ConfigValues,
): { readonly entry: ConfigValues; readonly dropped: readonly string[] } {
  if (!isPlainObject(old)) return { entry: newEntry, dropped: [] };
  const isSameServer = sameValue(identifyTarget(old), identifyTarget(newEntry));
  const presentNames = new Set(
    Object.entries(newEntry).flatMap(([field, value]) =>
      listEntryValues(field, value).map(([name]) => name),
    ),
  );
  const kept: [string, unknown][] = [];
  const dropped: string[] = [];
  for (const [field, value] of Object.entries(old)) {
    if (identifiesServer(field)) continue;
    const ours = Object.hasOwn(newEntry, field) ? newEntry[field] : undefined;
    const added = listEntryValues(field, value).filter(([name]) => !presentNames.has(name));
    // Codex does not start with a token in its file.
    if (!isSameServer || LITERAL_TOKENS.includes(field)) {
      const named = added.map(([, , key]) => (key === "" ? field : `${field}.${key}`));
      if (!isDefaultValue(field, value)) dropped.push(...named);
    } else if (MAP_FIELDS.includes(field)) {
      const members = added.map(([, item, key]) => [key, item]);
      const joined = [...members, ...Object.entries(Object(ours))];
      if (members.length > 0) kept.push([field, Object.fromEntries(joined)]);
    } else if (isPlainObject(value) && isPlainObject(ours)) {
      kept.push([field, mergeEntry(value, ours).entry]);
    } else if (added.length > 0) {
      const isList = isValueField(field) && Array.isArray(value);
      kept.push([
        field,
        isList ? [...[ours ?? []].flat(), ...added.map(([, item]) => item)] : value,
      ]);
    }
  }
  return { entry: Object.fromEntries([...Object.entries(newEntry), ...kept]), dropped };
}

const identifiesServer = (field: string): boolean =>
  TRANSPORT_KEYS.has(field) || (toInputField(field) !== undefined && !isValueField(field));

const MAP_FIELDS = fieldsWith("env", "headers", "headerVariables");
const LITERAL_TOKENS = fieldsWith("token");
const TOKEN_FIELDS = [...LITERAL_TOKENS, ...fieldsWith("tokenVariable")];

/**
 * Lists the values in a field: their variable or header, and their key if any. A token counts as
 * the header Authorization. Any other field is one value.
 */
function listEntryValues(
  field: string,
  value: unknown,
): (readonly [string, unknown, key: string])[] {
  if (TOKEN_FIELDS.includes(field)) return [["authorization", value, ""]];
  if (MAP_FIELDS.includes(field)) {
    const members = isPlainObject(value) ? Object.entries(value) : [];
    return members.map(([key, item]) => [toLookupKey(field, key), item, key]);
  }
  if (!isValueField(field) || !Array.isArray(value)) return [[field, value, ""]];
  const nameOf = (item: unknown) => asString(isObjectOrArray(item) ? item.name : item);
  return value.map((item) => [nameOf(item), item, nameOf(item)]);
}

/** Header names are case-insensitive. */
const toLookupKey = (field: string, name: string): string =>
  field.endsWith("headers") ? name.toLowerCase() : name;

/** Identifies the target: its words without versions, or the URL's scheme, host and port. */
function identifyTarget(entry: ConfigValues): readonly string[] {
  const urlKey = remoteUrlKey(entry);
  const words = urlKey === undefined ? [entry.command, entry.args].flat() : [entry[urlKey]];
  return words.filter((word) => word !== undefined).map((word) => identifyWord(asString(word)));
}

function identifyWord(text: string): string {
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  // A host with a variable has no origin.
  if (origin !== undefined) return URL.canParse(origin) ? new URL(origin).origin : origin;
  // `--url=http://localhost:80` ends with a port, not a version.
  return /:\/\/[^/]*$/.test(text) ? text : text.replace(/(?<=\w)(?:@|:|==)[\w.+-]*$/, "");
}
