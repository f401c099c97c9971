import { expect, test } from "bun:test";
import { calculateAutomationCost } from "../../../src/automation-cost/index.ts";
import { renderAutomationCost } from "../../../src/automation-cost/render-cost.ts";

// The prices are those of the oracle, and the golden cases hold the text.

test.each([
  [undefined, "Zap 1"],
  ["", "Zap 1"],
  [" \t\n", "Zap 1"],
  ["__proto__", "__proto__"],
  [" 日本 ", " 日本 "],
])("a Zap with the name %j is %s", (name, shown) => {
  const zap = { ...(name === undefined ? {} : { name }), action_steps: 3, runs_per_month: 40 };
  const { automations } = calculateAutomationCost({ zaps: [zap, zap] });
  expect(automations[0]).toEqual({ ...zap, name: shown, monthly_tasks: 120 });
});

test("overage of less than half a cent is told", () => {
  const result = calculateAutomationCost({
    zaps: [{ action_steps: 1, runs_per_month: 2_000_001 }],
  });
  expect(result.cheapest).toMatchObject({ overage_tasks: 1, overage_price: 0 });
  expect(renderAutomationCost(result)).toContain(
    "with 2,000,000 tasks, $3,389.00 a month, including less than a cent for extra tasks\n",
  );
});

test.each([
  [6_000_001, 0, undefined],
  [5_900_000, 2, undefined],
  [5, 6, "and 27 more, up to $3,999.00 a month"],
])(
  "the text for %d tasks has %d plans, and how many more there are",
  (runs_per_month, count, rest) => {
    const result = calculateAutomationCost({ zaps: [{ action_steps: 1, runs_per_month }] });
    const text = renderAutomationCost(result);
    expect(text.match(/^(?:Free|Professional|Team) .*\$/gm) ?? []).toHaveLength(count);
    expect(text.match(/^and .*/m)?.[0]).toBe(rest);
  },
);
