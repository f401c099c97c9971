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
import { cheapestQuote, eligibleTiers } from "./compare-plans.ts";
import { priceBook as builtInBook } from "./price-book.ts";

/**
 * Finds the numbers of tasks from which another plan or tier is the cheapest. Only the billing, the
 * team and the action steps of the input matter, not how often its Zaps run.
 *
 * @param input up to 1,000 Zaps, the billing and whether a team shares them.
 * @param options `priceBook`: prices to use instead of the built-in list.
 * @returns the breakpoints from 0 tasks a month on, each with the cheapest plan and its price in USD. The
 * last has no plan, because no listed plan is large enough.
 * @throws {InvalidInputError} if the input or the options break their schema.
 *
 * @example
 * const [, paid] = findPriceBreakpoints({ zaps: [{ action_steps: 1, runs_per_month: 0 }] });
 * // paid.tasks is 101, paid.title is "Professional", paid.monthly_price is 19.99
 */
export function findPriceBreakpoints(
  input: AutomationCostInput,
  options: { readonly priceBook?: PriceBook | undefined } = {},
): Breakpoint[] {
  const { priceBook = builtInBook } = validate(BreakpointOptionsSchema, options, ["options"]);
  const valid = validate(automationCostContract.extended_input, input);
  return [...findBreakpointsFrom(0, valid, priceBook)];
}

/** A number of tasks a month from which another plan is the cheapest. */
export interface Breakpoint {
  readonly tasks: number;
  /** The plan's identifier; null if no listed plan is large enough. */
  readonly plan: Quote["plan"] | null;
  /** The plan's name, such as Professional. */
  readonly title: string | null;
  /** Tasks a month in the base price. */
  readonly included_tasks: number | null;
  /** USD per month at that number of tasks, extra tasks included. */
  readonly monthly_price: number | null;
}

const BreakpointOptionsSchema = closedObject({ priceBook: v.optional(PriceBookSchema) });

/**
 * Yields `from`, then each number of tasks at which another tier becomes the cheapest. Between two
 * corners every price is a straight line, so the lowest at both ends is the lowest between them.
 * Prices are rounded: if two are within a cent of each other, the result can be off by one task.
 */
export function* findBreakpointsFrom(
  from: number,
  input: ValidAutomationCostInput,
  book: PriceBook,
): Generator<Breakpoint, void> {
  const tiers = eligibleTiers(input, book);
  const at = (tasks: number): Breakpoint => {
    const cheapest = cheapestQuote(tiers, tasks, book.pay_per_task.percent[input.billing]);
    return {
      tasks,
      plan: cheapest?.plan ?? null,
      title: cheapest?.title ?? null,
      included_tasks: cheapest?.included_tasks ?? null,
      monthly_price: cheapest?.monthly_price ?? null,
    };
  };
  function* between(low: Breakpoint, high: Breakpoint): Generator<Breakpoint, void> {
    if (low.plan === high.plan && low.included_tasks === high.included_tasks) return;
    if (high.tasks - low.tasks === 1) return yield high;
    const middle = at(Math.floor((low.tasks + high.tasks) / 2));
    yield* between(low, middle);
    yield* between(middle, high);
  }
  // The price of a tier starts to rise at its included tasks, and the tier ends at its maximum.
  const corners = tiers
    .flatMap(({ includedTasks, maxTasks }) => [includedTasks, maxTasks, maxTasks + 1])
    .filter((corner) => corner > from)
    .sort((a, b) => a - b);
  let low = at(from);
  yield low;
  for (const corner of new Set(corners)) {
    const high = at(corner);
    yield* between(low, high);
    low = high;
  }
}
