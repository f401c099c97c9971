import type { Quote } from "../../schemas/automation-cost.ts";
import { formatCount, formatNumber } from "../text.ts";
import { type Breakpoint, findBreakpointsFrom } from "./breakpoints.ts";
import { comparePlans, type PlanComparison, type TierQuote } from "./compare-plans.ts";
import { formatDollars, formatPlan } from "./render-cost.ts";

/** Lists the assumptions and limits that apply to the result, in sentences. */
export function listNotes(comparison: PlanComparison): string[] {
  const { input, monthlyTasks, cheapest } = comparison;
  const found = [
    !input.team && freeNote(comparison),
    limitNote(comparison),
    ...(cheapest ? cheapestNotes(cheapest, comparison) : []),
    ...(monthlyTasks > 0 ? COUNT_NOTES : []),
  ];
  return found.filter((note) => typeof note === "string");
}

/** Describes the limits of Free, or the limit that rules it out. */
function freeNote(comparison: PlanComparison): string | undefined {
  const { monthlyTasks, cheapest, eligible, quotes } = comparison;
  const { free } = comparison.book;
  const steps = `a trigger and ${formatCount(free.action_steps, "more step")}`;
  if (cheapest?.plan === "free") {
    const paid = quotes.find(({ plan }) => plan !== "free");
    const advice = paid ? `; if yours need more, the cheapest is ${formatQuote(paid)}` : "";
    return `Free allows ${steps} in a Zap, where a Filter or Formatter is a step too, and has no premium apps and no webhooks${advice}.`;
  }
  const isRuledOut = !eligible.some(({ plan }) => plan === "free");
  if (!isRuledOut || monthlyTasks > free.tasks) return undefined;
  return `Free would include these tasks, but allows only ${steps} in a Zap, even in one that never runs.`;
}

function limitNote(comparison: PlanComparison): string | undefined {
  const { monthlyTasks, eligible, smallestCovering } = comparison;
  if (smallestCovering) return undefined;
  const included = Math.max(...eligible.map(({ includedTasks }) => includedTasks));
  const maxTasks = Math.max(...eligible.map(({ maxTasks }) => maxTasks));
  return `No listed plan includes ${formatNumber(monthlyTasks)} tasks a month: the largest includes ${formatNumber(included)} and stops at ${formatNumber(maxTasks)}; Enterprise is priced on request.`;
}

function cheapestNotes(cheapest: TierQuote, comparison: PlanComparison) {
  const { input, monthlyTasks, book, quotes } = comparison;
  const [, next] = findBreakpointsFrom(monthlyTasks, input, book);
  const isAnnual = input.billing === "annual";
  return [
    spareTasksNote(quotes, monthlyTasks),
    next && nextPlanNote(cheapest, next),
    cheapest.overage_tasks > 0 && overageNote(cheapest, comparison),
    otherBillingNote(cheapest, comparison),
    isAnnual &&
      cheapest.base_price > 0 &&
      `Annual billing is paid up front: ${formatDollars(12 * cheapest.base_price)} a year for ${formatPlan(cheapest)}${cheapest.overage_tasks > 0 ? ", extra tasks not included" : ""}.`,
    `Prices are list prices in USD before tax, stated for ${book.as_of}${cheapest.plan === "free" ? "" : `; the price of ${formatPlan(cheapest)} ${originOf(cheapest)}`}.`,
  ];
}

/** Suggests a plan with more tasks if it costs at most a dollar or 5 % more than the cheapest. */
export function spareTasksNote(quotes: readonly Quote[], tasks: number): string | undefined {
  const [cheapest] = quotes;
  if (!cheapest) return undefined;
  const centsMore = (quote: Quote) =>
    Math.round(100 * (quote.monthly_price - cheapest.monthly_price));
  const roomy = quotes.find(
    (quote) =>
      quote.overage_tasks === 0 &&
      quote.included_tasks > cheapest.included_tasks &&
      centsMore(quote) <= Math.max(100, Math.floor(5 * cheapest.monthly_price)),
  );
  if (!roomy) return undefined;
  const bill = cheapest.overage_tasks > 0 ? " and no bill for extra tasks" : "";
  return `For ${formatDollars(centsMore(roomy) / 100)} a month more, ${formatPlan(roomy)} includes all of them, with ${formatCount(roomy.included_tasks - tasks, "task")} to spare${bill}.`;
}

