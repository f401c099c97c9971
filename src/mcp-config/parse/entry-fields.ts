import type { Client, Transport } from "../../../schemas/mcp-config.ts";
import type { FieldContent } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import { asString, type ConfigValues, isObjectOrArray, isPlainObject } from "../json-values.ts";

/** The content of each field of an entry. A client's own fields come first: it prefers them to the usual ones. */
const FIELD_CONTENTS: ReadonlyMap<string, FieldContent> = new Map([
  ...Object.values(clientDefinitions).flatMap(({ fields = {} }) => Object.entries(fields)),
  ...(["url", "env", "headers"] as const).map((field) => [field, field] as const),
]);

/** The names of the fields with such contents, over all clients. */
export const fieldsWith = (...contents: readonly FieldContent[]): readonly string[] =>
  [...FIELD_CONTENTS].flatMap(([field, content]) => (contents.includes(content) ? [field] : []));

/** The fields that hold the URL of an entry. */
export const URL_KEYS = fieldsWith("httpUrl", "url");
const HTTP_URL_KEYS = fieldsWith("httpUrl");

/** The fields of a stdio server, under the names of all clients. */
export const STDIO_FIELDS: ReadonlySet<string> = new Set([
  ...["command", "args"],
  ...fieldsWith("env", "envNames"),
]);

/** The fields of a remote server, under the names of all clients. */
export const REMOTE_FIELDS: ReadonlySet<string> = new Set([
  ...URL_KEYS,
  ...fieldsWith("headers", "headerVariables", "token", "tokenVariable"),
  "requestInit",
]);

/** True for a field that holds values for the server; the other fields say which server it is. */
export const isValueField = (field: string): boolean =>
  (STDIO_FIELDS.has(field) || REMOTE_FIELDS.has(field)) &&
  !["command", "args", ...URL_KEYS].includes(field);

/** The entry with the members of its `transport`, an object in Cline's files. */
export function flatEntry(entry: unknown): unknown {
  if (!isPlainObject(entry) || !isPlainObject(entry.transport)) return entry;
  const { transport, ...others } = entry;
  return { ...others, ...Object(transport) };
}

export const isEntry = (value: unknown): boolean =>
  isObjectOrArray(value) &&
  ["command", ...URL_KEYS].some(
    (key) => typeof value[key] === "string" || Array.isArray(value[key]),
  );

/**
 * The transport of an entry's server. A `url` without a type counts as Streamable HTTP: clients that take
 * one try it first.
 *
 * @param client whose file it is, if that is known.
 */
export function detectTransport(entry: unknown, client?: Client): Transport | "unknown" {
  const values = isPlainObject(entry) ? entry : {};
  const key = remoteUrlKey(values);
  if (key === undefined) return "command" in values ? "stdio" : "unknown";
  const content = client && clientDefinitions[client].fields?.[key];
  const type = statedType(values);
  const isSse =
    content === "sseUrl" || type === (content === "untypedSseUrl" ? "" : "sse") || type === "sse";
  return isSse && !HTTP_URL_KEYS.includes(key) ? "sse" : "http";
}

/**
 * The key of an entry's URL; undefined for a local server. If the entry has a command too, its type
 * decides, as in the clients.
 */
export function remoteUrlKey(entry: ConfigValues): string | undefined {
  const key = URL_KEYS.find((key) => typeof entry[key] === "string" && entry[key] !== "");
  const { command } = entry;
  if (!key || command === undefined || command === null || command === "") return key;
  // Without a type Claude Code and Cursor run the command, while Gemini CLI asks at `httpUrl`.
  const type = statedType(entry);
  const isRemote = type === "" ? HTTP_URL_KEYS.includes(key) : /http|sse|remote|ws/.test(type);
  return isRemote ? key : undefined;
}

/** True for a server over WebSocket, which only one client supports. */
export const isWebSocket = (entry: ConfigValues): boolean =>
  remoteUrlKey(entry) !== undefined && /^(?:ws|websocket)/.test(statedType(entry));

/** The transport that an entry states, in lower case; empty without one. */
const statedType = ({ type, transportType, transport }: ConfigValues): string =>
  asString(type ?? transportType ?? transport ?? "").toLowerCase();

/** Whether the client keeps an entry and does not start it. */
export const isDisabled = (entry: unknown): boolean => {
  const { disabled, enabled } = Object(entry);
  return disabled === true || enabled === false;
};
