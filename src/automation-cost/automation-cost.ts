import * as v from "valibot";
import {
  type AutomationCostInput,
  type AutomationCostResult,
  automationCostContract,
  automationCostInput,
  localAutomationCostInput,
  type Quote,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import { isoDate, type PriceBook, PriceBookSchema } from "../../schemas/price-book.ts";
import { Findings } from "../findings.ts";
import { validate } from "../issues.ts";
import { jsonBytes } from "../text.ts";
import { optionsSchema, type RunOptions, type Tool, type ToolOptions } from "../tool.ts";
import { type CostFindings, costFindings } from "./findings.ts";
import { notes, priceDoubt } from "./notes.ts";
import { comparePlans, type Offer, PLAN_TITLES } from "./plans.ts";
import { priceBook as builtInBook } from "./price-book.ts";
import { plainLine, renderAutomationCost } from "./render.ts";

/**
 * Finds the cheapest Zapier plan for a set of automations, and every other plan that fits.
 *
 * @param input the automations, the billing (`annual` unless given) and whether a team shares them.
 * @param options `priceBook`: prices to use instead of the built-in list. `today`: the day, in ISO 8601,
 * from which the age of a price counts; without it, no age is stated. `limits: "local"` allows 1,000
 * automations.
 * @returns tasks a month, and quotes in USD per month before tax.
 * @throws {InvalidInputError} for an input or options that break their schema.
 *
 * @example
 * const { cheapest } = automationCost({ zaps: [{ action_steps: 2, runs_per_month: 400 }] });
 * // cheapest?.title is "Professional", cheapest?.monthly_price is 21.66
 */
export function automationCost(
  input: AutomationCostInput,
  options: AutomationCostOptions = {},
): AutomationCostResult {
  const { limits, ...others } = validate(OptionsSchema, options, ["options"]);
  const schema = limits === "local" ? localAutomationCostInput : automationCostInput;
  return run(validate(schema, input), others);
}

const OptionsSchema = optionsSchema({
  priceBook: v.optional(PriceBookSchema),
  today: v.optional(isoDate),
});

/** Options of `automationCost()`. */
export interface AutomationCostOptions extends ToolOptions {
  /** Prices to use instead of the built-in list. */
  readonly priceBook?: PriceBook | undefined;
  /** The day from which the age of a price counts, such as 2026-11-27. */
  readonly today?: string | undefined;
}

export const automationCostTool = {
  contract: automationCostContract,
  options: OptionsSchema,
  run,
  render: renderAutomationCost,
} satisfies Tool<typeof automationCostContract>;

/** @throws {InvalidInputError} for a result that is too large. */
function run(
  input: ValidAutomationCostInput,
  { priceBook: book = builtInBook, today, resultBytes = Infinity }: RunOptions = {},
): AutomationCostResult {
  const findings: CostFindings = new Findings(costFindings);
  const automations = toAutomations(input.zaps);
  const monthlyTasks = automations.reduce((sum, { monthly_tasks }) => sum + monthly_tasks, 0);
  const comparison = comparePlans(input, monthlyTasks, book);
  const { cheapest, smallestCovering, offers } = comparison;
  const options = offers.map(toQuote);
  addIdleZaps(input, monthlyTasks, book, findings);
  const result = {
    monthly_tasks: monthlyTasks,
    automations,
    cheapest: cheapest ? toQuote(cheapest) : null,
    smallest_covering: smallestCovering ? toQuote(smallestCovering) : null,
    options,
    price_doubt: cheapest ? priceDoubt(cheapest.tier, today) : null,
    billing: input.billing,
    team: input.team,
    currency: book.currency,
    prices_as_of: book.as_of,
    notes: notes(input, automations, monthlyTasks, comparison, options, book),
    warnings: findings.warnings,
  };
  if (resultBytes !== Infinity && jsonBytes(result) > resultBytes) {
    findings.at("zaps").fail("result-too-large", { bytes: resultBytes });
  }
  return result;
}

/** The monthly tasks of each automation: every action step of every run is one task. */
const toAutomations = (zaps: readonly Zap[]): AutomationCostResult["automations"] =>
  zaps.map(({ name, action_steps, runs_per_month }, index) => ({
    name: name && plainLine(name) ? name : `Automation ${index + 1}`,
    action_steps,
    runs_per_month,
    monthly_tasks: action_steps * runs_per_month,
  }));

type Zap = ValidAutomationCostInput["zaps"][number];

/** An offer as the result shows it, in dollars. */
const toQuote = ({ tier, ...offer }: Offer): Quote => ({
  plan: tier.plan,
  title: PLAN_TITLES[tier.plan],
  included_tasks: tier.includedTasks,
  base_price: tier.price.cents / 100,
  overage_tasks: offer.overageTasks,
  overage_price: offer.overageCents / 100,
  monthly_price: offer.totalCents / 100,
  price_read_on: tier.price.read_on,
  price_basis: tier.price.basis,
});

/** Names automations that never run, but alone rule Free out: they have too many steps for it. */
function addIdleZaps(
  { zaps, team }: ValidAutomationCostInput,
  monthlyTasks: number,
  { free }: PriceBook,
  findings: CostFindings,
): void {
  const isTooLong = ({ action_steps }: Zap) => action_steps > free.action_steps;
  const isRuledOut = zaps.some((zap) => zap.runs_per_month > 0 && isTooLong(zap));
  if (team || monthlyTasks > free.tasks || isRuledOut) return;
  for (const [index, zap] of zaps.entries()) {
    if (!isTooLong(zap)) continue;
    findings.at("zaps", index).add("idle-zap-rules-out-free", { steps: zap.action_steps });
  }
}
