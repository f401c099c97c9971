export type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
export { InvalidInputError } from "../issues.ts";
export { createMcpConfig } from "./mcp-config.ts";
export { parseMcpConfig } from "./read/read-config.ts";
export type { ParsedMcpConfig } from "./read/read-servers.ts";
export {
  createReadmeSection,
  type ReadmeSection,
  type ReadmeSectionOptions,
} from "./readme/mcp-readme.ts";
export type { ParsedServer, ServerVariable } from "./server.ts";
export {
  type ParsedServerJson,
  parseServerJson,
  type ServerJsonOptions,
} from "./server-json/read-server-json.ts";
