import { describe, expect, test } from "bun:test";
import type { AutomationCostInput, Quote } from "../../../schemas/index.ts";
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { automationCost } from "../../../src/automation-cost/index.ts";
import { runTool } from "../../../src/tool.ts";
import { rejection } from "../../support/rejection.ts";

const single = (runs: number) => ({ action_steps: 1, runs_per_month: runs });
const double = (runs: number) => ({ action_steps: 2, runs_per_month: runs });

/** "professional 750: 19.99 + 0.03 for 1 = 20.02", the plan, its tasks and what it costs. */
function line(quote: Quote | null): string {
  if (!quote) return "none";
  const { plan, included_tasks, base_price, overage_tasks, overage_price, monthly_price } = quote;
  const overage = overage_tasks > 0 ? ` + ${overage_price} for ${overage_tasks}` : "";
  return `${plan} ${included_tasks}: ${base_price}${overage} = ${monthly_price}`;
}

/** Input, cheapest, smallest covering ("same" for the same plan). */
const cases: Record<string, [AutomationCostInput, string, string]> = {
  "no tasks, one action each: Free": [{ zaps: [single(0)] }, "free 100: 0 = 0", "same"],
  "no tasks, but a Zap that Free cannot hold": [
    { zaps: [single(0), double(0)] },
    "professional 750: 19.99 = 19.99",
    "same",
  ],
  "one task above a tier": [
    { zaps: [single(751)] },
    "professional 750: 19.99 + 0.03 for 1 = 20.02",
    "professional 1500: 39 = 39",
  ],
  "1,300 tasks paid annually: overage wins": [
    { zaps: [single(1300)] },
    "professional 750: 19.99 + 18.32 for 550 = 38.31",
    "professional 1500: 39 = 39",
  ],
  "1,300 tasks paid monthly: the tier wins": [
    { zaps: [single(1300)], billing: "monthly" },
    "professional 1500: 58.5 = 58.5",
    "same",
  ],
  "overage that is just below the price of the next tier": [
    { zaps: [single(1_833_148)] },
    "professional 1750000: 3199 + 189.99 for 83148 = 3388.99",
    "professional 2000000: 3389 = 3389",
  ],
  "overage of less than half a cent": [
    { zaps: [single(2_000_001)] },
    "professional 2000000: 3389 + 0 for 1 = 3389",
    "none",
  ],
  "the largest input there can be": [
    { zaps: new Array(25).fill({ action_steps: 100, runs_per_month: 10_000_000 }) },
    "none",
    "none",
  ],
  "Team with overage": [
    { zaps: [double(1100)], team: true },
    "team 2000: 69 + 8.63 for 200 = 77.63",
    "team 5000: 119 = 119",
  ],
};

describe("automationCost() finds", () => {
  for (const [name, [input, cheapest, covering]] of Object.entries(cases)) {
    test(name, () => {
      const result = automationCost(input);
      expect(line(result.cheapest)).toBe(cheapest);
      expect(line(result.smallest_covering)).toBe(covering === "same" ? cheapest : covering);
    });
  }
});

describe("automationCost() compares", () => {
  test("annual prices unless monthly ones are asked for", () => {
    const input = { zaps: [single(700)] };
    expect(automationCost(input).billing).toBe("annual");
    expect(automationCost(input).cheapest?.base_price).toBe(19.99);
  });

  test("and says when and how each price was read", () => {
    const { options } = automationCost({ zaps: [single(700)], billing: "monthly" });
    const origins = options.map((o) => `${o.included_tasks} ${o.price_basis} ${o.price_read_on}`);
    expect(origins.slice(0, 2)).toEqual(["750 read 2026-10-06", "1500 derived 2026-02-06"]);
  });
});

const zap = { action_steps: 3, runs_per_month: 40 };

describe("automationCost() counts tasks", () => {
  test("action steps times runs, for each automation and in all", () => {
    const { monthly_tasks, automations } = automationCost({
      zaps: [
        { name: "Leads", ...zap },
        { action_steps: 2, runs_per_month: 7 },
      ],
    });
    expect(monthly_tasks).toBe(134);
    expect(automations).toEqual([
      { name: "Leads", ...zap, monthly_tasks: 120 },
      { name: "Automation 2", action_steps: 2, runs_per_month: 7, monthly_tasks: 14 },
    ]);
  });

  test("of automations with the same name twice", () => {
    const leads = { name: "Leads", ...zap };
    expect(automationCost({ zaps: [leads, leads] }).monthly_tasks).toBe(240);
  });

  const names: [string, string | undefined, string][] = [
    ["a missing name", undefined, "Automation 1"],
    ["an empty name", "", "Automation 1"],
    ["a name of blanks", " \t\n", "Automation 1"],
    ["a name that looks like a key of an object", "__proto__", "__proto__"],
    ["a name in any script, as it was written", " 日本 ", " 日本 "],
  ];
  for (const [title, name, expected] of names) {
    test(`with ${title}`, () => {
      const { automations } = automationCost({
        zaps: [{ ...(name === undefined ? {} : { name }), ...zap }],
      });
      expect(automations.map(({ name }) => name)).toEqual([expected]);
    });
  }
});

describe("automationCost() rejects", () => {
  const inputs: Record<string, [unknown, string]> = {
    "no automation": [{ zaps: [] }, "zaps: must have at least 1 item"],
    "26 automations": [{ zaps: new Array(26).fill(zap) }, "zaps: must have at most 25 items"],
    "no action step": [
      { zaps: [{ ...zap, action_steps: 0 }] },
      "zaps[0].action_steps: must be at least 1",
    ],
    "101 action steps": [
      { zaps: [{ ...zap, action_steps: 101 }] },
      "zaps[0].action_steps: must be at most 100",
    ],
    "half a run": [
      { zaps: [{ ...zap, runs_per_month: 0.5 }] },
      "zaps[0].runs_per_month: must be a whole number",
    ],
    "more than ten million runs": [
      { zaps: [{ ...zap, runs_per_month: 10_000_001 }] },
      "zaps[0].runs_per_month: must be at most 10,000,000",
    ],
    "another billing": [
      { zaps: [zap], billing: "weekly" },
      'billing: must be "annual" or "monthly"',
    ],
    "an unknown field": [
      { zaps: [{ ...zap, steps: 1 }] },
      "zaps[0].steps: is not a known field; known are name, action_steps, runs_per_month",
    ],
  };
  for (const [name, [input, message]] of Object.entries(inputs)) {
    test(name, () => {
      expect(rejection(() => runTool(automationCostTool, input))).toBe(message);
    });
  }
});
