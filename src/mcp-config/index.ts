export type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
export { InvalidInputError } from "../issues.ts";
export { mcpConfig } from "./mcp-config.ts";
export { type ReadMcpConfig, readMcpConfig } from "./read/read-config.ts";
