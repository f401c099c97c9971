export type {
  AutomationCostInput,
  AutomationCostResult,
} from "../../schemas/automation-cost.ts";
export type { PriceBook } from "../../schemas/price-book.ts";
export { InvalidInputError } from "../issues.ts";
export { type AutomationCostOptions, automationCost } from "./automation-cost.ts";
export { automationCostBreakpoints, type Breakpoint } from "./breakpoints.ts";
export { priceBook } from "./price-book.ts";
export { type ReadZaps, type ReadZapsOptions, readZaps } from "./read-zaps.ts";
export type { UnreadZap } from "./zap-table.ts";
