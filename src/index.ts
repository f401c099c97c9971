export type * from "../schemas/index.ts";
export { tools } from "../schemas/index.ts";
export { automationCost, priceBook } from "./automation-cost/index.ts";
export { callTool } from "./call-tool.ts";
export { type JsonSchema, jsonSchema } from "./json-schema.ts";
export { mailFilter } from "./mail-filter/index.ts";
export { mcpConfig } from "./mcp-config/index.ts";
export { InvalidInputError, type Issue, type ToolFailure, type ToolResult } from "./result.ts";
