import { describe, expect, test } from "bun:test";
import type { AutomationCostInput, PriceBook } from "../../../schemas/index.ts";
import {
  type Breakpoint,
  findPriceBreakpoints,
  priceBook,
} from "../../../src/automation-cost/index.ts";
import { rejection } from "../../support/rejection.ts";
import { BILLINGS, RUNGS } from "./support.ts";

const question = (input: Partial<AutomationCostInput>, steps = 1): AutomationCostInput => ({
  zaps: [{ action_steps: steps, runs_per_month: 0 }],
  ...input,
});

/** Each combination of billing, team and Free for the built-in book. */
const CASES = BILLINGS.flatMap((billing) =>
  [
    { name: "with Free", team: false, steps: 1 },
    { name: "without Free", team: false, steps: 2 },
    { name: "for a team", team: true, steps: 1 },
  ].map((rest) => ({ billing, ...rest })),
);

/** A tier of the oracle: its name, its tasks, its cents, and the tasks at which it stops. */
type Bare = readonly [name: string, included: number, cents: number, most: number];

/** The price of a number of tasks on a tier in cents, rounded half up, in bare integers. */
function bareCents([, included, base]: Bare, percent: number, tasks: number): number {
  const over = tasks - included;
  if (over <= 0) return base;
  return base + Math.floor((2 * base * percent * over + 100 * included) / (200 * included));
}

/**
 * The cheapest tier for a number of tasks: at the same price, the one that includes more.
 *
 * @param tiers with ascending prices.
 */
function bareBest(tiers: readonly Bare[], percent: number, tasks: number): Bare | undefined {
  let best: Bare | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const tier of tiers) {
    if (tier[2] > least) break;
    if (tasks > tier[3]) continue;
    const cents = bareCents(tier, percent, tasks);
    if (best && (cents > least || (cents === least && tier[1] <= best[1]))) continue;
    [best, least] = [tier, cents];
  }
  return best;
}

const byPrice = (tiers: readonly Bare[]): Bare[] => tiers.toSorted((a, b) => a[2] - b[2]);

const bareName = (tier: Bare | undefined, percent: number, tasks: number): string =>
  tier ? `${tier[0]} at ${bareCents(tier, percent, tasks)}` : "no plan";

const nameOf = ({ plan, included_tasks, monthly_price }: Breakpoint): string =>
  plan ? `${plan} ${included_tasks} at ${Math.round(100 * (monthly_price ?? 0))}` : "no plan";

/** The numbers of tasks up to a last one at which another tier is the cheapest. */
function bareChanges(tiers: readonly Bare[], percent: number, last: number): readonly string[] {
  const found: string[] = [];
  const left = byPrice(tiers);
  let before: Bare | undefined;
  for (let tasks = 0; tasks <= last; tasks += 1) {
    while (left[0] && tasks > left[0][3]) left.shift();
    const best = bareBest(left, percent, tasks);
    if (best !== before) found.push(`${tasks}: ${bareName(best, percent, tasks)}`);
    before = best;
  }
  return found;
}

const upTo = (last: number, points: readonly Breakpoint[]): readonly string[] =>
  points.filter(({ tasks }) => tasks <= last).map((point) => `${point.tasks}: ${nameOf(point)}`);

describe("the break points", () => {
  test.each(CASES)(
    "are those of bare integers from 0 to 2,000,000 tasks, $billing, $name",
    ({ billing, team, steps }) => {
      const paid = RUNGS.filter(({ plan }) => !team || plan === "team").map(
        ({ plan, tasks, price }): Bare => [`${plan} ${tasks}`, tasks, price[billing], 3 * tasks],
      );
      const free: Bare = ["free 100", 100, 0, 100];
      const tiers = team || steps > 1 ? paid : [free, ...paid];
      const percent = billing === "annual" ? 125 : 250;
      const points = findPriceBreakpoints(question({ billing, team }, steps));
      expect(upTo(2_000_000, points)).toEqual(bareChanges(tiers, percent, 2_000_000));
    },
  );

  test.each(CASES)(
    "end where no plan carries the tasks, $billing, $name",
    ({ billing, team, steps }) => {
      const points = findPriceBreakpoints(question({ billing, team }, steps));
      expect(points[0]?.tasks).toBe(0);
      expect(points.at(-1)).toEqual({
        tasks: 6_000_001,
        plan: null,
        title: null,
        included_tasks: null,
        monthly_price: null,
      });
    },
  );

  const tier = (tasks: number, cents: number) => {
    const price = { cents, basis: "read", read_on: "2026-10-01" } as const;
    return { tasks, annual: price, monthly: price };
  };

  test("of two plans with almost the same price per task are bounded", () => {
    const book: PriceBook = {
      ...priceBook,
      pay_per_task: { percent: { annual: 100, monthly: 100 }, stops_at: 100 },
      professional: [tier(1_000_000_000, 10_000_001), tier(2_000_000_001, 20_000_000)],
    };
    expect(findPriceBreakpoints(question({}, 2), { priceBook: book }).length).toBeLessThan(1_000);
  });

  test("are given for 1,000 Zaps and no more", () => {
    const points = (count: number) => {
      const zaps = Array(count).fill(question({}, 2).zaps[0]);
      return findPriceBreakpoints({ zaps });
    };
    expect(points(1_000)).toEqual(points(2));
    expect(rejection(() => points(1_001))).toBe("zaps: must have at most 1,000 items");
  });

  test("do not depend on how often the automations run", () => {
    const often = question({});
    often.zaps = often.zaps.map((zap) => ({ ...zap, runs_per_month: 5_000 }));
    expect(findPriceBreakpoints(often)).toEqual(findPriceBreakpoints(question({})));
  });

  test.each([
    ["an input", () => findPriceBreakpoints({ zaps: [] }), "zaps: must have at least 1 item"],
    [
      "a price book",
      () => findPriceBreakpoints(question({}), { priceBook: { ...priceBook, team: [] } }),
      "options.priceBook.team: must have at least 1 item",
    ],
  ])("are not given for %s that breaks its schema", (_, run, message) => {
    expect(rejection(run)).toBe(message);
  });
});
