import type { PriceBook } from "../../schemas/price-book.ts";
import { plural } from "../text.ts";
import type { Comparison } from "./compare.ts";
import { money } from "./format.ts";
import { planLabel } from "./plan-label.ts";

/** What Free cannot do where it is the answer, or why it is not although the tasks would fit. */
export function freeNotes(
  tasks: number,
  { cheapest, eligible, offers }: Comparison,
  free: PriceBook["free"],
): string[] {
  const steps = plural(free.action_steps, "action step");
  if (cheapest?.tier.plan === "free") {
    const paid = offers.find(({ tier }) => tier.plan !== "free");
    const limits = `Free allows a trigger and ${steps} in a Zap, where a Filter or Formatter is a step too; it has no premium apps and no webhooks.`;
    if (!paid) return [limits];
    const label = planLabel(paid.tier.plan, paid.tier.includedTasks);
    return [
      limits,
      `If yours need more, the cheapest is ${label} at ${money(paid.totalCents / 100)} a month.`,
    ];
  }
  const ruledOut = !eligible.some(({ plan }) => plan === "free");
  return ruledOut && tasks <= free.tasks
    ? [`Free would include these tasks, but allows only ${steps} in a Zap.`]
    : [];
}
