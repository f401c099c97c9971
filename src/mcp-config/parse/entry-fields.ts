import type { Client, Transport } from "../../../schemas/mcp-config.ts";
import type { FieldContent } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import { asString, type ConfigValues, isObjectOrArray, isPlainObject } from "../json-values.ts";

/** The content of each entry field. Client-specific fields come first, as clients prefer them. */
export const FIELD_CONTENTS: ReadonlyMap<string, FieldContent> = new Map([
  ...Object.values(clientDefinitions).flatMap(({ fields = {} }) => Object.entries(fields)),
  ...(["url", "env", "headers"] as const).map((field) => [field, field] as const),
]);

export const fieldsWith = (...contents: readonly FieldContent[]): readonly string[] =>
  [...FIELD_CONTENTS].flatMap(([field, content]) => (contents.includes(content) ? [field] : []));

export const URL_KEYS = fieldsWith("httpUrl", "url");
const HTTP_URL_KEYS = fieldsWith("httpUrl");

/** Returns the field of our input for any client's entry field. Undefined for a client's setting. */
export function toInputField(
  field: string,
): "command" | "args" | "env" | "url" | "headers" | undefined {
  if (field === "command" || field === "args") return field;
  if (URL_KEYS.includes(field)) return "url";
  const content = FIELD_CONTENTS.get(field);
  if (content === "env" || content === "envNames") return "env";
  return content && "headers";
}

/** Whether the field holds values for the server. Other fields identify it. */
export const isValueField = (field: string): boolean =>
  ["env", "headers"].includes(toInputField(field) ?? "");

/** The object in which a client's entries hold their fields. */
const NESTED_FIELDS = Object.values(clientDefinitions).flatMap(({ id, file }) =>
  file?.nestedIn === undefined ? [] : [{ id, key: file.nestedIn }],
);

/**
 * Moves an entry's nested fields to its top level.
 *
 * @param client whose file it is, if known. Others do not read nested fields.
 */
export function flattenEntry(entry: unknown, client?: Client): unknown {
  if (!isPlainObject(entry)) return entry;
  for (const { id, key } of NESTED_FIELDS) {
    const { [key]: nested, ...others } = entry;
    if (!isPlainObject(nested) || (client !== undefined && client !== id)) continue;
    const { path: command = others.command, ...fields } = nested;
    return { ...others, ...(command !== undefined && { command }), ...fields };
  }
  return entry;
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
  const type = getTransportType(values);
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
  const type = getTransportType(entry);
  const isRemote = type === "" ? HTTP_URL_KEYS.includes(key) : /http|sse|remote|ws/.test(type);
  return isRemote ? key : undefined;
}

/** Whether the server uses WebSocket, which only one client supports. */
export const isWebSocket = (entry: ConfigValues): boolean =>
  remoteUrlKey(entry) !== undefined && /^(?:ws|websocket)/.test(getTransportType(entry));

/** The entry's transport in lower case. Empty if not set. */
const getTransportType = ({ type, transportType, transport }: ConfigValues): string =>
  asString(type ?? transportType ?? transport ?? "").toLowerCase();

/** Whether the client keeps the entry but does not start it. */
export const isDisabled = (entry: unknown): boolean => {
  const { disabled, enabled } = Object(entry);
  return disabled === true || enabled === false;
};
