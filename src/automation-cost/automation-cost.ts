import * as v from "valibot";
import {
  type AutomationCostInput,
  type AutomationCostResult,
  automationCostContract,
  type Quote,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import type { WarningCode } from "../../schemas/codes.ts";
import {
  automationCostInput,
  localAutomationCostInput,
} from "../../schemas/inputs/automation-cost.ts";
import { type PriceBook, PriceBookSchema } from "../../schemas/price-book.ts";
import { Diagnostics, rejection } from "../issues.ts";
import { jsonBytes, thousands } from "../text.ts";
import { optionsSchema, type RunOptions, type Tool, type ToolOptions } from "../tool.ts";
import { validate } from "../validate.ts";
import { findBreakpoints } from "./breakpoints.ts";
import { notes } from "./notes.ts";
import { comparePlans, type Offer } from "./plans.ts";
import { priceBook as builtInBook, freshSince } from "./price-book.ts";
import { PLAN_TITLES, plainLine, renderAutomationCost } from "./render.ts";

/**
 * Finds the cheapest Zapier plan for a set of automations, and every other plan that fits.
 *
 * @param input the automations, the billing (`annual` unless given) and whether a team shares them.
 * @param options `priceBook`: prices to use instead of the built-in list. `limits: "local"` allows 1,000
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

const OptionsSchema = optionsSchema({ priceBook: v.optional(PriceBookSchema) });

/** Options of `automationCost()`. */
export interface AutomationCostOptions extends ToolOptions {
  /** Prices to use instead of the built-in list. */
  readonly priceBook?: PriceBook | undefined;
}

export const automationCostTool = {
  contract: automationCostContract,
  options: OptionsSchema,
  run,
  render: renderAutomationCost,
} satisfies Tool<typeof automationCostContract>;

interface CostRunOptions extends RunOptions {
  /** Adds the break points to the result. */
  readonly breakpoints?: boolean | undefined;
}

/** @throws {InvalidInputError} for a result that is too large. */
function run(
  input: ValidAutomationCostInput,
  { priceBook = builtInBook, breakpoints, resultBytes = Infinity }: CostRunOptions = {},
): AutomationCostResult {
  const result = {
    ...calculate(input, priceBook),
    ...(breakpoints && { breakpoints: findBreakpoints(input, priceBook) }),
  };
  if (resultBytes !== Infinity && jsonBytes(result) > resultBytes) {
    const message = `makes a result of more than ${thousands(resultBytes)} bytes; give fewer automations`;
    throw rejection(message, "zaps");
  }
  return result;
}

function calculate(input: ValidAutomationCostInput, book: PriceBook): AutomationCostResult {
  const automations = toAutomations(input.zaps);
  const monthlyTasks = automations.reduce((sum, { monthly_tasks }) => sum + monthly_tasks, 0);
  const comparison = comparePlans(input, monthlyTasks, book);
  const { cheapest, smallestCovering, offers } = comparison;
  const since = freshSince(book);
  const toQuote = (offer: Offer) => writeQuote(offer, since);
  const options = offers.map(toQuote);
  return {
    monthly_tasks: monthlyTasks,
    automations,
    cheapest: cheapest ? toQuote(cheapest) : null,
    smallest_covering: smallestCovering ? toQuote(smallestCovering) : null,
    options,
    billing: input.billing,
    team: input.team,
    currency: book.currency,
    prices_as_of: book.as_of,
    notes: notes(input, monthlyTasks, comparison, options, book),
    warnings: idleWarnings(input, monthlyTasks, book),
  };
}

/** The monthly tasks of each automation: every action step of every run is one task. */
const toAutomations = (zaps: readonly Zap[]): Automation[] =>
  zaps.map(({ name, action_steps, runs_per_month }, index) => ({
    name: name && plainLine(name) ? name : `Automation ${index + 1}`,
    action_steps,
    runs_per_month,
    monthly_tasks: action_steps * runs_per_month,
  }));

type Zap = ValidAutomationCostInput["zaps"][number];
type Automation = AutomationCostResult["automations"][number];

/** An offer as the result shows it, in dollars. */
const writeQuote = ({ tier, ...offer }: Offer, since: string): Quote => ({
  plan: tier.plan,
  title: PLAN_TITLES[tier.plan],
  included_tasks: tier.includedTasks,
  base_price: tier.price.cents / 100,
  overage_tasks: offer.overageTasks,
  overage_price: offer.overageCents / 100,
  monthly_price: offer.totalCents / 100,
  price_read_on: tier.price.read_on,
  price_basis: tier.price.basis,
  price_is_old: tier.price.read_on < since,
});

/** Warns of automations that never run, but alone rule Free out: they have too many steps for it. */
function idleWarnings(
  { zaps, team }: ValidAutomationCostInput,
  monthlyTasks: number,
  { free }: PriceBook,
): AutomationCostResult["warnings"] {
  const isTooLong = ({ action_steps }: Zap) => action_steps > free.action_steps;
  const isRuledOut = zaps.some((zap) => zap.runs_per_month > 0 && isTooLong(zap));
  if (team || monthlyTasks > free.tasks || isRuledOut) return [];
  const diagnostics = Diagnostics.start<WarningCode<"automation_cost_calculator">>();
  for (const [index, zap] of zaps.entries()) {
    if (!isTooLong(zap)) continue;
    const message = `never runs, but its ${zap.action_steps} action steps rule the Free plan out; leave it out if it is switched off`;
    diagnostics.at("zaps", index).info("idle-zap-rules-out-free", message);
  }
  return [...diagnostics.warnings];
}
