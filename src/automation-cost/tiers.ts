import type { Quote, ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { Price, PriceBook } from "../../schemas/price-book.ts";

/** One tier of a plan, at its price in the chosen billing. */
export interface Tier {
  readonly plan: Quote["plan"];
  readonly includedTasks: number;
  /** Automations stop here, pay-per-task included. */
  readonly maxTasks: number;
  readonly price: Price;
}

/** The tiers that can hold these automations, whatever the number of their tasks. */
export function eligibleTiers(input: ValidAutomationCostInput, book: PriceBook): Tier[] {
  if (input.team) return paidTiers("team", input, book);
  return [
    ...(fitsFree(input, book) ? [freeTier(book)] : []),
    ...paidTiers("professional", input, book),
    ...paidTiers("team", input, book),
  ];
}

/** Free switches off a Zap with more action steps, even one that never runs. */
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
