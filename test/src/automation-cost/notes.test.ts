import { describe, expect, test } from "bun:test";
import type { AutomationCostInput } from "../../../schemas/index.ts";
import { automationCost, priceBook } from "../../../src/automation-cost/index.ts";
import { rejection } from "./support.ts";

const single = (runs: number) => ({ action_steps: 1, runs_per_month: runs });
const double = (runs: number) => ({ action_steps: 2, runs_per_month: runs });

const notesOf = (input: AutomationCostInput): string[] => automationCost(input).notes;
const openings = (input: AutomationCostInput): string[] =>
  notesOf(input).map((note) => note.split(" ").slice(0, 2).join(" "));

const COUNT = ["Every action", "Free of", "More tasks", "A Zap", "Tasks that"];
const MONTHLY = ["Professional with", "Paid by"];
const ANNUAL = [...MONTHLY, "Annual billing"];

describe("notes say only what applies, for", () => {
  const cases: Record<string, [AutomationCostInput, string[]]> = {
    "Free without a task": [
      { zaps: [single(0)] },
      ["Free allows", "If yours", "Free with", "Prices are"],
    ],
    Free: [{ zaps: [single(9)] }, ["Free allows", "If yours", "Free with", "Prices are", ...COUNT]],
    "few tasks that Free cannot hold": [
      { zaps: [double(9)] },
      ["Free would", ...ANNUAL, "Prices are", ...COUNT],
    ],
    "few tasks of a team": [
      { zaps: [double(9)], team: true },
      ["Team with", "Paid by", "Annual billing", "Prices are", ...COUNT],
    ],
    "a plan paid monthly": [
      { zaps: [single(101)], billing: "monthly" },
      [...MONTHLY, "Prices are", ...COUNT],
    ],
    "more tasks than Free includes, in Zaps that it cannot hold": [
      { zaps: [double(51)] },
      [...ANNUAL, "Prices are", ...COUNT],
    ],
    "overage paid annually": [
      { zaps: [single(800)] },
      ["Professional with", "Extra tasks,", "Paid by", "Annual billing", "Prices are", ...COUNT],
    ],
    "overage paid monthly": [
      { zaps: [single(800)], billing: "monthly" },
      ["Professional with", "Extra tasks,", "Paid by", "Prices are", ...COUNT],
    ],
    "overage that costs almost as much as a larger plan": [
      { zaps: [single(1_800)] },
      [
        "For $0.25",
        "Professional with",
        "Extra tasks,",
        "Paid by",
        "Annual billing",
        "Prices are",
        ...COUNT,
      ],
    ],
    "a price on which sources disagree": [
      { zaps: [single(500_000)], billing: "monthly" },
      [...MONTHLY, "Prices are", ...COUNT],
    ],
    "more tasks than a plan includes": [
      { zaps: [single(2_000_001)], billing: "monthly" },
      ["No listed", "Professional with", "Extra tasks,", "Paid by", "Prices are", ...COUNT],
    ],
    "more tasks than can be priced": [{ zaps: [single(6_000_001)] }, ["No listed", ...COUNT]],
  };
  for (const [name, [input, expected]] of Object.entries(cases)) {
    test(name, () => expect(openings(input)).toEqual(expected));
  }
});

