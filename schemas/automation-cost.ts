import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { closedObject, described, integer, list, type ReadonlyLists, textUpTo } from "./common.ts";
import { defineContract, resultList, warningsSchema } from "./contract.ts";
import { isoDate, PRICE_BASES } from "./price-book.ts";

/** Paid by the year, up front, or by the month. */
export const BILLING = ["annual", "monthly"] as const;
/** From the smallest to the largest. */
export const PLANS = ["free", "professional", "team"] as const;

export const actionStepsSchema = integer(
  1,
  100,
  "Action steps per run. Triggers, Filter, Paths, Formatter and Delay steps are free.",
);
export const runsPerMonthSchema = integer(
  0,
  10_000_000,
  "Runs a month. For a rate, count the longest month: 15 a day is 465, with 31 days.",
);

const ZapSchema = closedObject({
  name: v.optional(described(textUpTo(200), "Identifies the Zap.")),
  action_steps: actionStepsSchema,
  runs_per_month: runsPerMonthSchema,
});

const costInputSchema = (maxZaps: number) =>
  closedObject({
    zaps: described(list(ZapSchema, { min: 1, max: maxZaps }), "The Zaps (automations)."),
    billing: v.optional(
      described(v.picklist(BILLING), "Paid by the year, up front, or by the month."),
      "annual",
    ),
    team: v.optional(
      described(v.boolean(), "Several people share Zaps, which needs the Team plan."),
      false,
    ),
  });

/** The input after validation, with its defaults filled in. */
export interface ValidAutomationCostInput
  extends v.InferOutput<ReturnType<typeof costInputSchema>> {}
/** The input of `calculateAutomationCost()`: Zaps, the billing and whether a team shares them. */
export interface AutomationCostInput
  extends ReadonlyLists<v.InferInput<ReturnType<typeof costInputSchema>>> {}
/** One Zap: `action_steps` per run, and `runs_per_month`. */
export type ZapInput = AutomationCostInput["zaps"][number];

export const automationCostInput: v.GenericSchema<AutomationCostInput, ValidAutomationCostInput> =
  costInputSchema(25);
/** The limit of the command line. */
export const MAX_EXTENDED_ZAPS = 1_000;
export const extendedAutomationCostInput: typeof automationCostInput =
  costInputSchema(MAX_EXTENDED_ZAPS);

const dollars = (description: string) => described(v.number(), description);
const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));

const quoteSchema = () =>
  v.strictObject({
    plan: described(v.picklist(PLANS), "The plan's identifier."),
    title: described(v.string(), "The plan's name, such as Professional."),
    included_tasks: count("Tasks a month in the base price."),
    base_price: dollars("USD per month, before tax."),
    overage_tasks: count("Tasks a month above the included ones."),
    overage_price: dollars("USD per month for the tasks above the included ones."),
    monthly_price: dollars("USD per month: base price and extra tasks."),
    price_read_on: described(
      isoDate,
      "When the base price was last read; for a derived price, when the annual price was read.",
    ),
    price_basis: described(
      v.picklist(PRICE_BASES),
      "read: from a public page; derived: from the annual price.",
    ),
  });

const costResultSchema = () =>
  v.strictObject({
    monthly_tasks: count("Tasks a month of all Zaps together."),
    automations: resultList("One per Zap of the input, in order.", {
      name: described(v.string(), "The given name, or one such as Zap 1."),
      action_steps: count("Action steps per run, as given."),
      runs_per_month: count("Runs a month, as given."),
      monthly_tasks: count("Tasks a month: action steps times runs."),
    }),
    cheapest: described(
      v.nullable(quoteSchema()),
      "The cheapest plan, extra tasks included; null if no listed plan is large enough.",
    ),
    smallest_covering: described(
      v.nullable(quoteSchema()),
      "The plan with the fewest included tasks that covers all tasks, the cheapest if there are several; null if no plan does.",
    ),
    options: described(
      v.array(quoteSchema()),
      "Every plan and tier that is large enough, cheapest first; at the same price, the one with more included tasks first.",
    ),
    price_doubt: described(
      v.nullable(v.string()),
      "Why to check the price of the cheapest plan at Zapier: it is old, or sources disagree. Null if there is no reason.",
    ),
    billing: described(v.picklist(BILLING), "The billing of the prices, as given."),
    team: described(v.boolean(), "Whether only the Team plan counts, as given."),
    currency: described(v.literal("USD"), "The currency of all prices."),
    prices_as_of: described(isoDate, "The date of the price list."),
    notes: described(v.array(v.string()), "The assumptions behind the result, in sentences."),
    warnings: warningsSchema<WarningCode<"automation_cost_calculator">>(),
  });

/** The result of `calculateAutomationCost()`. Prices are USD per month before tax, with two decimals. */
export interface AutomationCostResult extends v.InferOutput<ReturnType<typeof costResultSchema>> {}
/** One Zap of the result. */
export type AutomationTasks = AutomationCostResult["automations"][number];
/** The price of a plan, in USD per month before tax. */
export interface Quote extends v.InferOutput<ReturnType<typeof quoteSchema>> {}

/** The contract of the Zapier cost calculator. */
export const automationCostContract = /*#__PURE__*/ defineContract({
  name: "automation_cost_calculator",
  title: "Zapier cost calculator",
  description:
    "Finds the cheapest Zapier plan for your Zaps. Give each Zap's action steps and runs per month; get the monthly tasks, the cheapest plan including extra tasks (pay-per-task), the smallest plan that covers the tasks outright, and every other plan that could carry them, with the date each price was read.",
  command: "automation-cost",
  function: "calculateAutomationCost",
  input: automationCostInput,
  extended_input: extendedAutomationCostInput,
  output: /*#__PURE__*/ costResultSchema() as v.GenericSchema<AutomationCostResult>,
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
