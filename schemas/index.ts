export * from "./automation-cost.ts";
export * from "./contract.ts";
export * from "./mail-filter.ts";
export * from "./mcp-config.ts";
export { type Price, type PriceBook, PriceBookSchema } from "./price-book.ts";
export { type Warning, WarningSchema } from "./shared.ts";
export * from "./tools.ts";
export * from "./warnings.ts";
