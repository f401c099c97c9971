import type { ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { plural, thousands } from "../text.ts";
import type { Comparison, Offer, Tier } from "./plans.ts";
import { money, planLabel } from "./text.ts";

/** The assumptions and limits that apply to the result, in sentences. */
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

/** The limits of Free where it is the cheapest, or why it is not, although the tasks would fit. */
function freeNotes(
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

function limitNotes(tasks: number, { eligible, cheapest, smallestCovering }: Comparison): string[] {
  if (smallestCovering) return [];
  const included = Math.max(...eligible.map(({ includedTasks }) => includedTasks));
  const most = Math.max(...eligible.map(({ maxTasks }) => maxTasks));
  return [
    cheapest
      ? `No listed plan includes ${thousands(tasks)} tasks outright, the largest includes ${thousands(included)}; Enterprise is priced on request.`
      : `No listed plan carries ${thousands(tasks)} tasks a month, the largest stops at ${thousands(most)}; Enterprise is priced on request.`,
  ];
}

function overageNotes({ tier, overageTasks }: Offer, percent: number): string[] {
  if (overageTasks === 0) return [];
  return [
    `Tasks above the included ones cost ${percent / 100} times the plan's price per task and are billed at the end of each month; pay-per-task must be switched on, and Zaps stop at ${thousands(tier.maxTasks)} tasks.`,
  ];
}

function yearlyNotes({ tier, overageTasks }: Offer): string[] {
  if (tier.price.cents === 0) return [];
  const year = money((12 * tier.price.cents) / 100);
  const label = planLabel(tier.plan, tier.includedTasks);
  const without = overageTasks > 0 ? ", overage not included" : "";
  return [`Annual billing is paid up front: ${year} a year for ${label}${without}.`];
}

/** The days on which the prices were read, and those on which sources disagree. */
function priceNotes({ cheapest, smallestCovering }: Comparison, asOf: string): string[] {
  if (!cheapest) return [];
  const tiers = [...new Set([cheapest.tier, (smallestCovering ?? cheapest).tier])];
  const readings = tiers.filter(({ plan }) => plan !== "free").map(reading);
  return [
    `Prices are list prices in USD before tax, stated for ${asOf}${readings.length > 0 ? `: ${readings.join(", ")}` : ""}.`,
    ...tiers.filter(({ price }) => price.grade === "X").map(dispute),
  ];
}

const reading = ({ plan, includedTasks, price }: Tier): string =>
  price.basis === "derived"
    ? `${planLabel(plan, includedTasks)} is derived from its annual price, last read on ${price.read_on}`
    : `${planLabel(plan, includedTasks)} was last read on ${price.read_on}`;

const dispute = ({ plan, includedTasks }: Tier): string =>
  `Sources disagree on the price of ${planLabel(plan, includedTasks)}; check it at zapier.com/pricing.`;

const COUNT_NOTES = [
  "Every action step counts as one task on every run; steps that fail, are skipped or are filtered out are not billed.",
  "AI by Zapier, MCP calls, Lead Router, loops and long Code steps use more tasks than are counted here.",
];
