import { describe, expect, test } from "bun:test";
import type { AutomationCostInput } from "../../../schemas/index.ts";
import { calculateAutomationCost, priceBook } from "../../../src/automation-cost/index.ts";
import { rejection } from "../../support/rejection.ts";

const single = (runs: number) => ({ action_steps: 1, runs_per_month: runs });
const double = (runs: number) => ({ action_steps: 2, runs_per_month: runs });

const notesOf = (input: AutomationCostInput): string[] => calculateAutomationCost(input).notes;

const COUNT = ["Every action", "Not counted", "Some steps", "Enter a", "Tasks left"];
const PRICED = ["Prices are", ...COUNT];
const PAID_ANNUALLY = ["Paid by", "Annual billing", ...PRICED];
const PLAN = "Professional with";
const EXTRA = [PLAN, "Extra tasks,"];
const billing = "monthly";

describe("notes say only what applies, for", () => {
  const cases: [string, AutomationCostInput, string[]][] = [
    ["Free without a task", { zaps: [single(0)] }, ["Free allows", "Free with", "Prices are"]],
    ["Free", { zaps: [single(9)] }, ["Free allows", "Free with", ...PRICED]],
    ["few tasks of a team", { zaps: [double(9)], team: true }, ["Team with", ...PAID_ANNUALLY]],
    ["what Free cannot hold", { zaps: [double(50)] }, ["Free would", PLAN, ...PAID_ANNUALLY]],
    ["more than Free has", { zaps: [double(51)], billing }, [PLAN, "Paid by", ...PRICED]],
    ["near a larger plan", { zaps: [single(1800)] }, ["For $0.25", ...EXTRA, ...PAID_ANNUALLY]],
    [
      "over a plan",
      { zaps: [single(2e6 + 1)], billing },
      ["No listed", ...EXTRA, "Paid by", ...PRICED],
    ],
    ["more tasks than can be priced", { zaps: [single(6_000_001)] }, ["No listed", ...COUNT]],
  ];
  test.each(cases)("%s", (_, input, expected) => {
    const openings = notesOf(input).map((note) => note.split(" ").slice(0, 2).join(" "));
    expect(openings).toEqual(expected);
  });
});

describe("notes follow a custom price book", () => {
  test("in what Free allows", () => {
    const book = { ...priceBook, free: { ...priceBook.free, action_steps: 2 } };
    const [note] = calculateAutomationCost({ zaps: [double(9)] }, { priceBook: book }).notes;
    expect(note).toStartWith("Free allows a trigger and 2 more steps in a Zap");
  });

  const tier = (tasks: number, cents: number) => {
    const price = { cents, basis: "read", read_on: "2026-10-01" } as const;
    return { tasks, annual: price, monthly: price };
  };

  test("when it has a plan that is free of charge and larger", () => {
    const book = { ...priceBook, professional: [tier(750, 0)] };
    const { cheapest, notes } = calculateAutomationCost({ zaps: [single(9)] }, { priceBook: book });
    expect(cheapest?.included_tasks).toBe(750);
    expect(notes[0]).toStartWith("Professional with 750 tasks stays");
    expect(notes.join("\n")).not.toMatch(/Paid by|Annual billing/);
  });

  test.each([
    ["a dollar more than a small price", 1_000, 1_100, true],
    ["a cent more than a dollar", 1_000, 1_101, false],
    ["5% more than a large price", 5_000, 5_250, true],
    ["a cent more than 5%", 5_000, 5_251, false],
    ["the same price, where it is the answer itself", 5_000, 5_000, false],
  ])("in a plan with room for %s", (_, cents, roomy, isNamed) => {
    const book = { ...priceBook, professional: [tier(750, cents), tier(1_500, roomy)] };
    const { notes } = calculateAutomationCost({ zaps: [double(10)] }, { priceBook: book });
    expect(notes.some((note) => note.startsWith("For $"))).toBe(isNamed);
  });
});

describe("the price of the answer is doubted", () => {
  const doubt = (runs: number, today?: string, billing: "annual" | "monthly" = "annual") =>
    calculateAutomationCost({ zaps: [single(runs)], billing }, { today }).price_doubt;

  test.each([
    ["too old", doubt(300, "2027-01-05"), /with 750 tasks was read on 2026-10-06, 91 days/],
    ["derived", doubt(1_400, "2026-11-27", "monthly"), /derived from the annual price of 2026-02/],
    ["of Free", doubt(9, "2028-10-06"), /^The price of Free with 100 tasks was read on 2026-10-06/],
    ["disputed", doubt(500_000), /^Sources disagree on the price of Professional with 500,000/],
  ])("when it was %s", (_, found, words) => {
    expect(found).toMatch(words);
    expect(found).toEndWith(": check it at https://zapier.com/pricing.");
  });

  test.each([
    ["read 90 days ago", doubt(300, "2027-01-04")],
    ["without a day to count from", doubt(1_400)],
    ["where there is no plan", doubt(6_000_001, "2028-10-06")],
  ])("not when it was %s", (_, found) => expect(found).toBeNull());

  test("by no day that the calendar lacks", () => {
    expect(rejection(() => doubt(9, "2026-02-30"))).toBe(
      "options.today: must be a real calendar date",
    );
  });
});
