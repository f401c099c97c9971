import {
  type AutomationCostResult,
  automationCostContract,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import type { Tool } from "../tool.ts";
import { compare } from "./compare.ts";
import { notes } from "./notes.ts";
import { priceBook } from "./price-book.ts";
import { quote } from "./quote.ts";
import { countTasks } from "./tasks.ts";
import { warnings } from "./warnings.ts";

export const automationCostTool: Tool<typeof automationCostContract> = {
  contract: automationCostContract,
  run: (input, { price_book = priceBook }) => calculate(input, price_book),
};

function calculate(input: ValidAutomationCostInput, book: PriceBook): AutomationCostResult {
  const automations = countTasks(input.zaps);
  const monthlyTasks = automations.reduce((sum, { monthly_tasks }) => sum + monthly_tasks, 0);
  const comparison = compare(input, monthlyTasks, book);
  const { cheapest, smallestCovering, offers } = comparison;
  return {
    monthly_tasks: monthlyTasks,
    automations,
    cheapest: cheapest ? quote(cheapest) : null,
    smallest_covering: smallestCovering ? quote(smallestCovering) : null,
    options: offers.map(quote),
    billing: input.billing,
    team: input.team,
    currency: book.currency,
    prices_as_of: book.as_of,
    notes: notes(input, monthlyTasks, comparison, book),
    warnings: warnings(input, monthlyTasks, book),
  };
}
