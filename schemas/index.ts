export * from "./automation-cost.ts";
export * from "./contract.ts";
export * from "./mail-filter.ts";
export * from "./mcp-config.ts";
export { type Warning, WarningSchema } from "./shared.ts";
export * from "./tools.ts";
