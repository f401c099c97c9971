export type {
  AutomationCostInput,
  AutomationCostResult,
} from "../../schemas/automation-cost.ts";
export type { PriceBook } from "../../schemas/price-book.ts";
export { InvalidInputError } from "../issues.ts";
export { type AutomationCostOptions, calculateAutomationCost } from "./automation-cost.ts";
export { type Breakpoint, findPriceBreakpoints } from "./breakpoints.ts";
export { type ParsedZaps, type ParseZapsOptions, parseZaps } from "./parse-zaps.ts";
export { priceBook } from "./price-book.ts";
export type { SkippedRow } from "./zap-table.ts";
