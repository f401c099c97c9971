import type { McpConfigInput, McpConfigResult } from "../../schemas/index.ts";
import { runTool } from "../tool.ts";
import { mcpConfigTool } from "./tool.ts";

export function mcpConfig(input: McpConfigInput): McpConfigResult {
  return runTool(mcpConfigTool, input);
}
