export type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
export { InvalidInputError } from "../issues.ts";
export { mcpConfig } from "./mcp-config.ts";
export { type ReadMcpConfig, readMcpConfig } from "./read/read-config.ts";
export { type McpReadme, type McpReadmeOptions, mcpReadme } from "./readme/mcp-readme.ts";
export type { ReadServer, ServerInput } from "./server.ts";
export {
  type ReadServerJson,
  readServerJson,
  type ServerJsonOptions,
} from "./server-json/read-server-json.ts";
