import { describe, expect, test } from "bun:test";
import type { AutomationCostInput, PriceBook } from "../../../schemas/index.ts";
import { findPriceBreakpoints, priceBook } from "../../../src/automation-cost/index.ts";
import { rejection } from "../../support/rejection.ts";
import { BILLINGS, findCheapest } from "./support.ts";

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

describe("the break points", () => {
  test.each(CASES)(
    "are where the oracle's answer changes, and nowhere else, $billing, $name",
    ({ billing, team, steps }) => {
      const points = findPriceBreakpoints(question({ billing, team }, steps));
      const nameOf = (tasks: number) => {
        const line = findCheapest({ tasks, billing, team, singleSteps: steps === 1 });
        return { tasks, name: `${line?.plan} ${line?.included}`, cents: line?.totalCents };
      };
      let before = "";
      for (const [index, { tasks, plan, included_tasks, monthly_price }] of points.entries()) {
        const next = points[index + 1]?.tasks;
        if (next === undefined) break;
        const name = `${plan} ${included_tasks}`;
        expect(name).not.toBe(before);
        expect(nameOf(tasks)).toEqual({
          tasks,
          name,
          cents: Math.round(100 * (monthly_price ?? 0)),
        });
        for (const later of [Math.floor((tasks + next) / 2), next - 1]) {
          expect(nameOf(later)).toMatchObject({ tasks: later, name });
        }
        before = name;
      }
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
});
