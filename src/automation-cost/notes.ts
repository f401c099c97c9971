import type { ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import type { Comparison } from "./compare.ts";
import { count, money } from "./format.ts";
import { freeNotes } from "./free-notes.ts";
import type { Offer } from "./offer.ts";
import { planLabel } from "./plan-label.ts";
import { priceNotes } from "./price-notes.ts";

/** What the answer rests on, in plain sentences, and only what applies to it. */
export function notes(
  { billing, team }: ValidAutomationCostInput,
  monthlyTasks: number,
  comparison: Comparison,
  book: PriceBook,
): string[] {
  const { cheapest } = comparison;
  return [
    ...(team ? [] : freeNotes(monthlyTasks, comparison, book.free)),
    ...limitNotes(monthlyTasks, comparison),
    ...(cheapest ? overageNotes(cheapest, book.pay_per_task.percent[billing]) : []),
    ...(cheapest && billing === "annual" ? yearlyNotes(cheapest) : []),
    ...priceNotes(comparison, book.as_of),
    ...(monthlyTasks > 0 ? COUNT_NOTES : []),
  ];
}

const COUNT_NOTES = [
  "Every action step counts as one task on every run; steps that fail, are skipped or are filtered out are not billed.",
  "AI by Zapier, MCP calls, Lead Router, loops and long Code steps use more tasks than are counted here.",
];

function limitNotes(tasks: number, { eligible, cheapest, smallestCovering }: Comparison): string[] {
  if (smallestCovering) return [];
  const included = Math.max(...eligible.map(({ includedTasks }) => includedTasks));
  const most = Math.max(...eligible.map(({ maxTasks }) => maxTasks));
  return [
    cheapest
      ? `No listed plan includes ${count(tasks)} tasks outright, the largest includes ${count(included)}; Enterprise is priced on request.`
      : `No listed plan carries ${count(tasks)} tasks a month, the largest stops at ${count(most)}; Enterprise is priced on request.`,
  ];
}

function overageNotes({ tier, overageTasks }: Offer, percent: number): string[] {
  if (overageTasks === 0) return [];
  return [
    `Tasks above the included ones cost ${percent / 100} times the plan's price per task and are billed at the end of each month; pay-per-task must be switched on, and Zaps stop at ${count(tier.maxTasks)} tasks.`,
  ];
}

function yearlyNotes({ tier, overageTasks }: Offer): string[] {
  if (tier.price.cents === 0) return [];
  const year = money((12 * tier.price.cents) / 100);
  const label = planLabel(tier.plan, tier.includedTasks);
  const without = overageTasks > 0 ? ", overage not included" : "";
  return [`Annual billing is paid up front: ${year} a year for ${label}${without}.`];
}
