import type { Client, Transport } from "../../../schemas/mcp-config.ts";
import type { FieldContent } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import { asString, type ConfigValues, isObjectOrArray, isPlainObject } from "../json-values.ts";

/** The content of each entry field. Client-specific fields come first, as clients prefer them. */
const FIELD_CONTENTS: ReadonlyMap<string, FieldContent> = new Map([
  ...Object.values(clientDefinitions).flatMap(({ fields = {} }) => Object.entries(fields)),
  ...(["url", "env", "headers"] as const).map((field) => [field, field] as const),
]);

export const fieldsWith = (...contents: readonly FieldContent[]): readonly string[] =>
  [...FIELD_CONTENTS].flatMap(([field, content]) => (contents.includes(content) ? [field] : []));

export const URL_KEYS = fieldsWith("httpUrl", "url");
const HTTP_URL_KEYS = fieldsWith("httpUrl");

/** The fields of a stdio server in all clients. */
export const STDIO_FIELDS: ReadonlySet<string> = new Set([
  ...["command", "args"],
  ...fieldsWith("env", "envNames"),
]);

/** The fields of a remote server in all clients. */
export const REMOTE_FIELDS: ReadonlySet<string> = new Set([
  ...URL_KEYS,
  ...fieldsWith("headers", "headerVariables", "token", "tokenVariable"),
  "requestInit",
]);

/** Whether the field holds values for the server. Other fields identify it. */
export const isValueField = (field: string): boolean =>
  (STDIO_FIELDS.has(field) || REMOTE_FIELDS.has(field)) &&
  !["command", "args", ...URL_KEYS].includes(field);

/** Flattens an entry whose `transport` is an object, as in Cline's files. */
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
 * Detects the transport. A `url` without a type counts as Streamable HTTP, because clients try it
 * first.
 *
 * @param client whose file it is, if known.
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
 * Returns the key of the URL, or undefined for a local server. If the entry also has a command, its
 * type decides, as in the clients.
 */
export function remoteUrlKey(entry: ConfigValues): string | undefined {
  const key = URL_KEYS.find((key) => typeof entry[key] === "string" && entry[key] !== "");
  const { command } = entry;
  if (!key || command === undefined || command === null || command === "") return key;
  // Without a type, Claude Code and Cursor run the command. Gemini CLI uses `httpUrl`.
  const type = statedType(entry);
  const isRemote = type === "" ? HTTP_URL_KEYS.includes(key) : /http|sse|remote|ws/.test(type);
  return isRemote ? key : undefined;
}

/** Whether the server uses WebSocket, which only one client supports. */
export const isWebSocket = (entry: ConfigValues): boolean =>
  remoteUrlKey(entry) !== undefined && /^(?:ws|websocket)/.test(statedType(entry));

/** The entry's transport in lower case. Empty if not set. */
const statedType = ({ type, transportType, transport }: ConfigValues): string =>
  asString(type ?? transportType ?? transport ?? "").toLowerCase();

/** Whether the client keeps the entry but does not start it. */
export const isDisabled = (entry: unknown): boolean => {
  const { disabled, enabled } = Object(entry);
  return disabled === true || enabled === false;
};
