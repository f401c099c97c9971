import { describe, expect, test } from "bun:test";
import { automationCostTool } from "../../src/automation-cost/automation-cost.ts";
import { automationCost } from "../../src/automation-cost/index.ts";
import { runTool } from "../../src/tool.ts";
import { refusal } from "./refusal.ts";

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
    ["a name of nothing visible", "\u0000\u200b\u202e", "Automation 1"],
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

describe("automationCost() refuses", () => {
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
      "zaps[0].runs_per_month: must be at most 10000000",
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
      expect(refusal(() => runTool(automationCostTool, input))).toBe(message);
    });
  }
});