function nextPlanNote(cheapest: Quote, next: Breakpoint): string {
  const { title, included_tasks, monthly_price } = next;
  const then =
    title === null || included_tasks === null || monthly_price === null
      ? "no listed plan covers more"
      : `from ${formatNumber(next.tasks)} it is ${formatPlan({ title, included_tasks })} at ${formatDollars(monthly_price)}`;
  return `${formatPlan(cheapest)} stays the cheapest up to ${formatNumber(next.tasks - 1)} tasks a month; ${then}.`;
}

function overageNote({ tier }: TierQuote, { input, book }: PlanComparison): string {
  const percent = book.pay_per_task.percent[input.billing];
  return `Extra tasks, above the included ones, cost ${percent / 100} times the plan's price per task and are billed at the end of each month; pay-per-task must be on, as it has been by default since 2024, and Zaps stop at ${formatNumber(tier.maxTasks)} tasks.`;
}

/** Names the cheapest plan with the other billing, and the difference per year. */
function otherBillingNote(
  cheapest: Quote,
  { input, monthlyTasks, book }: PlanComparison,
): string | undefined {
  const billing = input.billing === "annual" ? "monthly" : "annual";
  const other = comparePlans({ ...input, billing }, monthlyTasks, book).cheapest;
  const more = other ? other.monthly_price - cheapest.monthly_price : 0;
  if (!other || more === 0) return undefined;
  const period = billing === "annual" ? "year" : "month";
  return `Paid by the ${period}, the cheapest is ${formatQuote(other)}, which is ${formatDollars(12 * Math.abs(more))} a year ${more > 0 ? "more" : "less"}.`;
}

const formatQuote = (quote: Quote): string =>
  `${formatPlan(quote)} at ${formatDollars(quote.monthly_price)} a month`;

/**
 * Returns why to check a price: sources disagree, or it is more than 90 days old.
 *
 * @param today in ISO 8601; without it, the age is not checked.
 */
export function explainPriceDoubt(quote: TierQuote, today: string | undefined): string | null {
  const { grade, read_on } = quote.tier.price;
  if (grade === "X")
    return `Sources disagree on the price of ${formatPlan(quote)}: ${CHECK_PRICING_PAGE}`;
  const days = today === undefined ? 0 : (Date.parse(today) - Date.parse(read_on)) / DAY_MS;
  if (days <= FRESH_DAYS) return null;
  return `The price of ${formatPlan(quote)} ${originOf(quote)}, ${formatNumber(days)} days ago: ${CHECK_PRICING_PAGE}`;
}

const DAY_MS = 86_400_000;
const FRESH_DAYS = 90;
const CHECK_PRICING_PAGE = "check it at https://zapier.com/pricing.";

const originOf = ({ price_basis, price_read_on }: Quote): string =>
  `was ${price_basis === "derived" ? "derived from the annual price of" : "read on"} ${price_read_on}`;

const COUNT_NOTES = [
  "Every action step counts as one task on every run; steps that fail, are skipped or are filtered out are not billed. A replay of a whole run counts its successful steps again.",
  "Not counted as tasks: triggers, Filter, Paths, Formatter, Delay, Looping, Digest, Storage, Tables and Forms. Zapier's pages disagree about the call of a Sub-Zap.",
  "Some steps use several tasks. An AI step uses 1, 3 or 5, depending on its model (3 by default), and the same again for each tool call. A lead in Lead Router uses 5. An MCP call uses 2: enter one step and twice the calls; they stop once the included tasks are used up. A long Code step uses several. For a loop, enter its steps, and multiply the runs by the items.",
  "Enter a Zap with a Filter in the middle twice: the steps before the Filter with all runs, and the steps after it with the runs that pass. The Free plan does not allow such a Zap.",
  "Tasks left at the end of a month do not roll over.",
];
