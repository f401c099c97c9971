import type { Client } from "../../schemas/mcp-config.ts";
import { joinWithConjunction } from "../text.ts";
import { MCP_REMOTE } from "./bridge.ts";
import { type ClientDefinition, replacesPart } from "./client-definition.ts";
import { clientDefinitions } from "./clients/all-clients.ts";
import { asString, type ConfigValues, isPlainObject } from "./json-values.ts";
import { remoteUrlKey, URL_KEYS } from "./parse/entry-fields.ts";
import { REFERENCE_PART, startsShell } from "./variable-references.ts";
import { toVisibleJsonString } from "./write-json-toml.ts";

/**
 * Finds reasons why the client skips the entry or the whole file, or passes a reference on
 * unreplaced.
 *
 * @returns sentences that follow the entry's path.
 */
export function checkEntry(entry: unknown, client: Client): readonly string[] {
  const definition = clientDefinitions[client];
  if (!isPlainObject(entry)) return ["must be an object"];
  const accepted = definition.accepts?.(entry);
  if (accepted === true) return [];
  const problems = [
    accepted,
    findUnreadField(entry, definition),
    findWrongType(entry, definition),
    findNumber(entry, definition),
    findKeptReference(entry, definition),
  ];
  // One mistake often has several effects.
  return problems.filter((problem) => problem !== undefined).slice(0, 1);
}

/** Finds a field that only other clients read instead of `serverUrl`, `env` or `headers`. */
function findUnreadField(
  entry: ConfigValues,
  { title, fields = {} }: ClientDefinition,
): string | undefined {
  const urlKey = remoteUrlKey(entry);
  if (urlKey !== undefined && urlKey !== "url" && !Object.hasOwn(fields, urlKey)) {
    return `must use url instead of ${urlKey}, which ${title} does not read`;
  }
  for (const content of ["env", "headers"] as const) {
    const [own] = Object.entries(fields).find(([, holds]) => holds === content) ?? [];
    if (own !== undefined && own !== content && entry[content] !== undefined) {
      return `must use ${own} instead of ${content}, which ${title} ignores`;
    }
  }
  return undefined;
}

const SKIPS = "skips the server";

function findWrongType(
  entry: ConfigValues,
  { title, types, onWrongEntry = SKIPS }: ClientDefinition,
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

function findNumber(
  entry: ConfigValues,
  { title, fields = {}, rejectsNumbers, onWrongEntry = SKIPS }: ClientDefinition,
): string | undefined {
  if (!rejectsNumbers) return undefined;
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
  const { env = {}, headers = {}, requestInit } = entry;
  const [command = "", ...args] = [entry.command, entry.args].flat(2).map(asString);
  const isScript = startsShell({ transport: "stdio", name: "", command, args, env: {} });
  const isBridge = args.some((word) => word.replace(/@[^@/]*$/, "") === MCP_REMOTE.package);
  const fields = Object.entries(client.fields ?? {});
  const mapsOf = (content: string) =>
    fields.flatMap(([field, holds]) => (holds === content ? [entry[field]] : []));
  const texts: [field: string, text: unknown][] = [
    ["command", command],
    ...args.flatMap((word, index): [string, string][] =>
      // The bridge replaces references in its headers itself.
      isScript || (isBridge && args[index - 1] === "--header") ? [] : [["args", word]],
    ),
    ...[env, ...mapsOf("env")].flatMap((map) => valuesOf("env", map)),
    ...[headers, Object(requestInit).headers, ...mapsOf("headers")].flatMap((map) =>
      valuesOf("headers", map),
    ),
    ...URL_KEYS.map((key): [string, unknown] => ["url", entry[key]]),
  ];
  for (const [field, text] of texts) {
    if (typeof text !== "string") continue;
    const parts = text.match(REFERENCE_PART) ?? [];
    const kept = parts.find((part) => !replacesPart(client, part, field));
    if (kept !== undefined) return `contains ${kept}, which ${client.title} does not replace`;
  }
  return undefined;
}

const valuesOf = (field: string, map: unknown): [string, unknown][] =>
  isPlainObject(map) ? Object.values(map).map((value) => [field, value]) : [];
