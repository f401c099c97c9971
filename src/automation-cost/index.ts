export type { AutomationCostInput, AutomationCostResult } from "../../schemas/automation-cost.ts";
export type { PriceBook } from "../../schemas/price-book.ts";
export { InvalidInputError } from "../issues.ts";
export { automationCost } from "./automation-cost.ts";
export { priceBook } from "./price-book.ts";