describe("notes name", () => {
  const phrases: Record<string, [AutomationCostInput, string]> = {
    "the plan to take when Free does not do": [
      { zaps: [single(9)] },
      "the cheapest is Professional with 750 tasks at $19.99 a month.",
    ],
    "the day of the list alone when the answer is Free": [
      { zaps: [single(9)] },
      "before tax, stated for 2026-10-11.",
    ],
    "the year's payment": [
      { zaps: [single(101)] },
      "paid up front: $239.88 a year for Professional with 750 tasks.",
    ],
    "the year's payment for a team": [
      { zaps: [single(101)], team: true },
      "$828.00 a year for Team with 2,000 tasks.",
    ],
    "that the year's payment lacks the overage": [
      { zaps: [single(800)] },
      "with 750 tasks, extra tasks not included.",
    ],
    "the annual multiplier and the stop": [
      { zaps: [single(800)] },
      "cost 1.25 times the plan's price per task",
    ],
    "the monthly multiplier": [
      { zaps: [single(800)], billing: "monthly" },
      "cost 2.5 times the plan's price per task",
    ],
    "the number of tasks where Zaps stop": [{ zaps: [single(800)] }, "Zaps stop at 2,250 tasks."],
    "the day of the list and of each reading": [
      { zaps: [single(800)] },
      "stated for 2026-10-11: Professional with 750 tasks was read on 2026-10-06, Professional with 1,500 tasks was read on 2026-02-06.",
    ],
    "that a price is derived": [
      { zaps: [single(1400)], billing: "monthly" },
      "2026-10-11: Professional with 1,500 tasks is derived from its annual price, read on 2026-02-06.",
    ],
    "the next number of tasks at which another plan is the cheapest": [
      { zaps: [single(101)] },
      "Professional with 750 tasks stays the cheapest up to 1,320 tasks a month; from 1,321 it is Professional with 1,500 tasks at $39.00.",
    ],
    "the number of tasks beyond which no plan is listed": [
      { zaps: [single(6_000_000)] },
      "stays the cheapest up to 6,000,000 tasks a month; no listed plan carries more.",
    ],
    "a plan with room that costs a few cents more": [
      { zaps: [single(1_800)] },
      "For $0.25 a month more, Professional with 2,000 tasks includes all of them, with 200 tasks to spare and no bill for extra tasks.",
    ],
    "what paying by the year saves": [
      { zaps: [single(101)] },
      "Paid by the month, the cheapest is Professional with 750 tasks at $29.99 a month: paying by the year saves $120.00 a year.",
    ],
    "what paying by the year would save": [
      { zaps: [single(101)], billing: "monthly" },
      "Paid by the year, the cheapest is Professional with 750 tasks at $19.99 a month, which saves $120.00 a year.",
    ],
    "the disputed tier": [
      { zaps: [single(499_000)] },
      "Professional with 500,000 tasks was read on 2026-02-06 (sources disagree).",
    ],
    "where the factor of monthly billing was read": [
      { zaps: [single(800)], billing: "monthly" },
      "2.5 times the plan's price per task (read from Zapier's price page; older help says 1.25)",
    ],
    "the automation that uses the most tasks": [
      {
        zaps: [
          { ...single(100), name: "Mail" },
          { ...double(150), name: "Leads\u2028to CRM" },
        ],
      },
      '"Leads to CRM" uses the most: 75 % of the tasks.',
    ],
    "the most that a plan includes": [
      { zaps: [single(2_000_001)] },
      "includes 2,000,001 tasks outright, the largest includes 2,000,000; Enterprise",
    ],
    "the most that can be carried": [
      { zaps: [single(7_000_000)] },
      "carries 7,000,000 tasks a month, the largest stops at 6,000,000; Enterprise",
    ],
  };
  for (const [name, [input, phrase]] of Object.entries(phrases)) {
    test(name, () => expect(notesOf(input).join("\n")).toContain(phrase));
  }
});

