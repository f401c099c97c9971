import { describe, expect, test } from "bun:test";
import type { AutomationCostInput } from "../../../schemas/index.ts";
import { automationCost, automationCostBreakpoints } from "../../../src/automation-cost/index.ts";
import { renderAutomationCost, renderBreakpoints } from "../../../src/automation-cost/render.ts";

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
      "41,472   50 %            12  3,456  👩👩👧 é́",
    ]);
  });

  const unsafe: Record<string, [string, string]> = {
    "an escape sequence": ["\u001b[2J\u001b]0;title\u0007red", "[2J ]0;title red"],
    "a line break": ["one\r\ntwo\u2028three\u0085four", "one two three four"],
    "a mark that reverses the order": ["a\u202etxt.exe\u2066b", "atxt.exeb"],
    "half a surrogate pair": ["a\ud83db", "ab"],
    "a C1 control": ["a\u009b31mb", "a 31mb"],
    "blanks around": ["  padded\t", "padded"],
  };
  for (const [name, [raw, shown]] of Object.entries(unsafe)) {
    test(`shows a name with ${name} safely`, () => {
      const text = textOf({ zaps: [named(raw)] });
      expect(text.split("\n")[5]).toBe(`41,472  100 %            12  3,456  ${shown}`);
      expect(text).not.toMatch(/[^\P{C}\n]/u);
    });
  }

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

  test("says of the last column that it is where the price is from", () => {
    expect(textOf({ zaps: [named("Leads")] })).toContain("A month  Price checked on\n");
  });

  test("of the break points is a table of them alone", () => {
    const points = automationCostBreakpoints({ zaps: [{ action_steps: 1, runs_per_month: 5 }] });
    const lines = renderBreakpoints(points).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "From tasks  Cheapest         Included    A month",
      "         0  Free                  100      $0.00",
      "       101  Professional          750     $19.99",
    ]);
    expect(lines.slice(-2)).toEqual([" 6,000,001  no listed plan", ""]);
  });

  test("says below the answer why its price should be checked", () => {
    const result = automationCost(
      { zaps: [{ action_steps: 1, runs_per_month: 1_400 }] },
      { today: "2026-11-27" },
    );
    expect(renderAutomationCost(result).text.split("\n").slice(1, 3)).toEqual([
      "Cheapest:       Professional with 1,500 tasks, $39.00 a month",
      "                The price of Professional with 1,500 tasks was read on 2026-02-06, 294 days ago: check it at https://zapier.com/pricing.",
    ]);
  });

  test("lists the notes and hands on the warnings", () => {
    const result = automationCost({ zaps: [{ action_steps: 2, runs_per_month: 0 }] });
    const { text, warnings } = renderAutomationCost(result);
    expect(text).toContain(result.notes.map((note) => `- ${note}\n`).join(""));
    expect(warnings).toEqual(result.warnings);
    expect(warnings).toHaveLength(1);
  });
});
