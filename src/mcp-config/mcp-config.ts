import type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
import { runTool } from "../tool.ts";
import { mcpConfigTool } from "./tool.ts";

/**
 * Writes the config of one MCP server for Claude Desktop, Claude Code, Cursor, VS Code and Codex.
 *
 * @throws {InvalidInputError} when the input breaks its schema, describes no server or two,
 * or holds what no client could pass on.
 *
 * @example
 * const { clients } = mcpConfig({ name: "files", command: "npx", args: ["-y", "files-server"] });
 * clients[0]?.snippet; // '{\n  "mcpServers": {\n    "files": {\n …'
 */
export function mcpConfig(input: McpConfigInput): McpConfigResult {
  return runTool(mcpConfigTool, input);
}
