import { libraryResult, MCP, rawPost } from "../server/tool-calls.ts";

/** A request that no other is like, and the one right answer to it. */
export interface ToolRequest {
  readonly bytes: Uint8Array;
  /** Where the body begins. */
  readonly bodyStart: number;
  readonly answer: { readonly status: 200; readonly body: string };
}

const MCP_TOOL = { name: "mcp_config_generator" };

/** @param mark sets its input, and so its answer, apart: letters, digits, - and _. */
export function toolRequest(mark: string): ToolRequest {
  const input = { name: mark, command: "npx", args: ["-y", mark] };
  const body = JSON.stringify(input);
  const bytes = rawPost(MCP, body);
  const answer = { status: 200, body: libraryResult(MCP_TOOL, input) } as const;
  return { bytes, bodyStart: bytes.length - body.length, answer };
}
