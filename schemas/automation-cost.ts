import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { warningsOf } from "./common.ts";
import { defineContract } from "./contract.ts";
import type { AutomationCostResult } from "./generated/automation-cost.ts";
import {
  automationCostInput,
  BILLING,
  localAutomationCostInput,
  PLANS,
  SYNONYMS,
} from "./inputs/automation-cost.ts";
import { isoDate, PRICE_BASES } from "./price-book.ts";

export type * from "./generated/automation-cost.ts";
export { BILLING, PLANS, type ValidAutomationCostInput } from "./inputs/automation-cost.ts";

const dollars = (description: string) => v.pipe(v.number(), v.description(description));
const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const QuoteSchema = v.strictObject({
  plan: v.pipe(v.picklist(PLANS), v.description("The plan's identifier.")),
  title: v.pipe(v.string(), v.description("The plan's name, such as Professional.")),
  included_tasks: count("Tasks a month in the base price."),
  base_price: dollars("USD per month, before tax."),
  overage_tasks: count("Tasks a month above the included ones."),
  overage_price: dollars("USD per month for the tasks above the included ones."),
  monthly_price: dollars("USD per month: base price and extra tasks."),
  price_read_on: v.pipe(
    isoDate,
    v.description("When the base price was last read; for a derived one, the annual price."),
  ),
  price_basis: v.pipe(
    v.picklist(PRICE_BASES),
    v.description("read: a public page gave the figure; derived: from the annual figure."),
  ),
  price_is_old: v.pipe(
    v.boolean(),
    v.description("Read more than 180 days before the newest price of the list."),
  ),
});

const BreakpointSchema = v.strictObject({
  tasks: count("Tasks a month from which this plan is the cheapest."),
  plan: v.pipe(
    v.nullable(v.picklist(PLANS)),
    v.description("The plan's identifier; null where no listed plan carries the tasks."),
  ),
  title: v.pipe(v.nullable(v.string()), v.description("The plan's name, such as Professional.")),
  included_tasks: v.pipe(v.nullable(count("")), v.description("Tasks a month in the base price.")),
  monthly_price: v.pipe(
    v.nullable(v.number()),
    v.description("USD per month at that number of tasks, extra tasks included."),
  ),
});

const ResultSchema: v.GenericSchema<AutomationCostResult> = v.strictObject({
  monthly_tasks: count("Tasks a month of all automations together."),
  automations: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.description("The given name, or one such as Automation 1.")),
        action_steps: count("Action steps per run, as given."),
        runs_per_month: count("Runs a month, as given."),
        monthly_tasks: count("Tasks a month: action steps times runs."),
      }),
    ),
    v.description("One per automation of the input, in order."),
  ),
  cheapest: v.pipe(
    v.nullable(QuoteSchema),
    v.description("The cheapest plan, extra tasks included; null when no listed plan is enough."),
  ),
  smallest_covering: v.pipe(
    v.nullable(QuoteSchema),
    v.description(
      "The plan with the fewest included tasks that includes them all, of several the cheapest; null when none does.",
    ),
  ),
  options: v.pipe(
    v.array(QuoteSchema),
    v.description(
      "Every plan and tier that can carry the tasks, cheapest first; at the same price, the one that includes more tasks.",
    ),
  ),
  breakpoints: v.optional(
    v.pipe(
      v.array(BreakpointSchema),
      v.description(
        "The numbers of tasks from which another plan is the cheapest; only where they were asked for.",
      ),
    ),
  ),
  billing: v.pipe(
    v.picklist(BILLING),
    v.description("The billing for which the prices hold, as given."),
  ),
  team: v.pipe(v.boolean(), v.description("True when only the Team plan counts, as given.")),
  currency: v.pipe(v.literal("USD"), v.description("Of all prices.")),
  prices_as_of: v.pipe(isoDate, v.description("The day for which the price list is stated.")),
  notes: v.pipe(
    v.array(v.string()),
    v.description("The assumptions behind the answer, in sentences."),
  ),
  warnings: warningsOf<WarningCode<"automation_cost_calculator">>(),
});

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
  output: ResultSchema,
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
