import type { Quote } from "../../schemas/automation-cost.ts";
import { PLANS, type ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { Price, PriceBook } from "../../schemas/price-book.ts";

/** The plans' names as Zapier writes them. */
export const PLAN_TITLES: Readonly<Record<Quote["plan"], string>> = {
  free: "Free",
  professional: "Professional",
  team: "Team",
};

/** Prices a number of tasks a month on every tier of every plan. */
export function comparePlans(
  input: ValidAutomationCostInput,
  monthlyTasks: number,
  book: PriceBook,
): Comparison {
  const percent = book.pay_per_task.percent[input.billing];
  const eligible = eligibleTiers(input, book);
  const offers = eligible
    .filter(({ maxTasks }) => monthlyTasks <= maxTasks)
    .map((tier) => priceTier(tier, monthlyTasks, percent))
    .sort(byPrice);
  const covering = offers.filter(({ overageTasks }) => overageTasks === 0).sort(bySize);
  return { eligible, offers, cheapest: offers[0], smallestCovering: covering[0] };
}

export interface Comparison {
  /** The tiers that allow the automations, for any number of tasks. */
  readonly eligible: readonly Tier[];
  readonly offers: readonly Offer[];
  readonly cheapest: Offer | undefined;
  readonly smallestCovering: Offer | undefined;
}

/** A tier that carries a number of tasks, and what that costs. */
export interface Offer {
  readonly tier: Tier;
  readonly overageTasks: number;
  readonly overageCents: number;
  readonly totalCents: number;
}

export interface Tier {
  readonly plan: Quote["plan"];
  readonly includedTasks: number;
  /** Automations stop at this number, pay-per-task included. */
  readonly maxTasks: number;
  readonly price: Price;
}

/** The tiers that allow these automations, for any number of tasks. */
export function eligibleTiers(input: ValidAutomationCostInput, book: PriceBook): Tier[] {
  if (input.team) return paidTiers("team", input, book);
  return [
    ...(fitsFree(input, book) ? [freeTier(book)] : []),
    ...paidTiers("professional", input, book),
    ...paidTiers("team", input, book),
  ];
}

/** Free switches off a Zap with too many action steps, even one that never runs. */
const fitsFree = ({ zaps }: ValidAutomationCostInput, { free }: PriceBook): boolean =>
  zaps.every(({ action_steps }) => action_steps <= free.action_steps);

/** Free has no pay-per-task. */
const freeTier = ({ free }: PriceBook): Tier => ({
  plan: "free",
  includedTasks: free.tasks,
  maxTasks: free.tasks,
  price: { cents: 0, basis: "read", read_on: free.read_on },
});

const paidTiers = (
  plan: "professional" | "team",
  { billing }: ValidAutomationCostInput,
  book: PriceBook,
): Tier[] =>
  book[plan].map((tier) => ({
    plan,
    includedTasks: tier.tasks,
    maxTasks: tier.tasks * book.pay_per_task.stops_at,
    price: tier[billing],
  }));

/**
 * The cost of a number of tasks a month on a tier that can carry them.
 *
 * @param overagePercent the price of a task above the included ones, in percent of an included one.
 */
export function priceTier(tier: Tier, tasks: number, overagePercent: number): Offer {
  const overageTasks = Math.max(0, tasks - tier.includedTasks);
  const overageCents = overageTasks === 0 ? 0 : overagePrice(tier, overageTasks, overagePercent);
  return { tier, overageTasks, overageCents, totalCents: tier.price.cents + overageCents };
}

/**
 * Price / included tasks x percent x tasks, exact until it is rounded half up to a cent.
 * With a custom price book the product can exceed 2^53, hence bigint.
 */
function overagePrice({ price, includedTasks }: Tier, tasks: number, percent: number): number {
  const numerator = BigInt(price.cents) * BigInt(percent) * BigInt(tasks);
  const denominator = 100n * BigInt(includedTasks);
  return Number((2n * numerator + denominator) / (2n * denominator));
}

/**
 * At the same price the tier that includes more tasks comes first, so that one without overage
 * comes before one with overage.
 */
export const byPrice = (a: Offer, b: Offer): number =>
  a.totalCents - b.totalCents || b.tier.includedTasks - a.tier.includedTasks || byPlan(a, b);

/** Fewest included tasks first, then the cheapest. */
const bySize = (a: Offer, b: Offer): number =>
  a.tier.includedTasks - b.tier.includedTasks || a.totalCents - b.totalCents || byPlan(a, b);

const byPlan = (a: Offer, b: Offer): number =>
  PLANS.indexOf(a.tier.plan) - PLANS.indexOf(b.tier.plan);
