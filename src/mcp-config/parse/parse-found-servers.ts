import * as v from "valibot";
import { MAX_SERVER_NAME_LENGTH, toServerName } from "../../../schemas/common.ts";
import {
  type Client,
  type McpConfigResult,
  mcpConfigContract,
} from "../../../schemas/mcp-config.ts";
import { Findings, formatWarnings, type RawResult } from "../../findings.ts";
import { formatPath, InvalidInputError, validate } from "../../issues.ts";
import { unwrapBridge } from "../bridge.ts";
import { type McpFindings, mcpFindings } from "../config-findings.ts";
import { jsonInOrder, uniqueNames } from "../json-values.ts";
import { type ParsedServer, parseServer, type RawServer } from "../mcp-server.ts";
import { percentEncodeReferences } from "../variable-references.ts";
import { detectTransport } from "./entry-fields.ts";
import type { FoundServer } from "./find-servers.ts";
import { parseEntry, readCwd, readUrl } from "./parse-entry.ts";
import { type FileContext, promptVariables } from "./parse-references.ts";

/** The servers, skipped entries and warnings of a config. */
export interface ParsedMcpConfig {
  readonly servers: ParsedServer[];
  readonly left_out: { readonly name: string; readonly reason: string }[];
  readonly warnings: McpConfigResult["warnings"];
}

/** A config before `formatServers`. */
export type RawMcpConfig<Config extends object = ParsedMcpConfig> = Omit<
  RawResult<Config>,
  "servers"
> & { readonly servers: readonly RawServer[] };

/** Formats the paths of servers and warnings, as users see them. */
export const formatServers = <Raw extends Pick<RawMcpConfig, "servers" | "warnings">>(
  raw: Raw,
) => ({
  ...formatWarnings(raw),
  servers: raw.servers.map(({ path, ...server }) => ({ ...server, path: formatPath(path) })),
});

/**
 * Converts servers that were found in a file.
 *
 * @param client whose file it is, if known. Then reference syntax is unambiguous.
 * @param findings about the whole text.
 */
export function parseFoundServers(
  found: readonly FoundServer[],
  client?: Client,
  findings: McpFindings = new Findings(mcpFindings),
): RawMcpConfig {
  const servers: RawServer[] = [];
  const left_out: { name: string; reason: string }[] = [];
  const variableFor = promptVariables();
  const unique = uniqueNames("-", MAX_SERVER_NAME_LENGTH);
  for (const name of new Set(found.map(({ name }) => name))) if (isUsable(name)) unique(name);
  // Projects in a file, and commands for several clients in a README, repeat servers.
  const different = new Map(found.map((one) => [jsonInOrder([one.name, one.entry]), one])).values();
  const taken = new Set<string>();
  for (const { path, name, entry } of different) {
    const at = findings.at(...path);
    const isTaken = taken.has(name);
    taken.add(name);
    const usable = isUsable(name) && !isTaken ? name : unique(toServerName(name) ?? "server");
    const renamed = { name: usable, entry, path };
    const parsedServer = attempt(() => readServer(renamed, { variableFor, client }, at));
    if (parsedServer instanceof InvalidInputError) {
      left_out.push({ name, reason: parsedServer.message });
      at.add("left-out/server", { reason: parsedServer.message });
      continue;
    }
    servers.push(parsedServer);
    if (usable !== name) at.add("read-as/name", { name: usable, isTaken: isUsable(name) });
  }
  return { servers, left_out, warnings: [...findings.warnings] };
}

const isUsable = (name: string): boolean =>
  /^[\w-]+$/.test(name) && name.length <= MAX_SERVER_NAME_LENGTH;

function readServer(
  { name, entry, path }: FoundServer,
  known: Omit<FileContext, "key">,
  findings: McpFindings,
): RawServer {
  const file = { ...known, key: path.length > 1 ? path[0] : undefined };
  const parsed = parseEntry(entry, name, file, findings);
  const { transport: bridged, url: reached, ...fields } = unwrapBridge(parsed);
  // A bridge's URL may also have placeholders.
  const url =
    reached === undefined || parsed.url !== undefined
      ? reached
      : readUrl(reached, name, findings.at("args"));
  const input = validate(mcpConfigContract.extended_input, {
    name,
    ...(url !== undefined && { url: encodeUrlIfValid(url) }),
    ...fields,
  });
  const isSse = bridged === "sse" || detectTransport(entry, known.client) === "sse";
  // Throws if no client accepts the server.
  const { transport } = parseServer(input, isSse ? "sse" : undefined);
  const cwd = transport === "stdio" ? readCwd(Object(entry)) : undefined;
  return { input, transport, ...(cwd !== undefined && { cwd }), path };
}

/** Encodes the URL's references, as the service requires, if that makes it valid. */
function encodeUrlIfValid(url: string): string {
  const encoded = percentEncodeReferences(url);
  return v.is(mcpConfigContract.input, { name: "a", url: encoded }) ? encoded : url;
}

/** Returns the value, or the error that `read` throws. */
export function attempt<T>(read: () => T): T | InvalidInputError {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
    throw error;
  }
}
