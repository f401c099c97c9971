import type { Breakpoint, Quote, ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { plural, thousands } from "../text.ts";
import { nextBreakpoint } from "./breakpoints.ts";
import { type Comparison, comparePlans, type Offer, type Tier } from "./plans.ts";
import { freshSince } from "./price-book.ts";
import { money, planLabel } from "./render.ts";

/** The assumptions and limits that apply to the result, in sentences. */
export function notes(
  input: ValidAutomationCostInput,
  monthlyTasks: number,
  comparison: Comparison,
  quotes: readonly Quote[],
  book: PriceBook,
): string[] {
  const { billing, team } = input;
  const room = roomNote(quotes, monthlyTasks);
  const next = nextBreakpoint(monthlyTasks, input, book);
  const { cheapest } = comparison;
  return [
    ...(team ? [] : freeNotes(monthlyTasks, comparison, book.free)),
    ...limitNotes(monthlyTasks, comparison),
    ...(room === undefined ? [] : [room]),
    ...(quotes[0] && next ? [growthNote(quotes[0], next)] : []),
    ...(cheapest ? overageNotes(cheapest, book.pay_per_task.percent[billing]) : []),
    ...(cheapest ? billingNotes(cheapest, input, monthlyTasks, book) : []),
    ...(cheapest && billing === "annual" ? yearlyNotes(cheapest) : []),
    ...priceNotes(comparison, book),
    ...(monthlyTasks > 0 ? COUNT_NOTES : []),
  ];
}

/** Says what Free does not allow: as its limits where it is the cheapest, or as the reason why it is not. */
function freeNotes(
  tasks: number,
  { cheapest, eligible, offers }: Comparison,
  free: PriceBook["free"],
): string[] {
  const steps = `a trigger and ${plural(free.action_steps, "more step")}`;
  if (cheapest?.tier.plan === "free") {
    const paid = offers.find(({ tier }) => tier.plan !== "free");
    const limits = `Free allows ${steps} in a Zap, where a Filter or Formatter is a step too; it has no premium apps and no webhooks.`;
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

/** Offers a plan with room for more tasks, if it costs little more than the cheapest. */
export function roomNote(quotes: readonly Quote[], tasks: number): string | undefined {
  const [cheapest] = quotes;
  const roomy = quotes.find(
    ({ overage_tasks, included_tasks, monthly_price }) =>
      cheapest &&
      overage_tasks === 0 &&
      included_tasks > cheapest.included_tasks &&
      cents(monthly_price) <= maxRoomyCents(cents(cheapest.monthly_price)),
  );
  if (!cheapest || !roomy) return undefined;
  const more = money((cents(roomy.monthly_price) - cents(cheapest.monthly_price)) / 100);
  const bill = cheapest.overage_tasks > 0 ? " and no bill for extra tasks" : "";
  return `For ${more} a month more, ${planLabel(roomy.plan, roomy.included_tasks)} includes all of them, with ${plural(roomy.included_tasks - tasks, "task")} to spare${bill}.`;
}

const cents = (dollars: number): number => Math.round(100 * dollars);

/** The most that a plan with room may cost: a dollar or 5 % more than the cheapest. */
const maxRoomyCents = (least: number): number => least + Math.max(100, Math.floor(least / 20));

/** Says up to how many tasks the same plan stays the cheapest. */
export function growthNote({ plan, included_tasks }: Quote, next: Breakpoint): string {
  const stays = `${planLabel(plan, included_tasks)} stays the cheapest up to ${thousands(next.tasks - 1)} tasks a month`;
  return next.plan === null || next.included_tasks === null || next.monthly_price === null
    ? `${stays}; no listed plan carries more.`
    : `${stays}; from ${thousands(next.tasks)} it is ${planLabel(next.plan, next.included_tasks)} at ${money(next.monthly_price)}.`;
}

/** The cheapest plan in the other billing, and the saving by the year. */
function billingNotes(
  cheapest: Offer,
  input: ValidAutomationCostInput,
  tasks: number,
  book: PriceBook,
): string[] {
  const isAnnual = input.billing === "annual";
  const other = comparePlans(
    { ...input, billing: isAnnual ? "monthly" : "annual" },
    tasks,
    book,
  ).cheapest;
  const saving = ((isAnnual ? 12 : -12) * ((other?.totalCents ?? 0) - cheapest.totalCents)) / 100;
  if (!other || saving <= 0) return [];
  const label = planLabel(other.tier.plan, other.tier.includedTasks);
  const price = `Paid by the ${isAnnual ? "month" : "year"}, the cheapest is ${label} at ${money(other.totalCents / 100)} a month`;
  return [
    isAnnual
      ? `${price}: paying by the year saves ${money(saving)} a year.`
      : `${price}, which saves ${money(saving)} a year.`,
  ];
}

function overageNotes({ tier, overageTasks }: Offer, percent: number): string[] {
  if (overageTasks === 0) return [];
  return [
    `Extra tasks, above the included ones, cost ${percent / 100} times the plan's price per task and are billed at the end of each month; pay-per-task must be switched on, and Zaps stop at ${thousands(tier.maxTasks)} tasks.`,
  ];
}

function yearlyNotes({ tier, overageTasks }: Offer): string[] {
  if (tier.price.cents === 0) return [];
  const year = money((12 * tier.price.cents) / 100);
  const label = planLabel(tier.plan, tier.includedTasks);
  const without = overageTasks > 0 ? ", extra tasks not included" : "";
  return [`Annual billing is paid up front: ${year} a year for ${label}${without}.`];
}

/** Says on which days the prices were read, and which of them sources disagree about. */
function priceNotes({ cheapest, smallestCovering }: Comparison, book: PriceBook): string[] {
  if (!cheapest) return [];
  const tiers = [...new Set([cheapest.tier, (smallestCovering ?? cheapest).tier])];
  const since = freshSince(book);
  const origins = tiers
    .filter(({ plan }) => plan !== "free")
    .map((tier) => priceOrigin(tier, since));
  return [
    `Prices are list prices in USD before tax, stated for ${book.as_of}${origins.length > 0 ? `: ${origins.join(", ")}` : ""}.`,
    ...tiers.filter(({ price }) => price.grade === "X").map(dispute),
  ];
}

function priceOrigin({ plan, includedTasks, price }: Tier, since: string): string {
  const label = planLabel(plan, includedTasks);
  const old = price.read_on < since ? " (may be out of date)" : "";
  return price.basis === "derived"
    ? `${label} is derived from its annual price, checked on ${price.read_on}${old}`
    : `${label} was checked on ${price.read_on}${old}`;
}

const dispute = ({ plan, includedTasks }: Tier): string =>
  `Sources disagree on the price of ${planLabel(plan, includedTasks)}; check it at zapier.com/pricing.`;

const COUNT_NOTES = [
  "Every action step counts as one task on every run; steps that fail, are skipped or are filtered out are not billed.",
  "AI by Zapier, MCP calls, Lead Router, loops and long Code steps use more tasks than are counted here.",
];
