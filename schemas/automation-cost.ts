import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { described } from "./common.ts";
import { defineContract } from "./contract.ts";
import {
  automationCostInput,
  BILLING,
  localAutomationCostInput,
  PLANS,
  SYNONYMS,
} from "./inputs/automation-cost.ts";
import { isoDate, PRICE_BASES } from "./price-book.ts";
import { warningsOf } from "./warning.ts";

export {
  type AutomationCostInput,
  BILLING,
  PLANS,
  type ValidAutomationCostInput,
  type ZapInput,
} from "./inputs/automation-cost.ts";

const dollars = (description: string) => described(v.number(), description);
const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const QuoteSchema = v.strictObject({
  plan: described(v.picklist(PLANS), "The plan's identifier."),
  title: described(v.string(), "The plan's name, such as Professional."),
  included_tasks: count("Tasks a month in the base price."),
  base_price: dollars("USD per month, before tax."),
  overage_tasks: count("Tasks a month above the included ones."),
  overage_price: dollars("USD per month for the tasks above the included ones."),
  monthly_price: dollars("USD per month: base price and extra tasks."),
  price_read_on: described(
    isoDate,
    "When the base price was last read; for a derived one, the annual price.",
  ),
  price_basis: described(
    v.picklist(PRICE_BASES),
    "read: a public page gave the figure; derived: from the annual figure.",
  ),
});

const ResultSchema = v.strictObject({
  monthly_tasks: count("Tasks a month of all automations together."),
  automations: described(
    v.array(
      v.strictObject({
        name: described(v.string(), "The given name, or one such as Automation 1."),
        action_steps: count("Action steps per run, as given."),
        runs_per_month: count("Runs a month, as given."),
        monthly_tasks: count("Tasks a month: action steps times runs."),
      }),
    ),
    "One per automation of the input, in order.",
  ),
  cheapest: described(
    v.nullable(QuoteSchema),
    "The cheapest plan, extra tasks included; null when no listed plan is enough.",
  ),
  smallest_covering: described(
    v.nullable(QuoteSchema),
    "The plan with the fewest included tasks that includes them all, of several the cheapest; null when none does.",
  ),
  options: described(
    v.array(QuoteSchema),
    "Every plan and tier that can carry the tasks, cheapest first; at the same price, the one that includes more tasks.",
  ),
  price_doubt: described(
    v.nullable(v.string()),
    "Why the price of the cheapest plan should be checked at Zapier before it decides anything: it was read long ago, or sources disagree; null where nothing is known against it.",
  ),
  billing: described(v.picklist(BILLING), "The billing for which the prices hold, as given."),
  team: described(v.boolean(), "True when only the Team plan counts, as given."),
  currency: described(v.literal("USD"), "Of all prices."),
  prices_as_of: described(isoDate, "The day for which the price list is stated."),
  notes: described(v.array(v.string()), "The assumptions behind the answer, in sentences."),
  warnings: warningsOf<WarningCode<"automation_cost_calculator">>(),
});

/** The result of `automationCost()`. Prices are USD per month before tax, with two decimals. */
export interface AutomationCostResult extends v.InferOutput<typeof ResultSchema> {}
/** The tasks of one automation. */
export type AutomationTasks = AutomationCostResult["automations"][number];
/** The price of a plan for the tasks, in USD per month before tax. */
export interface Quote extends v.InferOutput<typeof QuoteSchema> {}

/** The contract of the Zapier cost calculator. */
export const automationCostContract = defineContract({
  name: "automation_cost_calculator",
  title: "Zapier cost calculator",
  description:
    "Finds the cheapest Zapier plan for a set of automations. Give each automation's action steps and runs per month; get the monthly tasks, the cheapest plan including extra tasks (pay-per-task), the smallest plan that covers the tasks outright, and every other plan that could carry them, with the date each price was read.",
  command: "automation-cost",
  function: "automationCost",
  input: automationCostInput,
  local_input: localAutomationCostInput,
  synonyms: SYNONYMS,
  output: ResultSchema as v.GenericSchema<AutomationCostResult>,
  example_input: {
    zaps: [
      { name: "New lead to CRM and chat", action_steps: 2, runs_per_month: 400 },
      { name: "Invoice to accounting", action_steps: 3, runs_per_month: 60 },
    ],
    billing: "annual",
  },
  prints: "a table of plans, cheapest first",
  sensitive: false,
});
