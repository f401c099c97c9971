import type { Client } from "../../schemas/mcp-config.ts";
import { joinWithConjunction } from "../text.ts";
import { MCP_REMOTE } from "./bridge.ts";
import { type ClientDefinition, replacesPart } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { asString, type ConfigValues, isObjectOrArray, isPlainObject } from "./json-values.ts";
import { remoteUrlKey, toInputField, URL_KEYS } from "./parse/entry-fields.ts";
import { isDefaultValue } from "./parse/parse-entry.ts";
import { REFERENCE_PART, startsShell } from "./variable-references.ts";
import { toVisibleJsonString } from "./write-json-toml.ts";

/**
 * Finds the reason why the client skips the entry or the whole file, ignores a part of the entry, or
 * passes a reference on unreplaced.
 *
 * @returns a sentence that follows the entry's path.
 */
export function findEntryProblem(entry: unknown, client: Client): string | undefined {
  const definition = clientDefinitions[client];
  if (!isPlainObject(entry)) return "must be an object";
  if (definition.isOwnKind?.(entry)) return undefined;
  // One mistake often has several effects, so the first is enough.
  return (
    definition.problemOf?.(entry) ??
    findUnreadField(entry, definition) ??
    findWrongType(entry, definition) ??
    findNonString(entry, definition) ??
    findKeptReference(entry, definition)
  );
}

/** Finds a field that the client does not read, such as `serverUrl`, or `env` of a remote server. */
function findUnreadField(
  entry: ConfigValues,
  { title, fields = {} }: ClientDefinition,
): string | undefined {
  const isRemote = remoteUrlKey(entry) !== undefined;
  for (const [field, value] of Object.entries(entry)) {
    const usual = toInputField(field);
    if (!usual || isDefaultValue(field, value)) continue;
    if (isRemote && usual === "env") {
      return `must use headers instead of ${field}, which ${title} reads only for local servers`;
    }
    if (Object.hasOwn(fields, field)) continue;
    const [own = usual] = Object.entries(fields).find(([, content]) => content === usual) ?? [];
    if ([own, "url"].includes(field) || entry[own] !== undefined) continue;
    return `must use ${own} instead of ${field}, which ${title} does not read`;
  }
  return undefined;
}

function findWrongType(
  entry: ConfigValues,
  { title, types, onWrongEntry }: ClientDefinition,
): string | undefined {
  const { type } = entry;
  const isStarted = URL_KEYS.every((key) => entry[key] === undefined);
  const known = types?.[isStarted || remoteUrlKey(entry) === undefined ? "command" : "url"];
  if (!known || known.some((one) => one === type)) return undefined;
  const found =
    type === undefined ? "has no type" : `has the type ${toVisibleJsonString(asString(type))}`;
  const names = joinWithConjunction(
    known.filter((name) => name !== undefined),
    "or",
  );
  return `${found}, so ${title} ${onWrongEntry}; use ${names}`;
}

function findNonString(
  entry: ConfigValues,
  { title, fields = {}, requiresStrings, onWrongEntry }: ClientDefinition,
): string | undefined {
  if (!requiresStrings) return undefined;
  const maps = Object.keys({ env: "env", headers: "headers", ...fields });
  for (const field of maps) {
    const values = isPlainObject(entry[field]) ? Object.entries(entry[field]) : [];
    const [name] = values.find(([, value]) => typeof value !== "string") ?? [];
    if (name !== undefined) return `${field}.${name} must be a string, or ${title} ${onWrongEntry}`;
  }
  return undefined;
}

/** Finds a reference that the client does not replace, by its syntax or its field. */
function findKeptReference(entry: ConfigValues, client: ClientDefinition): string | undefined {
  const [command = "", ...args] = listStrings([entry.command, entry.args]);
  const isScript = startsShell({ command, args });
  const isBridge = args.some((word) => word.replace(/@[^@/]*$/, "") === MCP_REMOTE.package);
  for (const [key, value] of Object.entries(entry)) {
    const field = toInputField(key);
    for (const [index, text] of field ? listStrings(value).entries() : []) {
      // A shell replaces the references in its script, the bridge those in its headers.
      const isArgument = field === "args" || (field === "command" && index > 0);
      const isHeader = isBridge && listStrings(value)[index - 1] === "--header";
      if (isArgument && (isScript || isHeader)) continue;
      const parts = text.match(REFERENCE_PART) ?? [];
      const kept = parts.find((part) => !replacesPart(client, part, field ?? ""));
      if (kept !== undefined) return `contains ${kept}, which ${client.title} does not replace`;
    }
  }
  return undefined;
}

/** Lists the strings in a string, a list or an object. */
const listStrings = (value: unknown): readonly string[] =>
  typeof value === "string"
    ? [value]
    : isObjectOrArray(value)
      ? Object.values(value).flatMap(listStrings)
      : [];
