export type {
  AutomationCostInput,
  AutomationCostResult,
} from "../../schemas/automation-cost.ts";
export type { PriceBook } from "../../schemas/price-book.ts";
export { InvalidInputError } from "../issues.ts";
export { type AutomationCostOptions, automationCost } from "./automation-cost.ts";
export { automationCostBreakpoints, type Breakpoint } from "./breakpoints.ts";
export type { LeftOutZap, ReadZap, ReadZaps, ReadZapsOptions } from "./file-zaps.ts";
export { priceBook } from "./price-book.ts";
export { readZaps } from "./read-zaps.ts";
