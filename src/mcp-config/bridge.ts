import type { ClientDefinition } from "./client-definition.ts";
import { type McpServer, parseUrl, type StdioServer, type UnnamedInput } from "./mcp-server.ts";
import { replaceByPlaceholders } from "./variable-references.ts";

/** Pinned to the version that test/integration/clients runs. Versions before 0.1.16 have CVE-2025-6514. */
export const MCP_REMOTE = { command: "npx", package: "mcp-remote", version: "0.15.1" } as const;

/** Wraps a client that does not support SSE, so that it starts SSE servers through the bridge. */
export function withBridgeIfNeeded(client: ClientDefinition, server: McpServer): ClientDefinition {
  if (!client.lacksSse || server.transport !== "sse") return client;
  const { references: _, install, ...others } = client;
  return {
    ...others,
    install: { ...install, commands: () => ({}) },
    entry: (remote) => client.entry(toBridgedServer(remote)),
    warnAbout(facts, findings) {
      client.warnAbout?.(facts, findings);
      findings.add("sse-transport/bridge", { client: client.title });
    },
  };
}

/**
 * Turns a remote server into a local one that connects to it. Each reference in a header becomes
 * the placeholder `<NAME>`.
 *
 * Header values go into the environment, so that no argument contains a space: on Windows Claude
 * Desktop starts `npx.cmd` through cmd.exe with quoting that breaks on spaces
 * (punkpeye/mcp-remote#52).
 */
export function toBridgedServer(server: McpServer): StdioServer {
  if (server.transport === "stdio") return server;
  const { transport, name, url, headers } = server;
  const { protocol, hostname = "" } = parseUrl(url) ?? {};
  // mcp-remote accepts plain http only for these two hosts, not even for `[::1]`.
  const needsOption = protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
  const values = Object.entries(headers).map(([header, value]) => ({
    header,
    value: replaceByPlaceholders(value),
    variable: `MCP_HEADER_${header.toUpperCase().replace(/[^A-Z\d]/g, "_")}`,
  }));
  return {
    transport: "stdio",
    name,
    command: MCP_REMOTE.command,
    args: [
      ...["-y", `${MCP_REMOTE.package}@${MCP_REMOTE.version}`, url],
      ...(transport === "sse" ? ["--transport", "sse-only"] : []),
      ...(needsOption ? ["--allow-http"] : []),
      ...values.flatMap(({ header, variable }) => ["--header", `${header}:\${${variable}}`]),
    ],
    env: Object.fromEntries(values.map(({ variable, value }) => [variable, value])),
  };
}

/** Returns the remote server behind a bridge. Other servers are returned unchanged. */
export function unwrapBridge(entry: UnnamedInput): UnnamedInput & { readonly transport?: "sse" } {
  const { command, args = [], env = {} } = entry;
  const relevantArgs = args.filter((arg) => !/^(?:-y|--yes|--allow-http)$/.test(arg));
  const [program = "", url = "", ...options] = relevantArgs;
  const isBridge = command === "npx" && program.replace(/@[^@/]*$/, "") === MCP_REMOTE.package;
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
