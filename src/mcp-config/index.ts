export type { McpConfigInput, McpConfigResult } from "../../schemas/mcp-config.ts";
export { InvalidInputError } from "../issues.ts";
export { createMcpConfig } from "./mcp-config.ts";
export type { ParsedServer, ServerVariable } from "./mcp-server.ts";
export { parseMcpConfig } from "./parse/parse-config.ts";
export type { ParsedMcpConfig } from "./parse/parse-found-servers.ts";
export {
  createReadmeSection,
  type ReadmeSection,
  type ReadmeSectionOptions,
} from "./readme-section.ts";
export {
  type ParsedServerJson,
  parseServerJson,
  type ServerJsonOptions,
} from "./server-json/parse-server-json.ts";
