import type { Tier } from "./tiers.ts";

/** A tier that carries a number of tasks, and what that costs. */
export interface Offer {
  readonly tier: Tier;
  readonly overageTasks: number;
  readonly overageCents: number;
  readonly totalCents: number;
}

/**
 * What a number of tasks a month costs on a tier that can carry them.
 *
 * @param overagePercent the price of a task above the included ones, in percent of an included one.
 */
export function offerOf(tier: Tier, tasks: number, overagePercent: number): Offer {
  const overageTasks = Math.max(0, tasks - tier.includedTasks);
  const overageCents = overageTasks === 0 ? 0 : overagePrice(tier, overageTasks, overagePercent);
  return { tier, overageTasks, overageCents, totalCents: tier.price.cents + overageCents };
}

/**
 * Price / included tasks x percent x tasks above, exact until it is rounded half up to a cent.
 * With a price book of one's own the product can exceed 2^53.
 */
function overagePrice({ price, includedTasks }: Tier, tasks: number, percent: number): number {
  const numerator = BigInt(price.cents) * BigInt(percent) * BigInt(tasks);
  const denominator = 100n * BigInt(includedTasks);
  return Number((2n * numerator + denominator) / (2n * denominator));
}
