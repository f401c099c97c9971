import { type ClientDefinition, replacesReferences, type ServerAnalysis } from "./client.ts";
import type { McpFindings } from "./findings.ts";
import { schemeAndReference } from "./references.ts";
import {
  type HttpServer,
  parseUrl,
  type Server,
  type ServerText,
  type StdioServer,
  type UnnamedInput,
} from "./server.ts";

/** Pinned to the version that test/live/clients runs. Versions before 0.1.16 have CVE-2025-6514. */
export const BRIDGE = { command: "npx", package: "mcp-remote", version: "0.15.1" } as const;

/** A remote server behind the bridge, for a client that starts local servers only. */
export const asStdio = (server: Server): StdioServer =>
  server.transport === "stdio" ? server : bridgeTo(server);

/** mcp-remote itself replaces `${NAME}` in the value of a header, from the environment that the client gives it. */
const bridgeReplaces = ({ path, value }: ServerText): boolean =>
  path[0] === "headers" && schemeAndReference(value) !== undefined;

/**
 * The client as it is for this server: one without SSE starts an SSE server through the bridge. The
 * bridge reads the variables of headers from its environment, so a client that can sets them there.
 */
export function throughBridge(client: ClientDefinition, server: Server): ClientDefinition {
  if (client.withoutSse === undefined || server.transport !== "sse") return client;
  const { withoutSse, references, commands: _, ...others } = client;
  const isInEnv = (name: string, value: string) =>
    replacesReferences(client, { path: ["env", name], value });
  const forwarded = ({ headers }: HttpServer): [string, string][] =>
    Object.values(headers)
      .flatMap((value) => schemeAndReference(value)?.name ?? [])
      .map((name): [string, string] => [name, `\${${name}}`])
      .filter(([name, reference]) => isInEnv(name, reference));
  return {
    ...others,
    entry(remote) {
      if (remote.transport === "stdio") return client.entry(remote);
      const local = bridgeTo(remote);
      return client.entry({
        ...local,
        env: { ...local.env, ...Object.fromEntries(forwarded(remote)) },
      });
    },
    references: {
      ...references,
      replaces: (text) =>
        bridgeReplaces(text) || (text.path[0] === "headers" && isInEnv("", text.value)),
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
  const flags: string[] = [];
  const env: Record<string, string> = {};
  for (const [header, value] of Object.entries(headers)) {
    const variable = headerVariable(header);
    const reference = schemeAndReference(value);
    if (!reference) env[variable] = value;
    else if (reference.scheme !== "") env[variable] = `${reference.scheme} `;
    flags.push("--header", `${header}:${formatHeaderValue(variable, reference)}`);
  }
  return {
    transport: "stdio",
    name,
    command: BRIDGE.command,
    args: [
      "-y",
      `${BRIDGE.package}@${BRIDGE.version}`,
      url,
      ...(transport === "sse" ? ["--transport", "sse-only"] : []),
      ...(needsAllowHttp(url) ? ["--allow-http"] : []),
      ...flags,
    ],
    env,
  };
}

/** The variable for a header's value. Only the bridge has it in its environment. */
const headerVariable = (header: string): string =>
  `MCP_HEADER_${header.toUpperCase().replace(/[^A-Z\d]/g, "_")}`;

/**
 * A header's value as mcp-remote accepts it. The bridge replaces the variables of an argument once,
 * so a reference must be in the argument itself, and the text before it in another variable.
 */
function formatHeaderValue(
  variable: string,
  reference: ReturnType<typeof schemeAndReference>,
): string {
  if (!reference) return `\${${variable}}`;
  const { scheme, name } = reference;
  return scheme === "" ? `\${${name}}` : `\${${variable}}\${${name}}`;
}

/** Warns about headers that mcp-remote ignores. */
export function warnAboutBridge({ server }: ServerAnalysis, findings: McpFindings): void {
  const names = server.transport !== "stdio" ? Object.keys(server.headers) : [];
  const ignored = names.filter((name) => !/^[\w-]+$/.test(name));
  if (ignored.length > 0) findings.add("header-not-sent/bridge", { names: ignored });
}

/** mcp-remote accepts plain http for these two hosts only, not even for `[::1]`. */
function needsAllowHttp(text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === "http:" && !["localhost", "127.0.0.1"].includes(url.hostname);
}

/** The remote server behind a bridge, with its transport if that is SSE; any other server as it is. */
export function fromBridge(entry: UnnamedInput): UnnamedInput & { readonly transport?: "sse" } {
  const { command, args = [], env = {} } = entry;
  const words = args.filter((arg) => arg !== "-y" && arg !== "--yes");
  const [program = "", url = "", ...options] = words;
  const isBridge = command === "npx" && program.replace(/@[^@/]*$/, "") === BRIDGE.package;
  if (!isBridge || !/^(?:https?:|\$\{)/i.test(url)) return entry;
  const used = new Set<string>();
  const headers: [string, string][] = [];
  let isSse = false;
  for (let index = 0; index < options.length; index += 1) {
    if (options[index] === "--allow-http") continue;
    if (options[index] === "--transport" && /^(?:http|sse)-only$/.test(options[index + 1] ?? "")) {
      index += 1;
      isSse = options[index] === "sse-only";
      continue;
    }
    const [, name, value] = /^([^\s:]+):\s*(.*)$/s.exec(options[index + 1] ?? "") ?? [];
    if (options[index] !== "--header" || name === undefined || value === undefined) return entry;
    index += 1;
    headers.push([
      name,
      value.replace(/\$\{(\w+)\}/g, (reference, variable: string) => {
        if (!Object.hasOwn(env, variable)) return reference;
        used.add(variable);
        return env[variable] ?? reference;
      }),
    ]);
  }
  if (Object.keys(env).some((variable) => !used.has(variable))) return entry;
  return {
    url,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(isSse && { transport: "sse" }),
  };
}
