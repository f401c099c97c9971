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
import { cheapestOffer, eligibleTiers, type Offer, type Tier } from "./plans.ts";
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
 * between them: changes by rounding alone are not found.
 */
function* pointsAfter(tasks: number, pricing: Pricing): Generator<PricePoint, undefined> {
  let low = cheapestAt(tasks, pricing);
  for (const corner of cornersAfter(tasks, pricing.tiers)) {
    const high = cheapestAt(corner, pricing);
    yield* pointsBetween(low, high, pricing);
    low = high;
  }
}

function* pointsBetween(
  low: PricePoint,
  high: PricePoint,
  pricing: Pricing,
): Generator<PricePoint, void> {
  if (low.offer?.tier === high.offer?.tier) return;
  if (high.tasks - low.tasks === 1) {
    yield high;
    return;
  }
  const middle = cheapestAt(Math.floor((low.tasks + high.tasks) / 2), pricing);
  yield* pointsBetween(low, middle, pricing);
  yield* pointsBetween(middle, high, pricing);
}

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
