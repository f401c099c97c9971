import { toolPagePath } from "../../server/paths.ts";
import { toolPath } from "../../src/describe-tool.ts";
import type { WorstInput } from "./worst-inputs.ts";
import type { WorstMessage } from "./worst-messages.ts";

/** A POST. */
export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that brings a message to the MCP server. */
export const toMcp = ({ headers, body }: Pick<WorstMessage, "headers" | "body">): HttpRequest => ({
  path: "/mcp",
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...headers,
  },
  body,
});

/** The ways to run a tool on the server, each with its request for an input. */
export const surfaces: Readonly<Record<string, (input: WorstInput) => HttpRequest>> = {
  HTTP: ({ contract, json }) => ({
    path: toolPath(contract),
    headers: { "Content-Type": "application/json" },
    body: json,
  }),
  MCP: ({ contract, json }) =>
    toMcp({
      headers: { "MCP-Protocol-Version": "2025-11-25" },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${contract.name}","arguments":${json}}}`,
    }),
  page: ({ contract, json }) => ({
    path: toolPagePath(contract),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: `input=${encodeURIComponent(json)}`,
  }),
};
