export * from "./automation-cost.ts";
export { usableName, type Warning, WarningSchema } from "./common.ts";
export * from "./contract.ts";
export * from "./http.ts";
export * from "./mail-filter.ts";
export * from "./mcp-config.ts";
export { PriceBookSchema } from "./price-book.ts";
export * from "./signup.ts";
export * from "./tools.ts";
