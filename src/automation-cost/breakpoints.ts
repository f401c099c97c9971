import * as v from "valibot";
import {
  type AutomationCostInput,
  automationCostContract,
  type Breakpoint,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import { closedObject } from "../../schemas/common.ts";
import { type PriceBook, PriceBookSchema } from "../../schemas/price-book.ts";
import { validate } from "../validate.ts";
import {
  byPrice,
  cheapestOffer,
  eligibleTiers,
  type Offer,
  priceTier,
  type Tier,
} from "./plans.ts";
import { priceBook as builtInBook } from "./price-book.ts";
import { PLAN_TITLES } from "./render.ts";

/**
 * Finds the numbers of tasks from which another plan or tier is the cheapest, for the billing, the
 * team and the action steps of an input. How often its automations run makes no difference.
 *
 * @param input the automations, up to 1,000, the billing and whether a team shares them.
 * @param options `priceBook`: prices to use instead of the built-in list.
 * @returns from 0 tasks a month on, each with the cheapest plan and its price at that number. The
 * last has no plan: from there on no listed plan carries the tasks.
 * @throws {InvalidInputError} for an input or options that break their schema.
 *
 * @example
 * const [, paid] = automationCostBreakpoints({ zaps: [{ action_steps: 1, runs_per_month: 0 }] });
 * // paid.tasks is 101, paid.title is "Professional", paid.monthly_price is 19.99
 */
export function automationCostBreakpoints(
  input: AutomationCostInput,
  options: { readonly priceBook?: PriceBook | undefined } = {},
): Breakpoint[] {
  const { priceBook } = validate(OptionsSchema, options, ["options"]);
  return findBreakpoints(
    validate(automationCostContract.local_input, input),
    priceBook ?? builtInBook,
  );
}

const OptionsSchema = closedObject({ priceBook: v.optional(PriceBookSchema) });

export function findBreakpoints(input: ValidAutomationCostInput, book: PriceBook): Breakpoint[] {
  const pricing = pricingFor(input, book);
  return [cheapestAt(0, pricing), ...pointsAfter(0, pricing)].map(toBreakpoint);
}

/** The next break point after a number of tasks that a plan carries. */
export function nextBreakpoint(
  tasks: number,
  input: ValidAutomationCostInput,
  book: PriceBook,
): Breakpoint | undefined {
  const { value } = pointsAfter(tasks, pricingFor(input, book)).next();
  return value && toBreakpoint(value);
}

/** A number of tasks, and the cheapest offer for it, if a tier carries them. */
interface PricePoint {
  readonly tasks: number;
  readonly offer: Offer | undefined;
}

interface Pricing {
  readonly tiers: readonly Tier[];
  readonly percent: number;
}

const pricingFor = (input: ValidAutomationCostInput, book: PriceBook): Pricing => ({
  tiers: eligibleTiers(input, book),
  percent: book.pay_per_task.percent[input.billing],
});

const cheapestAt = (tasks: number, { tiers, percent }: Pricing): PricePoint => ({
  tasks,
  offer: cheapestOffer(tiers, tasks, percent),
});

/**
 * The points after a number of tasks at which another tier is the cheapest. Between two corners each
 * price is a straight line, but for its rounding, and the line that is lowest at both ends is lowest
 * between them.
 */
function* pointsAfter(tasks: number, pricing: Pricing): Generator<PricePoint, undefined> {
  const budget = { left: MAX_RIVAL_SEARCHES };
  let low = cheapestAt(tasks, pricing);
  for (const corner of cornersAfter(tasks, pricing.tiers)) {
    const high = cheapestAt(corner, pricing);
    yield* pointsBetween(low, high, pricing, budget);
    low = high;
  }
}

function* pointsBetween(
  low: PricePoint,
  high: PricePoint,
  pricing: Pricing,
  budget: { left: number },
): Generator<PricePoint, void> {
  const isSame = low.offer?.tier === high.offer?.tier;
  if (high.tasks - low.tasks === 1) {
    if (!isSame) yield high;
    return;
  }
  if (isSame && (budget.left <= 0 || !hasRival(low, high, pricing))) return;
  if (isSame) budget.left -= 1;
  const middle = cheapestAt(Math.floor((low.tasks + high.tasks) / 2), pricing);
  yield* pointsBetween(low, middle, pricing, budget);
  yield* pointsBetween(middle, high, pricing, budget);
}

/**
 * The most searches for a rival: tiers of almost equal price could alternate for a million tasks. After
 * them, changes by rounding alone are not found.
 */
const MAX_RIVAL_SEARCHES = 10_000;

/**
 * True if rounding to cents could make another tier the cheapest somewhere between two numbers of
 * tasks with the same cheapest tier. The price of such a rival rises too. At `low` it is below the
 * cheapest price at `high`, and at one of them it is at most a cent above the cheapest price.
 */
function hasRival(low: PricePoint, high: PricePoint, { tiers, percent }: Pricing): boolean {
  if (!low.offer || !high.offer || high.offer.overageTasks === 0) return false;
  const { offer } = high;
  const [from, to] = [low.offer.totalCents, offer.totalCents];
  return tiers.some((tier) => {
    const isRising = low.tasks >= tier.includedTasks && high.tasks <= tier.maxTasks;
    if (!isRising || tier === offer.tier || tier.price.cents > to) return false;
    const start = priceTier(tier, low.tasks, percent);
    return (
      byPrice(start, offer) < 0 &&
      (start.totalCents <= from + 1 || priceTier(tier, high.tasks, percent).totalCents <= to + 1) &&
      !isParallel(tier, offer.tier, percent)
    );
  });
}

/** True for prices that rise at the same rate and are whole cents apart. */
const isParallel = (one: Tier, other: Tier, percent: number): boolean =>
  one.price.cents * other.includedTasks === other.price.cents * one.includedTasks &&
  ((one.price.cents - other.price.cents) * (100 - percent)) % 100 === 0;

/** The numbers of tasks where the price of a tier begins to rise, and where the tier ends. */
function cornersAfter(tasks: number, tiers: readonly Tier[]): readonly number[] {
  const corners = tiers.flatMap(({ includedTasks, maxTasks }) => [
    includedTasks,
    maxTasks,
    maxTasks + 1,
  ]);
  return [...new Set(corners)].filter((corner) => corner > tasks).sort((a, b) => a - b);
}

const toBreakpoint = ({ tasks, offer }: PricePoint): Breakpoint =>
  offer
    ? {
        tasks,
        plan: offer.tier.plan,
        title: PLAN_TITLES[offer.tier.plan],
        included_tasks: offer.tier.includedTasks,
        monthly_price: offer.totalCents / 100,
      }
    : { tasks, plan: null, title: null, included_tasks: null, monthly_price: null };
