import type {
  AutomationCostResult,
  Quote,
  ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { plural, thousands } from "../text.ts";
import { type Breakpoint, nextBreakpoint } from "./breakpoints.ts";
import { type Comparison, comparePlans, type Offer, type Tier } from "./plans.ts";
import { money, plainLine, planLabel, shareOf } from "./render.ts";

/** The assumptions and limits that apply to the result, in sentences. */
export function notes(
  input: ValidAutomationCostInput,
  automations: AutomationCostResult["automations"],
  comparison: Comparison,
  quotes: readonly Quote[],
  book: PriceBook,
): string[] {
  const tasks = automations.reduce((sum, { monthly_tasks }) => sum + monthly_tasks, 0);
  const { cheapest } = comparison;
  const next = nextBreakpoint(tasks, input, book);
  return [
    ...(input.team ? [] : freeNotes(tasks, comparison, book.free)),
    ...limitNotes(tasks, comparison),
    ...[roomNote(quotes, tasks) ?? []].flat(),
    ...(quotes[0] && next ? [growthNote(quotes[0], next)] : []),
    ...(cheapest ? overageNotes(cheapest, input, book) : []),
    ...(cheapest ? billingNotes(cheapest, input, tasks, book) : []),
    ...(cheapest && input.billing === "annual" ? yearlyNotes(cheapest) : []),
    ...largestNotes(automations, tasks),
    ...priceNotes(comparison, book),
    ...(tasks > 0 ? COUNT_NOTES : []),
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

function overageNotes(
  { tier, overageTasks }: Offer,
  { billing }: ValidAutomationCostInput,
  book: PriceBook,
): string[] {
  if (overageTasks === 0) return [];
  const percent = book.pay_per_task.percent[billing];
  // Zapier's price page, as read in September and October 2026; its help said 1.25 until May.
  const source = percent === 250 ? " (read from Zapier's price page; older help says 1.25)" : "";
  return [
    `Extra tasks, above the included ones, cost ${percent / 100} times the plan's price per task${source} and are billed at the end of each month; pay-per-task must be switched on, and Zaps stop at ${thousands(tier.maxTasks)} tasks.`,
  ];
}

function yearlyNotes({ tier, overageTasks }: Offer): string[] {
  if (tier.price.cents === 0) return [];
  const year = money((12 * tier.price.cents) / 100);
  const label = planLabel(tier.plan, tier.includedTasks);
  const without = overageTasks > 0 ? ", extra tasks not included" : "";
  return [`Annual billing is paid up front: ${year} a year for ${label}${without}.`];
}

/** Names the automation that uses the most of several. */
function largestNotes(automations: AutomationCostResult["automations"], tasks: number): string[] {
  if (automations.length < 2 || tasks === 0) return [];
  const largest = automations.reduce((a, b) => (b.monthly_tasks > a.monthly_tasks ? b : a));
  const share = shareOf(largest.monthly_tasks, tasks);
  return [`${JSON.stringify(plainLine(largest.name))} uses the most: ${share} of the tasks.`];
}

/**
 * Why a price should be checked before it decides anything: it is disputed, or was read more than 90
 * days ago.
 *
 * @param today in ISO 8601; without it, no age is known.
 */
export function priceDoubt(
  { plan, includedTasks, price }: Tier,
  today: string | undefined,
): string | null {
  const label = planLabel(plan, includedTasks);
  if (price.grade === "X") return `Sources disagree on the price of ${label}: ${CHECK}`;
  const days = today === undefined ? 0 : (Date.parse(today) - Date.parse(price.read_on)) / DAY;
  if (days <= FRESH_DAYS) return null;
  const origin = price.basis === "derived" ? "derived from the annual price of" : "read on";
  return `The price of ${label} was ${origin} ${price.read_on}, ${thousands(days)} days ago: ${CHECK}`;
}

const DAY = 86_400_000;

const FRESH_DAYS = 90;

const CHECK = "check it at https://zapier.com/pricing.";

/** Says on which days the prices of the answer were read. */
function priceNotes({ cheapest, smallestCovering }: Comparison, book: PriceBook): string[] {
  if (!cheapest) return [];
  const tiers = [...new Set([cheapest.tier, (smallestCovering ?? cheapest).tier])];
  const origins = tiers.filter(({ plan }) => plan !== "free").map(priceOrigin);
  return [
    `Prices are list prices in USD before tax, stated for ${book.as_of}${origins.length > 0 ? `: ${origins.join(", ")}` : ""}.`,
  ];
}

function priceOrigin({ plan, includedTasks, price }: Tier): string {
  const how = price.basis === "derived" ? "is derived from its annual price, read" : "was read";
  const dispute = price.grade === "X" ? " (sources disagree)" : "";
  return `${planLabel(plan, includedTasks)} ${how} on ${price.read_on}${dispute}`;
}

const COUNT_NOTES = [
  "Every action step counts as one task on every run; steps that fail, are skipped or are filtered out are not billed. A replay counts again the steps that had succeeded.",
  "Free of tasks: triggers, Filter, Paths, Formatter, Delay, Looping, Digest, Storage, Tables and Forms; about the call of a Sub-Zap Zapier's pages disagree.",
  "More tasks than one a step: an AI step is 1, 3 or 5 by its model (3 unless chosen), a lead in Lead Router 5, an MCP call 2 (enter one step, and twice the calls); a long Code step is several. Of a loop, enter the steps with the runs times the items.",
  "A Zap with a Filter in the middle: enter it twice, the steps before the Filter with all runs, the steps after it with the runs that pass. The Free plan does not allow such a Zap.",
  "Tasks that are left at the end of a month do not roll over.",
];
