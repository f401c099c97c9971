import type { Quote } from "../../schemas/automation-cost.ts";
import type { Offer } from "./offer.ts";
import { PLAN_TITLES } from "./plan-label.ts";

/** An offer as the result shows it, in dollars. */
export const quote = ({ tier, ...offer }: Offer): Quote => ({
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
