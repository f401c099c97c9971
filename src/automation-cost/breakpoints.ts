import * as v from "valibot";
import {
  type AutomationCostInput,
  automationCostContract,
  type Quote,
  type ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import { closedObject } from "../../schemas/common.ts";
import { type PriceBook, PriceBookSchema } from "../../schemas/price-book.ts";
import { validate } from "../issues.ts";
import { byPrice, eligibleTiers, type Offer, PLAN_TITLES, priceTier, type Tier } from "./plans.ts";
import { priceBook as builtInBook } from "./price-book.ts";

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
  const { priceBook = builtInBook } = validate(OptionsSchema, options, ["options"]);
  const valid = validate(automationCostContract.local_input, input);
  const tiers = eligibleTiers(valid, priceBook);
  const cheapest = cheapestAmong(tiers, valid, priceBook);
  return [cheapest(0), ...pointsAfter(0, tiers, cheapest)].map(toBreakpoint);
}

/** A number of tasks a month from which another plan is the cheapest. */
export interface Breakpoint {
  readonly tasks: number;
  /** The plan's identifier; null where no listed plan carries the tasks. */
  readonly plan: Quote["plan"] | null;
  /** The plan's name, such as Professional. */
  readonly title: string | null;
  /** Tasks a month in the base price. */
  readonly included_tasks: number | null;
  /** USD per month at that number of tasks, extra tasks included. */
  readonly monthly_price: number | null;
}

const OptionsSchema = closedObject({ priceBook: v.optional(PriceBookSchema) });

/** The next break point after a number of tasks that a plan carries. */
export function nextBreakpoint(
  tasks: number,
  input: ValidAutomationCostInput,
  book: PriceBook,
): Breakpoint | undefined {
  const tiers = eligibleTiers(input, book);
  const { value } = pointsAfter(tasks, tiers, cheapestAmong(tiers, input, book)).next();
  return value && toBreakpoint(value);
}

/** A number of tasks, and the cheapest offer for it, if a tier carries them. */
interface PricePoint {
  readonly tasks: number;
  readonly offer: Offer | undefined;
}

const cheapestAmong =
  (tiers: readonly Tier[], { billing }: ValidAutomationCostInput, book: PriceBook) =>
  (tasks: number): PricePoint => {
    const offers = tiers
      .filter(({ maxTasks }) => tasks <= maxTasks)
      .map((tier) => priceTier(tier, tasks, book.pay_per_task.percent[billing]));
    return { tasks, offer: offers.sort(byPrice)[0] };
  };

/**
 * The points after a number of tasks at which another tier is the cheapest. Between two corners each
 * price is a straight line, and the one that is lowest at both ends is lowest between them. Only its
 * rounding is not: where the prices of two tiers are within a cent of each other, a change may be
 * missed by a task.
 */
function* pointsAfter(
  from: number,
  tiers: readonly Tier[],
  cheapest: (tasks: number) => PricePoint,
): Generator<PricePoint, undefined> {
  let low = cheapest(from);
  for (const corner of cornersAfter(from, tiers)) {
    const high = cheapest(corner);
    yield* pointsBetween(low, high, cheapest);
    low = high;
  }
}

function* pointsBetween(
  low: PricePoint,
  high: PricePoint,
  cheapest: (tasks: number) => PricePoint,
): Generator<PricePoint, void> {
  if (low.offer?.tier === high.offer?.tier) return;
  if (high.tasks - low.tasks === 1) return yield high;
  const middle = cheapest(Math.floor((low.tasks + high.tasks) / 2));
  yield* pointsBetween(low, middle, cheapest);
  yield* pointsBetween(middle, high, cheapest);
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
