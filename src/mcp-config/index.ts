export type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
export { InvalidInputError } from "../result.ts";
export { mcpConfig } from "./mcp-config.ts";
