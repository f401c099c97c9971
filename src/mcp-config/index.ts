export { mcpConfig } from "./mcp-config.ts";
