import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { PriceBookSchema } from "../../schemas/price-book.ts";
import { priceBook } from "../../src/automation-cost/index.ts";
import { BILLINGS, RUNGS } from "./ladder.ts";

const paid = (["professional", "team"] as const).flatMap((plan) =>
  priceBook[plan].map((tier) => ({ plan, ...tier })),
);

/** Counts of the research notes: how many of the 32 prices are known how well. */
const GRADES = {
  annual: { A: 7, B: 9, C: 15, X: 1 },
  monthly: { A: 5, B: 9, D: 17, X: 1 },
};

describe("the built-in price book", () => {
  test("has the prices of the research notes", () => {
    const rungs = paid.map(({ plan, tasks, annual, monthly }) => ({
      plan,
      tasks,
      price: { annual: annual.cents, monthly: monthly.cents },
    }));
    expect(rungs).toEqual([...RUNGS]);
  });

  test("is valid by the rules for a price book of one's own", () => {
    expect(v.safeParse(PriceBookSchema, priceBook).issues).toBeUndefined();
  });

  for (const billing of BILLINGS) {
    test(`grades its ${billing} prices as the research notes do`, () => {
      const counts: Record<string, number> = {};
      for (const tier of paid) {
        const grade = tier[billing].grade ?? "none";
        counts[grade] = (counts[grade] ?? 0) + 1;
      }
      expect(counts).toEqual(GRADES[billing]);
    });
  }

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
