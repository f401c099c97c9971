import type { Client } from "../../../schemas/mcp-config.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import {
  detectTransport,
  fieldsWith,
  isValueField,
  REMOTE_FIELDS,
  remoteUrlKey,
  STDIO_FIELDS,
} from "../../../src/mcp-config/read/entry.ts";
import { readServers } from "../../../src/mcp-config/read/read-config.ts";
import { parseUrl, TRANSPORT_KEYS } from "../../../src/mcp-config/server.ts";
import {
  asText,
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
} from "../../../src/mcp-config/values.ts";

/**
 * True when the client reads the wanted server in an entry, however it is spelled. Variables and headers
 * that the user has added do not count.
 */
export function isSameEntry(old: unknown, wanted: unknown, client: Client): boolean {
  const [there, ours] = [readAs(client, old), readAs(client, wanted)];
  if (!there || !ours) return false;
  return [...new Set([...Object.keys(there), ...Object.keys(ours)])].every((field) => {
    const [old, wanted] = [there[field], ours[field]];
    if (field !== "env" && field !== "headers") return sameValue(old, wanted);
    const values = new Map(
      Object.entries(Object(old)).map(([name, value]) => [folded(field, name), value]),
    );
    return Object.entries(Object(wanted)).every(
      ([name, value]) => values.get(folded(field, name)) === value,
    );
  });
}

/** The server that the client reads in an entry; undefined for what it does not start. */
function readAs(client: Client, entry: unknown): ConfigValues | undefined {
  const { rootKey, accepts } = clientDefinitions[client];
  if (!isPlainObject(entry) || typeof accepts?.(entry) === "string") return undefined;
  const found = { name: "a", entry, path: [rootKey, "a"] };
  const [server] = readServers([found], client).config.servers;
  const transport = detectTransport(entry, client);
  // Of two bridges to one server, the versions may differ.
  const isBridge = transport === "stdio" && server?.url !== undefined;
  return server && { ...server, transport, ...(isBridge && { args: entry.args }) };
}

export interface MergedEntry {
  readonly entry: ConfigValues;
  /** The user's own members of the old entry that the new one lacks, such as `env.API_KEY`. */
  readonly dropped: readonly string[];
}

/**
 * The wanted entry with what the user has added to the old one: the fields that `mcpConfig` never
 * writes, unless the client rejects them beside the other transport, and variables, headers and
 * tokens. These may be secrets, so they stay only while the entry starts the same program, or
 * reaches the same host.
 */
export function mergeEntry(old: unknown, wanted: ConfigValues, client: Client): MergedEntry {
  if (!isPlainObject(old)) return { entry: wanted, dropped: [] };
  const transport = detectTransport(wanted, client);
  const { fields = {} } = clientDefinitions[client];
  const isRejected = (field: string) =>
    fields[field] === (transport === "stdio" ? "remoteSetting" : "localSetting");
  const own = transport === "stdio" ? STDIO_FIELDS : REMOTE_FIELDS;
  const isUsers = (field: string) =>
    ![STDIO_FIELDS, REMOTE_FIELDS, TRANSPORT_KEYS].some((fields) => fields.has(field));
  const kept = Object.entries(old).filter(([key]) => isUsers(key) && !isRejected(key));
  const entry: Record<string, unknown> = { ...Object.fromEntries(kept), ...wanted };
  const written = new Set(
    Object.entries(wanted).flatMap(([field, value]) =>
      valuesIn(field, value).map(([name]) => name),
    ),
  );
  const isSameServer = sameValue(identifyTarget(old), identifyTarget(wanted));
  const dropped = Object.keys(old).filter(isRejected);
  for (const [field, value] of Object.entries(old)) {
    const added = valuesIn(field, value).filter(([name]) => !written.has(name));
    if (added.length === 0) continue;
    const items = added.map(([, item]) => item);
    const ours = wanted[field];
    if (!isSameServer || !own.has(field)) {
      dropped.push(...added.map(([, , key]) => (key === "" ? field : `${field}.${key}`)));
    } else if (Array.isArray(value)) entry[field] = [...[ours ?? []].flat(), ...items];
    else if (!MAPS.includes(field)) entry[field] = value;
    else {
      const members = added.map(([, item, key]) => [key, item]);
      entry[field] = Object.fromEntries([...members, ...Object.entries(Object(ours))]);
    }
  }
  return { entry, dropped };
}

const MAPS = fieldsWith("env", "headers", "headerVariables");
const TOKENS = fieldsWith("tokenVariable");

/**
 * The values in a field: the name of the variable or header that each is for, and its key if it has
 * one. A token is for the header Authorization.
 */
function valuesIn(field: string, value: unknown): (readonly [string, unknown, key: string])[] {
  if (!isValueField(field)) return [];
  if (TOKENS.includes(field)) return [["authorization", value, ""]];
  if (MAPS.includes(field)) {
    const members = isPlainObject(value) ? Object.entries(value) : [];
    return members.map(([key, item]) => [folded(field, key), item, key]);
  }
  if (!Array.isArray(value)) return [[field, value, ""]];
  const nameOf = (item: unknown) => asText(isObjectOrArray(item) ? item.name : item);
  return value.map((item) => [nameOf(item), item, nameOf(item)]);
}

/** The names of headers are the same in either case. */
const folded = (field: string, name: string): string =>
  field.endsWith("headers") ? name.toLowerCase() : name;

/** What an entry starts or reaches: its words without versions, a URL as its host. */
function identifyTarget(entry: ConfigValues): readonly string[] {
  const urlKey = remoteUrlKey(entry);
  const words = urlKey === undefined ? [entry.command, entry.args].flat() : [entry[urlKey]];
  return words
    .filter((word) => word !== undefined)
    .map((word) => {
      const text = asText(word);
      const host = /^https?:/i.test(text) ? parseUrl(text)?.host : undefined;
      return host ?? text.replace(/(?<=\w)(?:@|:|==)[\w.+-]*$/, "");
    });
}
