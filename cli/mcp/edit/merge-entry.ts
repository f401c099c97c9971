import type { Client } from "../../../schemas/mcp-config.ts";
import { checkEntry } from "../../../src/mcp-config/check-entry.ts";
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
  URL_KEYS,
} from "../../../src/mcp-config/parse/entry-fields.ts";
import { isDefaultValue } from "../../../src/mcp-config/parse/parse-entry.ts";
import { parseFoundServers } from "../../../src/mcp-config/parse/parse-found-servers.ts";

/**
 * True when the client reads the wanted server in an entry, however it is spelled. Variables and headers
 * that the user has added do not count.
 */
export function isSameEntry(old: unknown, wanted: unknown, client: Client): boolean {
  const [there, ours] = [parseAsClient(client, old), parseAsClient(client, wanted)];
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
function parseAsClient(client: Client, entry: unknown): ConfigValues | undefined {
  const { rootKey } = clientDefinitions[client];
  if (!isPlainObject(entry) || checkEntry(entry, client).length > 0) return undefined;
  const found = { name: "a", entry, path: [rootKey, "a"] };
  const [server] = parseFoundServers([found], client).servers.map(({ input }) => input);
  const transport = detectTransport(entry, client);
  // Of two bridges to one server, the versions may differ.
  const isBridge = transport === "stdio" && server?.url !== undefined;
  return server && { ...server, transport, ...(isBridge && { args: entry.args }) };
}

export interface MergedEntry {
  readonly entry: ConfigValues;
  /** Members of the old entry that the new one lacks, such as `env.API_KEY` and `oauth`. */
  readonly dropped: readonly string[];
}

/**
 * Puts the wanted entry in place of an old one. For the same program or host, our fields replace theirs
 * and all others stay. For another program or host, the old entry goes as a whole: it may hold or mint
 * credentials, and its approvals are for the old server.
 */
export function mergeEntry(old: unknown, wanted: ConfigValues): MergedEntry {
  if (!isPlainObject(old)) return { entry: wanted, dropped: [] };
  const isSameServer = sameValue(identifyTarget(old), identifyTarget(wanted));
  const written = new Set(
    Object.entries(wanted).flatMap(([field, value]) =>
      listEntryValues(field, value).map(([name]) => name),
    ),
  );
  const kept: [string, unknown][] = [];
  const dropped: string[] = [];
  for (const [field, value] of Object.entries(old)) {
    if (TARGET_FIELDS.has(field)) continue;
    const ours = Object.hasOwn(wanted, field) ? wanted[field] : undefined;
    const added = listEntryValues(field, value).filter(([name]) => !written.has(name));
    // Codex does not start with a token in its file.
    if (!isSameServer || LITERAL_TOKENS.includes(field)) {
      const named = added.map(([, , key]) => (key === "" ? field : `${field}.${key}`));
      if (!isDefaultValue(field, value)) dropped.push(...named);
    } else if (MAPS.includes(field)) {
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
  return { entry: Object.fromEntries([...Object.entries(wanted), ...kept]), dropped };
}

/** The fields that say which server an entry is. */
const TARGET_FIELDS: ReadonlySet<string> = new Set([
  ...["command", "args", ...URL_KEYS],
  ...TRANSPORT_KEYS,
]);

const MAPS = fieldsWith("env", "headers", "headerVariables");
const LITERAL_TOKENS = fieldsWith("token");
const TOKENS = [...LITERAL_TOKENS, ...fieldsWith("tokenVariable")];

/**
 * The values in a field: the name of the variable or header that each is for, and its key if it has
 * one. A token is for the header Authorization. Another field is a value of its own.
 */
function listEntryValues(
  field: string,
  value: unknown,
): (readonly [string, unknown, key: string])[] {
  if (TOKENS.includes(field)) return [["authorization", value, ""]];
  if (MAPS.includes(field)) {
    const members = isPlainObject(value) ? Object.entries(value) : [];
    return members.map(([key, item]) => [folded(field, key), item, key]);
  }
  if (!isValueField(field) || !Array.isArray(value)) return [[field, value, ""]];
  const nameOf = (item: unknown) => asString(isObjectOrArray(item) ? item.name : item);
  return value.map((item) => [nameOf(item), item, nameOf(item)]);
}

/** The names of headers are the same in either case. */
const folded = (field: string, name: string): string =>
  field.endsWith("headers") ? name.toLowerCase() : name;

/** What an entry starts or reaches: its words without versions, a URL as its scheme, host and port. */
function identifyTarget(entry: ConfigValues): readonly string[] {
  const urlKey = remoteUrlKey(entry);
  const words = urlKey === undefined ? [entry.command, entry.args].flat() : [entry[urlKey]];
  return words.filter((word) => word !== undefined).map((word) => identifyWord(asString(word)));
}

function identifyWord(text: string): string {
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  // A variable in a host has no origin.
  if (origin !== undefined) return URL.canParse(origin) ? new URL(origin).origin : origin;
  // `--url=http://localhost:80` ends with a port, not with a version.
  return /:\/\/[^/]*$/.test(text) ? text : text.replace(/(?<=\w)(?:@|:|==)[\w.+-]*$/, "");
}
