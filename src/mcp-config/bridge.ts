import { type ClientDefinition, replacesReferences, type ServerAnalysis } from "./client.ts";
import type { McpFindings } from "./findings.ts";
import { withPlaces } from "./references.ts";
import {
  type HttpServer,
  parseUrl,
  type Server,
  type StdioServer,
  type UnnamedInput,
} from "./server.ts";

/** Pinned to the version that test/live/clients runs. Versions before 0.1.16 have CVE-2025-6514. */
export const BRIDGE = { command: "npx", package: "mcp-remote", version: "0.15.1" } as const;

/**
 * A remote server behind the bridge, for a client that starts local servers only, and replaces no variables:
 * a reference in a header becomes a place to fill in, `<NAME>`.
 */
export function asStdio(server: Server): StdioServer {
  if (server.transport === "stdio") return server;
  const headers = Object.entries(server.headers).map(([name, value]) => [name, withPlaces(value)]);
  return bridgeTo({ ...server, headers: Object.fromEntries(headers) });
}

/** The client as it is for this server: one without SSE starts an SSE server through the bridge. */
export function throughBridge(client: ClientDefinition, server: Server): ClientDefinition {
  if (client.withoutSse === undefined || server.transport !== "sse") return client;
  const { withoutSse, references, install: { commands: _, ...install } = {}, ...others } = client;
  const isInEnv = replacesReferences(client, { path: ["env", ""], value: "${NAME}" });
  return {
    ...others,
    install,
    entry: (remote) =>
      client.entry(isInEnv && remote.transport !== "stdio" ? bridgeTo(remote) : asStdio(remote)),
    references: {
      ...references,
      replaces: ({ path: [field] }) => field === "headers" && isInEnv,
    },
    warnAbout(analysis, findings) {
      client.warnAbout?.(analysis, findings);
      warnAboutBridge(analysis, findings);
      findings.add("sse-url/bridge", { client: withoutSse });
    },
  };
}

/**
 * A local server that passes everything on to the remote one.
 *
 * The values of headers are in the environment, so that no argument has a space: on Windows Claude
 * Desktop starts `npx.cmd` through cmd.exe with quoting that breaks on spaces
 * (punkpeye/mcp-remote#52).
 */
function bridgeTo({ transport, name, url, headers }: HttpServer): StdioServer {
  const values = Object.entries(headers).map(([header, value]) => ({
    header,
    value,
    variable: `MCP_HEADER_${header.toUpperCase().replace(/[^A-Z\d]/g, "_")}`,
  }));
  return {
    transport: "stdio",
    name,
    command: BRIDGE.command,
    args: [
      ...["-y", `${BRIDGE.package}@${BRIDGE.version}`, url],
      ...(transport === "sse" ? ["--transport", "sse-only"] : []),
      ...(needsAllowHttp(url) ? ["--allow-http"] : []),
      ...values.flatMap(({ header, variable }) => ["--header", `${header}:\${${variable}}`]),
    ],
    env: Object.fromEntries(values.map(({ variable, value }) => [variable, value])),
  };
}

/** Warns about headers that mcp-remote ignores. */
export function warnAboutBridge({ server }: ServerAnalysis, findings: McpFindings): void {
  const headers = server.transport === "stdio" ? [] : Object.keys(server.headers);
  const names = headers.filter((name) => !/^[\w-]+$/.test(name));
  if (names.length > 0) findings.add("header-not-sent/bridge", { names });
}

/** mcp-remote accepts plain http for these two hosts only, not even for `[::1]`. */
function needsAllowHttp(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === "http:" && !["localhost", "127.0.0.1"].includes(url.hostname);
}

/** The remote server behind a bridge, with its transport if that is SSE; any other server as it is. */
export function fromBridge(entry: UnnamedInput): UnnamedInput & { readonly transport?: "sse" } {
  const { command, args = [], env = {} } = entry;
  const words = args.filter((arg) => !/^(?:-y|--yes|--allow-http)$/.test(arg));
  const [program = "", url = "", ...options] = words;
  const isBridge = command === "npx" && program.replace(/@[^@/]*$/, "") === BRIDGE.package;
  if (!isBridge || !/^(?:https?:|\$\{)/i.test(url)) return entry;
  const used = new Set<string>();
  const headers: [string, string][] = [];
  let isSse = false;
  for (let index = 0; index < options.length; index += 2) {
    const [option, text = ""] = options.slice(index, index + 2);
    const [, name = "", value = ""] = /^([^\s:]+):\s*(.*)$/s.exec(text) ?? [];
    if (option === "--transport" && /^(?:http|sse)-only$/.test(text)) isSse = text === "sse-only";
    else if (option !== "--header" || name === "") return entry;
    else {
      const filled = value.replace(/\$\{(\w+)\}/g, (reference, variable: string) => {
        if (!Object.hasOwn(env, variable)) return reference;
        used.add(variable);
        return env[variable] ?? reference;
      });
      headers.push([name, filled]);
    }
  }
  if (Object.keys(env).some((variable) => !used.has(variable))) return entry;
  return {
    url,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(isSse && { transport: "sse" }),
  };
}
