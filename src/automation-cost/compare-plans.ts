import { PLANS, type Quote, type ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { Price, PriceBook } from "../../schemas/price-book.ts";

const PLAN_TITLES: Readonly<Record<Quote["plan"], string>> = {
  free: "Free",
  professional: "Professional",
  team: "Team",
};

/** Prices a number of tasks a month on every tier that is large enough, cheapest first. */
export function comparePlans(
  input: ValidAutomationCostInput,
  monthlyTasks: number,
  book: PriceBook,
) {
  const eligible = eligibleTiers(input, book);
  const percent = book.pay_per_task.percent[input.billing];
  const quotes = quoteTiers(eligible, monthlyTasks, percent).sort(byPrice);
  const covering = quotes.filter(({ overage_tasks }) => overage_tasks === 0).sort(bySize);
  const [cheapest, smallestCovering] = [quotes[0], covering[0]];
  return { input, monthlyTasks, book, eligible, quotes, cheapest, smallestCovering };
}

export type PlanComparison = ReturnType<typeof comparePlans>;

/** A quote with the tier of the price book behind it. */
export interface TierQuote extends Quote {
  readonly tier: Tier;
}

export interface Tier {
  readonly plan: Quote["plan"];
  readonly includedTasks: number;
  /** Zaps stop at this number, pay-per-task included. */
  readonly maxTasks: number;
  readonly price: Price;
}

/** Lists the tiers that allow these Zaps, for any number of tasks. */
export function eligibleTiers(
  { zaps, billing, team }: ValidAutomationCostInput,
  book: PriceBook,
): Tier[] {
  const { free, pay_per_task } = book;
  const paid = (["professional", "team"] as const).flatMap((plan) =>
    book[plan].map((tier) => ({
      plan,
      includedTasks: tier.tasks,
      maxTasks: tier.tasks * pay_per_task.stops_at,
      price: tier[billing],
    })),
  );
  if (team) return paid.filter(({ plan }) => plan === "team");
  // Free switches off Zaps with too many action steps, even if they never run.
  if (zaps.some(({ action_steps }) => action_steps > free.action_steps)) return paid;
  const price = { cents: 0, basis: "read", read_on: free.read_on } as const;
  // Free has no pay-per-task.
  return [{ plan: "free", includedTasks: free.tasks, maxTasks: free.tasks, price }, ...paid];
}

/** @param overagePercent the price of an extra task, in percent of an included one. */
const quoteTiers = (tiers: readonly Tier[], tasks: number, overagePercent: number): TierQuote[] =>
  tiers
    .filter(({ maxTasks }) => tasks <= maxTasks)
    .map((tier) => quoteTier(tier, tasks, overagePercent));

/** Finds the cheapest quote without sorting all of them. */
export const cheapestQuote = (tiers: readonly Tier[], tasks: number, overagePercent: number) =>
  quoteTiers(tiers, tasks, overagePercent).reduce<TierQuote | undefined>(
    (best, quote) => (best && byPrice(best, quote) < 0 ? best : quote),
    undefined,
  );

/** At the same price, more included tasks come first, so a tier without extra tasks wins. */
const byPrice = (a: Quote, b: Quote): number =>
  a.monthly_price - b.monthly_price || b.included_tasks - a.included_tasks || byPlan(a, b);

function quoteTier(tier: Tier, tasks: number, overagePercent: number): TierQuote {
  const overageTasks = Math.max(0, tasks - tier.includedTasks);
  const overageCents =
    overageTasks === 0 ? 0 : calculateOverage(tier, overageTasks, overagePercent);
  return {
    tier,
    plan: tier.plan,
    title: PLAN_TITLES[tier.plan],
    included_tasks: tier.includedTasks,
    base_price: tier.price.cents / 100,
    overage_tasks: overageTasks,
    overage_price: overageCents / 100,
    monthly_price: (tier.price.cents + overageCents) / 100,
    price_read_on: tier.price.read_on,
    price_basis: tier.price.basis,
  };
}

/**
 * Price / included tasks x percent x tasks in cents, rounded half up. A bigint, because the product
 * can exceed 2^53 with a custom price book.
 */
function calculateOverage({ price, includedTasks }: Tier, tasks: number, percent: number): number {
  const numerator = BigInt(price.cents) * BigInt(percent) * BigInt(tasks);
  const denominator = 100n * BigInt(includedTasks);
  return Number((2n * numerator + denominator) / (2n * denominator));
}

const bySize = (a: Quote, b: Quote): number =>
  a.included_tasks - b.included_tasks || a.monthly_price - b.monthly_price || byPlan(a, b);

const byPlan = (a: Quote, b: Quote): number => PLANS.indexOf(a.plan) - PLANS.indexOf(b.plan);
