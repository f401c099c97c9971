import * as v from "valibot";
import {
  type AutomationCostInput,
  type AutomationCostResult,
  automationCostContract,
  automationCostInput,
  extendedAutomationCostInput,
  type Quote,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import { isoDate, PriceBookSchema } from "../../schemas/price-book.ts";
import { formatWarnings, type RawResult } from "../findings.ts";
import { toToolError, validate } from "../issues.ts";
import { formatNumber, hasMoreBytes } from "../text.ts";
import { type CallOptions, optionsSchema, type RunOptions, type Tool } from "../tool.ts";
import { comparePlans, type TierQuote } from "./compare-plans.ts";
import { explainPriceDoubt, listNotes } from "./cost-notes.ts";
import { priceBook as builtInBook } from "./price-book.ts";

/**
 * Finds the cheapest Zapier plan for a list of Zaps, and every other plan that is large enough.
 *
 * @param input up to 25 Zaps, the billing (`annual` by default) and whether a team shares them.
 * @param options `priceBook`: prices to use instead of the built-in list. `today`: the day, in ISO 8601,
 * from which the age of a price counts; without it, no age is stated. `limits: "extended"` allows 1,000
 * Zaps.
 * @returns tasks a month, and quotes in USD per month before tax.
 * @throws {InvalidInputError} if the input or the options break their schema.
 *
 * @example
 * const { cheapest } = calculateAutomationCost({ zaps: [{ action_steps: 2, runs_per_month: 400 }] });
 * // cheapest?.title is "Professional", cheapest?.monthly_price is 21.66
 */
export function calculateAutomationCost(
  input: AutomationCostInput,
  options: AutomationCostOptions = {},
): AutomationCostResult {
  const { limits, ...others } = validate(CostOptionsSchema, options, ["options"]);
  const schema = limits === "extended" ? extendedAutomationCostInput : automationCostInput;
  return formatWarnings(runCalculator(validate(schema, input), others));
}

const CostOptionsSchema = optionsSchema({
  priceBook: v.optional(PriceBookSchema),
  today: v.optional(isoDate),
});

/** Options of `calculateAutomationCost()`. */
export interface AutomationCostOptions
  extends Pick<CallOptions, "limits" | "resultBytes" | "priceBook" | "today"> {}

export const automationCostTool = {
  contract: automationCostContract,
  options: CostOptionsSchema,
  run: runCalculator,
} satisfies Tool<typeof automationCostContract>;

function runCalculator(
  input: ValidAutomationCostInput,
  { priceBook: book = builtInBook, today, resultBytes = Infinity }: RunOptions = {},
): RawResult<AutomationCostResult> {
  const automations = input.zaps.map(({ name, ...zap }, index) => ({
    name: name?.trim() ? name : `Zap ${index + 1}`,
    ...zap,
    monthly_tasks: zap.action_steps * zap.runs_per_month,
  }));
  const monthlyTasks = automations.reduce((sum, { monthly_tasks }) => sum + monthly_tasks, 0);
  const comparison = comparePlans(input, monthlyTasks, book);
  const { cheapest, smallestCovering, quotes } = comparison;
  const result = {
    monthly_tasks: monthlyTasks,
    automations,
    cheapest: cheapest ? toQuote(cheapest) : null,
    smallest_covering: smallestCovering ? toQuote(smallestCovering) : null,
    options: quotes.map(toQuote),
    price_doubt: cheapest ? explainPriceDoubt(cheapest, today) : null,
    billing: input.billing,
    team: input.team,
    currency: book.currency,
    prices_as_of: book.as_of,
    notes: listNotes(comparison),
    // Only reading a table or an export produces warnings.
    warnings: [],
  };
  // Most results are surely small enough, and counting bytes is slow. A character of a name becomes
  // at most 6 bytes, and the rest of an automation has at most 200.
  const namesLength = automations.reduce((sum, { name }) => sum + name.length, 0);
  const mayExceed = 100_000 + 6 * namesLength + 200 * automations.length > resultBytes;
  if (mayExceed && hasMoreBytes(JSON.stringify(result), resultBytes)) {
    const maxBytes = formatNumber(resultBytes);
    throw toToolError(`must be fewer: the result would exceed ${maxBytes} bytes`, "zaps");
  }
  return result;
}

const toQuote = ({ tier, ...quote }: TierQuote): Quote => quote;
