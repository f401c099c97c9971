import { PLANS, type ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { type Offer, offerOf } from "./offer.ts";
import { eligibleTiers, type Tier } from "./tiers.ts";

export interface Comparison {
  /** The tiers that can hold the automations, whether or not they can carry the tasks. */
  readonly eligible: readonly Tier[];
  /** Every tier that can carry the tasks, cheapest first. */
  readonly offers: readonly Offer[];
  readonly cheapest: Offer | undefined;
  readonly smallestCovering: Offer | undefined;
}

/** Prices a number of tasks a month on every plan and tier; none is left out beforehand. */
export function compare(
  input: ValidAutomationCostInput,
  monthlyTasks: number,
  book: PriceBook,
): Comparison {
  const percent = book.pay_per_task.percent[input.billing];
  const eligible = eligibleTiers(input, book);
  const offers = eligible
    .filter(({ maxTasks }) => monthlyTasks <= maxTasks)
    .map((tier) => offerOf(tier, monthlyTasks, percent))
    .sort(byPrice);
  const covering = offers.filter(({ overageTasks }) => overageTasks === 0).sort(bySize);
  return { eligible, offers, cheapest: offers[0], smallestCovering: covering[0] };
}

/**
 * At the same price in cents the tier that includes more tasks comes first, so one that covers
 * them outright comes before one that needs overage.
 */
const byPrice = (a: Offer, b: Offer): number =>
  a.totalCents - b.totalCents || b.tier.includedTasks - a.tier.includedTasks || byPlan(a, b);

/** Fewest included tasks; of several the cheapest. */
const bySize = (a: Offer, b: Offer): number =>
  a.tier.includedTasks - b.tier.includedTasks || a.totalCents - b.totalCents || byPlan(a, b);

const byPlan = (a: Offer, b: Offer): number =>
  PLANS.indexOf(a.tier.plan) - PLANS.indexOf(b.tier.plan);
