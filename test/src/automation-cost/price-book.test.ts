import { describe, expect, test } from "bun:test";
import { calculateAutomationCost, type PriceBook } from "../../../src/automation-cost/index.ts";
import { rejection } from "../../support/rejection.ts";

const price = (cents: number) => ({ cents, basis: "read", read_on: "2027-01-31" }) as const;
const tier = (tasks: number, cents: number) => ({
  tasks,
  annual: price(cents),
  monthly: price(2 * cents),
});

const own: PriceBook = {
  currency: "USD",
  as_of: "2027-02-01",
  pay_per_task: { percent: { annual: 110, monthly: 200 }, stops_at: 2 },
  free: { tasks: 50, action_steps: 2, read_on: "2027-01-31" },
  professional: [tier(1000, 1000), tier(5000, 4000)],
  team: [tier(1000, 1000), tier(2000, 900)],
};

const runs = (runs_per_month: number, action_steps = 1) => ({
  zaps: [{ action_steps, runs_per_month }],
});
const verdict = (input: Parameters<typeof calculateAutomationCost>[0], book: PriceBook) => {
  const { cheapest, smallest_covering } = calculateAutomationCost(input, { priceBook: book });
  return [cheapest, smallest_covering].map((quote) =>
    quote ? `${quote.plan} ${quote.included_tasks} ${quote.monthly_price}` : "none",
  );
};

describe("a custom price book", () => {
  test("replaces the built-in one", () => {
    const result = calculateAutomationCost(runs(50), { priceBook: own });
    expect(result.prices_as_of).toBe("2027-02-01");
    expect(result.cheapest?.price_read_on).toBe("2027-01-31");
    expect(calculateAutomationCost(runs(50)).prices_as_of).toBe("2026-10-11");
  });

  const SMALL = "professional 1000 10";
  const payPerTask = own.pay_per_task;
  const smaller = (...team: PriceBook["team"]): PriceBook => ({ ...own, team });
  test.each<[string, ReturnType<typeof runs>, PriceBook, string, string?]>([
    ["the steps that Free allows", runs(25, 2), own, "free 50 0"],
    ["one step more", runs(1, 3), own, "team 2000 9", SMALL],
    ["a larger tier that is cheaper", runs(900), own, "team 2000 9", SMALL],
    ["more tasks for the same", runs(900), smaller(tier(2000, 1000)), "team 2000 10", SMALL],
    ["the same, Professional first", runs(900), smaller(tier(1000, 1000)), SMALL],
    ["Team cheaper than Professional", runs(900), smaller(tier(1000, 999)), "team 1000 9.99"],
    ["its own multiplier", runs(3000), own, "team 2000 13.95", "professional 5000 40"],
    ["its own cap", runs(4001), own, "professional 5000 40"],
    ["a free tier", runs(900), { ...own, professional: [tier(1000, 0)] }, "professional 1000 0"],
    ["no overage", runs(5001), { ...own, pay_per_task: { ...payPerTask, stops_at: 1 } }, "none"],
  ])("%s", (_, input, book, cheapest, covering = cheapest) =>
    expect(verdict(input, book)).toEqual([cheapest, covering]),
  );

  const most = { percent: { annual: 9_999, monthly: 9_999 }, stops_at: 100 };

  test("is exact where the product exceeds 2^53 and doubles would be a cent too high", () => {
    const team = [{ ...tier(290_717_586, 1), annual: price(99_999_999_701) }];
    const zaps = new Array(25).fill({ action_steps: 100, runs_per_month: 9_999_999 });
    const { cheapest } = calculateAutomationCost(
      { zaps, team: true },
      { priceBook: { ...own, pay_per_task: most, team } },
    );
    // 99,999,999,701 x 99.99 x 24,709,279,914 / 290,717,586 = 849,856,014,975,827.473
    expect(cheapest?.overage_tasks).toBe(24_709_279_914);
    expect(cheapest?.overage_price).toBe(8_498_560_149_758.27);
    expect(cheapest?.monthly_price).toBe(8_499_560_149_755.28);
  });

  test("may have a single task for a cent", () => {
    const tiny = { ...own, team: [tier(1, 1)] };
    expect(verdict({ ...runs(2), team: true }, tiny)).toEqual(["team 1 0.02", "none"]);
  });
});

describe("a price book is rejected for", () => {
  const [first] = own.professional;
  const team = (annual: object) => ({ team: [{ ...first, annual: { ...price(1), ...annual } }] });
  const pay = (part: object) => ({ pay_per_task: { ...own.pay_per_task, ...part } });
  const cents = "team[0].annual.cents: must be";
  test.each<[unknown, string]>([
    [[], ": must be an object"],
    [{ ...own, free: undefined }, ".free: must be an object"],
    [{ ...own, currency: "EUR" }, '.currency: must be "USD"'],
    [{ ...own, as_of: "11 October 2026" }, ".as_of: must be a date such as 2026-10-11"],
    [{ ...own, as_of: "2026-02-29" }, ".as_of: must be a real calendar date"],
    [{ ...own, team: [] }, ".team: must have at least 1 item"],
    [
      { ...own, team: [tier(2, 1), tier(1, 2)] },
      ".team[1]: must include more tasks than the tier before it",
    ],
    [{ ...own, ...team({ cents: 19.99 }) }, `.${cents} a whole number`],
    [{ ...own, ...pay({ stops_at: 0 }) }, ".pay_per_task.stops_at: must be at least 1"],
  ])("%j", (book, message) => {
    expect(rejection(() => calculateAutomationCost(runs(1), { priceBook: book as never }))).toBe(
      `options.priceBook${message}`,
    );
  });
});
