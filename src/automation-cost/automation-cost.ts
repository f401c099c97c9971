import type { AutomationCostInput, AutomationCostResult } from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { runTool } from "../tool.ts";
import { automationCostTool } from "./tool.ts";

/**
 * The cheapest Zapier plan for a set of automations, and every other one that could carry them.
 *
 * @param input the automations, the billing (`annual` unless given) and whether a team shares them.
 * @param priceBook prices to use instead of the built-in list.
 * @returns tasks a month, and quotes in USD per month before tax.
 * @throws {InvalidInputError} for an input or a price book that breaks its schema.
 *
 * @example
 * const { cheapest } = automationCost({ zaps: [{ action_steps: 2, runs_per_month: 400 }] });
 * // cheapest?.title is "Professional", cheapest?.monthly_price is 21.66
 */
export function automationCost(
  input: AutomationCostInput,
  priceBook?: PriceBook,
): AutomationCostResult {
  return runTool(automationCostTool, input, { price_book: priceBook });
}
