import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { PriceBookSchema } from "../../../schemas/price-book.ts";
import { priceBook } from "../../../src/automation-cost/index.ts";
import { BILLINGS, expectOracle, inputFor, type Question, RUNGS } from "./support.ts";

const paid = (["professional", "team"] as const).flatMap((plan) =>
  priceBook[plan].map((tier) => ({ plan, ...tier })),
);

describe("the built-in price book", () => {
  test("has the prices that were typed in a second time", () => {
    const rungs = paid.map(({ plan, tasks, annual, monthly }) => ({
      plan,
      tasks,
      price: { annual: annual.cents, monthly: monthly.cents },
    }));
    expect(rungs).toEqual([...RUNGS]);
  });

  test("is valid by the rules for a custom price book", () => {
    expect(v.safeParse(PriceBookSchema, priceBook).issues).toBeUndefined();
  });

  test("claims no reading after the day it is stated for", () => {
    const late = paid.filter(({ annual, monthly }) =>
      [annual, monthly].some(({ read_on }) => read_on > priceBook.as_of),
    );
    expect(late).toEqual([]);
  });

  test("derives a monthly price as 1.5 times the annual one, and no annual price at all", () => {
    for (const { annual, monthly } of paid) {
      expect(annual.basis).toBe("read");
      if (monthly.basis === "derived") expect(monthly.cents).toBe(annual.cents * 1.5);
    }
  });
});

const questionsAt = (tasks: number): Question[] =>
  BILLINGS.flatMap((billing) =>
    [false, true].flatMap((team) =>
      [false, true].map((singleSteps) => ({ tasks, billing, team, singleSteps })),
    ),
  );

const around = (tasks: number): number[] => [tasks - 1, tasks, tasks + 1];

describe("calculateAutomationCost() agrees with the oracle", () => {
  const limits = new Set([100, ...RUNGS.map(({ tasks }) => tasks)]);
  for (const limit of limits) {
    test(`around ${limit} tasks, and where that tier stops`, () => {
      const points = [...around(limit), 3 * limit, 3 * limit + 1];
      for (const question of points.flatMap(questionsAt)) {
        expectOracle(inputFor(question), question);
      }
    });
  }

  test("without a task", () => {
    for (const question of questionsAt(0)) expectOracle(inputFor(question), question);
  });
});
