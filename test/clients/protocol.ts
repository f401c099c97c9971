import type { Message } from "./json-lines.ts";

const PROTOCOL_VERSION = "2025-06-18";

/** The first message of every MCP client. */
export const initialize: Message = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "handtools", version: "0" },
  },
};

/** What a minimal MCP server without tools answers; undefined for a notification. */
export function answer({ id, method, params }: Message): object | undefined {
  if (id === undefined) return undefined;
  if (method === "initialize") {
    const result = {
      protocolVersion: params?.protocolVersion ?? PROTOCOL_VERSION,
      capabilities: { tools: {} },
      serverInfo: { name: "probe", version: "1.0.0" },
    };
    return { jsonrpc: "2.0", id, result };
  }
  return { jsonrpc: "2.0", id, result: method === "tools/list" ? { tools: [] } : {} };
}
