import type { Client, Transport } from "../../../schemas/mcp-config.ts";
import { replacesReferences } from "../../../src/mcp-config/client.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/client-definitions.ts";
import {
  detectTransport,
  fieldsWith,
  flatEntry,
  isValueField,
  REMOTE_FIELDS,
  remoteUrlKey,
  STDIO_FIELDS,
} from "../../../src/mcp-config/read/entry.ts";
import { FORMS, inForm, rewriteText } from "../../../src/mcp-config/references.ts";
import { parseUrl } from "../../../src/mcp-config/server.ts";
import {
  asText,
  type ConfigValues,
  isObjectOrArray,
  isPlainObject,
  sameValue,
} from "../../../src/mcp-config/values.ts";

/**
 * True when the client reads the wanted server in an entry, however it is spelled. What the user has
 * added to the entry does not count.
 */
export function isSameEntry(old: unknown, wanted: unknown, client: Client): boolean {
  const [there, ours] = [normaliseEntry(old, client), normaliseEntry(wanted, client)];
  if (!isPlainObject(there) || !isPlainObject(ours)) return false;
  return Object.keys({ ...there, ...ours }).every((field) => {
    if (!isServerField(field, client)) return true;
    const mayHaveMore = isValueField(field) && fieldsBeside(ours, client).has(field);
    return sameValue(mayHaveMore ? withoutAdded(there, ours, field) : there[field], ours[field]);
  });
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
  const flat = flatEntry(old);
  const transport = clientTransport(client, wanted);
  const { fieldsOfTransport = {} } = clientDefinitions[client];
  const rejected = Object.entries(fieldsOfTransport).flatMap(([other, fields]) =>
    other === transport ? [] : fields,
  );
  const entry: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(flat).filter(
        ([key, value]) =>
          !rejected.includes(key) &&
          (!isServerField(key, client) ||
            (isTransportField(key, client) && isImplied(key, value, transport, client))),
      ),
    ),
    ...wanted,
  };
  const written = new Set(
    Object.entries(wanted).flatMap(([field, value]) =>
      listMembers(field, value).map(([name]) => folded(field, name)),
    ),
  );
  const isSameServer = sameValue(identifyTarget(flat), identifyTarget(wanted));
  const dropped = rejected.filter((key) => Object.hasOwn(flat, key));
  for (const [field, value] of Object.entries(flat)) {
    const added = listMembers(field, value).filter(([name]) => !written.has(folded(field, name)));
    if (added.length === 0) continue;
    if (!isSameServer || !fieldsBeside(wanted, client).has(field))
      dropped.push(...added.map(([name]) => (MAPS.has(field) ? `${field}.${name}` : field)));
    else if (!MAPS.has(field)) entry[field] = value;
    else if (NAME_LISTS.includes(field)) {
      entry[field] = [...list(wanted[field]), ...added.map(([, item]) => item)];
    } else entry[field] = Object.fromEntries([...added, ...Object.entries(Object(wanted[field]))]);
  }
  return { entry, dropped };
}

/** The fields whose members are names, and values for them. */
const MAPS: ReadonlySet<string> = new Set(
  fieldsWith("env", "envNames", "headers", "headerVariables"),
);
const NAME_LISTS = fieldsWith("envNames");
const TOKENS = fieldsWith("tokenVariable");

const clientTransport = (client: Client, entry: unknown) =>
  detectTransport(entry, clientDefinitions[client].urlIsSse);

/** The fields of the entry's transport. */
const fieldsBeside = (entry: ConfigValues, client: Client): ReadonlySet<string> =>
  clientTransport(client, entry) === "stdio" ? STDIO_FIELDS : REMOTE_FIELDS;

/** True for a field that says how the server is reached; others are the user's. */
const isServerField = (field: string, client: Client): boolean =>
  STDIO_FIELDS.has(field) || REMOTE_FIELDS.has(field) || isTransportField(field, client);

/** True for a field that names the transport: `type`, or the client's own. */
const isTransportField = (field: string, client: Client): boolean =>
  field === "type" || field === clientDefinitions[client].constantMember?.[0];

/** True for a member that means the same as none beside the transport. */
function isImplied(
  key: string,
  value: unknown,
  transport: Transport | "unknown",
  client: Client,
): boolean {
  if (transport === "unknown") return false;
  const { usualTypes, constantMember = [] } = clientDefinitions[client];
  if (key === "type") return usualTypes[transport]?.includes(value) ?? false;
  if (key === constantMember[0]) return value === constantMember[1];
  return isServerField(key, client) && isObjectOrArray(value) && Object.keys(value).length === 0;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The values in a field by their names; an item of a list of names is one, or an object with one.
 * A field that is no map is a value itself: that of the header Authorization, or the field's.
 */
function listMembers(field: string, value: unknown): (readonly [string, unknown])[] {
  if (!isValueField(field) || value === undefined) return [];
  if (TOKENS.includes(field)) return [["authorization", value]];
  if (!MAPS.has(field)) return [[field, value]];
  if (!NAME_LISTS.includes(field)) return isPlainObject(value) ? Object.entries(value) : [];
  return list(value).map((item) => [asText(isObjectOrArray(item) ? item.name : item), item]);
}

/** The names of headers are the same in either case. */
const folded = (field: string, name: string): string =>
  field.endsWith("headers") ? name.toLowerCase() : name;

/** The members of a map that the wanted one has too, spelled as there. */
function withoutAdded(there: ConfigValues, ours: ConfigValues, field: string): unknown {
  const values = new Map(
    listMembers(field, there[field]).map(([name, value]) => [folded(field, name), value]),
  );
  const common = listMembers(field, ours[field]).flatMap(([name]) => {
    const value = values.get(folded(field, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  if (ours[field] === undefined) return undefined;
  if (!MAPS.has(field)) return there[field];
  return NAME_LISTS.includes(field) ? common.map(([, item]) => item) : Object.fromEntries(common);
}

/** What an entry starts or reaches: its words without versions, a URL as its host. */
function identifyTarget(entry: ConfigValues): readonly unknown[] {
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

/** An entry as `mcpConfig` spells it, without the members that mean the same as none. */
function normaliseEntry(value: unknown, client: Client): unknown {
  const transport = clientTransport(client, value);
  if (!isPlainObject(value) || transport === "unknown") return value;
  const entry = flatEntry(value);
  const names = new Map(Object.entries(clientDefinitions[client].synonyms ?? {}));
  return Object.fromEntries(
    Object.entries(entry)
      .filter(([key, value]) => !isImplied(key, value, transport, client))
      .map(([key, value]) => {
        const name = names.get(key) ?? key;
        // Beside a member of the usual name the client has to choose between two.
        return [Object.hasOwn(entry, name) ? key : name, normaliseReferences(key, value, client)];
      }),
  );
}

/** A value with all references in the form that `mcpConfig` writes. */
function normaliseReferences(field: string, value: unknown, client: Client): unknown {
  const definition = clientDefinitions[client];
  const [own, other] = definition.references?.forms ?? [];
  if (!own || !other || !replacesReferences(definition, { path: [field], value: "" })) return value;
  if (typeof value === "string")
    return rewriteText(value, FORMS[other], (name) => inForm(own, name));
  if (Array.isArray(value)) return value.map((item) => normaliseReferences(field, item, client));
  if (!isObjectOrArray(value)) return value;
  const mapped = (map: ConfigValues) =>
    Object.entries(map).map(([key, item]) => [key, normaliseReferences(field, item, client)]);
  return Object.fromEntries(mapped(value));
}