describe("notes follow a custom price book", () => {
  const free = { ...priceBook.free, action_steps: 2 };

  test("in what Free allows", () => {
    const { notes } = automationCost({ zaps: [double(9)] }, { priceBook: { ...priceBook, free } });
    expect(notes[0]).toStartWith("Free allows a trigger and 2 more steps in a Zap");
  });

  test("in why Free is ruled out", () => {
    const zaps = [{ action_steps: 3, runs_per_month: 9 }];
    const { notes } = automationCost({ zaps }, { priceBook: { ...priceBook, free } });
    expect(notes[0]).toBe(
      "Free would include these tasks, but allows only a trigger and 2 more steps in a Zap.",
    );
  });

  test("when it has a plan that is free of charge and larger", () => {
    const [first, ...dearer] = priceBook.professional;
    if (!first) throw new Error("the ladder is empty");
    const gift = { ...first, annual: { ...first.annual, cents: 0 } };
    const book = { ...priceBook, professional: [gift, ...dearer] };
    const { cheapest, notes } = automationCost({ zaps: [single(9)] }, { priceBook: book });
    expect(cheapest?.included_tasks).toBe(750);
    expect(notes[0]).toStartWith("Professional with 750 tasks stays");
  });

  const ladder = (cents: number, roomy: number) => {
    const [first, second] = priceBook.professional;
    if (!first || !second) throw new Error("the ladder is too short");
    const at = (tier: typeof first, price: number) => ({
      ...tier,
      annual: { ...tier.annual, cents: price },
    });
    return { ...priceBook, professional: [at(first, cents), at(second, roomy)] };
  };
  const hasRoomNote = (cents: number, roomy: number): boolean =>
    automationCost({ zaps: [double(10)] }, { priceBook: ladder(cents, roomy) }).notes.some((note) =>
      note.startsWith("For $"),
    );

  test.each([
    ["a dollar more than a small price", 1_000, 1_100, true],
    ["a cent more than a dollar", 1_000, 1_101, false],
    ["5 % more than a large price", 5_000, 5_250, true],
    ["a cent more than 5 %", 5_000, 5_251, false],
    ["the same price, where it is the answer itself", 5_000, 5_000, false],
  ])("in a plan with room for %s", (_, cents, roomy, isNamed) => {
    expect(hasRoomNote(cents, roomy)).toBe(isNamed);
  });
});

describe("the price of the answer is doubted", () => {
  const doubt = (runs: number, today?: string, billing: "annual" | "monthly" = "annual") =>
    automationCost({ zaps: [single(runs)], billing }, { today }).price_doubt;
  const check = "check it at https://zapier.com/pricing.";

  test.each([
    [
      "read 91 days ago",
      doubt(300, "2027-01-05"),
      "Professional with 750 tasks was read on 2026-10-06, 91 days ago",
    ],
    [
      "derived long ago",
      doubt(1_400, "2026-11-27", "monthly"),
      "Professional with 1,500 tasks was derived from the annual price of 2026-02-06, 294 days ago",
    ],
    [
      "of Free read long ago",
      doubt(9, "2028-10-06"),
      "Free with 100 tasks was read on 2026-10-06, 731 days ago",
    ],
  ])("when it was %s", (_, found, words) => expect(found).toBe(`The price of ${words}: ${check}`));

  test("when sources disagree, whatever the day is", () => {
    expect(doubt(500_000)).toBe(
      `Sources disagree on the price of Professional with 500,000 tasks: ${check}`,
    );
  });

  test.each([
    ["read 90 days ago", doubt(300, "2027-01-04")],
    ["without a day to count from", doubt(1_400)],
    ["where there is no plan", doubt(6_000_001, "2028-10-06")],
  ])("not when it was %s", (_, found) => expect(found).toBeNull());

  test("by no day that the calendar lacks", () => {
    expect(rejection(() => doubt(9, "2026-02-30"))).toBe(
      "options.today: must be a day that the calendar has",
    );
  });
});

describe("warnings", () => {
  test("name an automation that never runs and rules Free out", () => {
    expect(automationCost({ zaps: [single(9), double(0)] }).warnings).toEqual([
      {
        code: "idle-zap-rules-out-free",
        severity: "info",
        path: "zaps[1]",
        message:
          "never runs, but its 2 action steps rule the Free plan out; leave it out if it is switched off",
      },
    ]);
  });

  const quiet: Record<string, AutomationCostInput> = {
    "an automation that never runs but fits Free": { zaps: [single(9), single(0)] },
    "one that runs and does not fit Free": { zaps: [double(9)] },
    "one that never runs beside one that runs and does not fit Free": {
      zaps: [double(9), double(0)],
    },
    "one that never runs, where Free is too small anyway": { zaps: [single(101), double(0)] },
    "one that never runs, for a team": { zaps: [single(9), double(0)], team: true },
    overage: { zaps: [double(400)] },
    "more tasks than can be priced": { zaps: [single(6_000_001)] },
  };
  for (const [name, input] of Object.entries(quiet)) {
    test(`say nothing of ${name}`, () => expect(automationCost(input).warnings).toEqual([]));
  }
});
