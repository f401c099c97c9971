import { describe, expect, test } from "bun:test";
import type { AutomationCostInput } from "../../../schemas/index.ts";
import { automationCost } from "../../../src/automation-cost/index.ts";
import { renderAutomationCost } from "../../../src/automation-cost/render.ts";

const textOf = (input: AutomationCostInput): string =>
  renderAutomationCost(automationCost(input)).text;
const named = (name: string) => ({ name, action_steps: 12, runs_per_month: 3456 });

describe("the text", () => {
  test("gives the verdict first and ends with a newline", () => {
    const lines = textOf({ zaps: [{ action_steps: 1, runs_per_month: 1300 }] }).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "Tasks a month:  1,300 (paid annually)",
      "Cheapest:       Professional with 750 tasks, $38.31 a month, including $18.32 for extra tasks",
      "Covers all:     Professional with 1,500 tasks, $39.00 a month",
      "",
    ]);
    expect(lines.at(-1)).toBe("");
    expect(lines.at(-2)).not.toBe("");
  });

  const verdicts: Record<string, [AutomationCostInput, string[]]> = {
    "one plan that is both": [
      { zaps: [named("Leads")], billing: "monthly", team: true },
      [
        "Tasks a month:  41,472 (paid monthly, shared by a team)",
        "Cheapest:       Team with 50,000 tasks, $598.50 a month",
        "Covers all:     the same plan",
      ],
    ],
    "overage of less than half a cent": [
      { zaps: [{ action_steps: 1, runs_per_month: 2_000_001 }] },
      [
        "Tasks a month:  2,000,001 (paid annually)",
        "Cheapest:       Professional with 2,000,000 tasks, $3,389.00 a month, including less than a cent for extra tasks",
        "Covers all:     no listed plan",
      ],
    ],
    "no plan": [
      { zaps: [{ action_steps: 1, runs_per_month: 6_000_001 }] },
      [
        "Tasks a month:  6,000,001 (paid annually)",
        "Cheapest:       no listed plan",
        "Covers all:     no listed plan",
      ],
    ],
  };
  for (const [name, [input, expected]] of Object.entries(verdicts)) {
    test(`has a verdict for ${name}`, () => {
      expect(textOf(input).split("\n").slice(0, 3)).toEqual(expected);
    });
  }

  test("has no table of plans when there is no plan", () => {
    expect(textOf({ zaps: [{ action_steps: 1, runs_per_month: 6_000_001 }] })).not.toContain(
      "Plan",
    );
  });

  test("aligns the figures, however wide the names are", () => {
    const zaps = [named("見積書を送る"), { action_steps: 1, runs_per_month: 5 }, named("👩‍👩‍👧 é́")];
    expect(textOf({ zaps }).split("\n").slice(4, 8)).toEqual([
      " Tasks  Share  Action steps   Runs  Automation",
      "41,472   50 %            12  3,456  見積書を送る",
      "     5    0 %             1      5  Automation 2",
      "41,472   50 %            12  3,456  👩‍👩‍👧 é́",
    ]);
  });

  test("escapes what a terminal would obey in a name", () => {
    const text = textOf({ zaps: [named("\u001b[2J\u009b31m one\r\ntwo\u2028a\u202etxt.exe")] });
    expect(text).toContain("  \\u001b[2J\\u009b31m one\\u000d\\ntwo\\u2028a\\u202etxt.exe\n");
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  });

  test("shows the cheapest plans and says how many more there are", () => {
    const text = textOf({ zaps: [{ action_steps: 1, runs_per_month: 5 }] });
    expect(text.match(/^(Free|Professional|Team) .*\$/gm)).toHaveLength(8);
    expect(text).toContain("\nand 25 more, up to $3,999.00 a month\n");
  });

  test("shows every plan when they are few", () => {
    const text = textOf({ zaps: [{ action_steps: 1, runs_per_month: 5_900_000 }] });
    expect(text.match(/^(Professional|Team) .*\$/gm)).toHaveLength(2);
    expect(text).not.toContain(" more, ");
  });
});
