import { expect, test } from "bun:test";
import { calculateAutomationCost } from "../../../src/automation-cost/index.ts";
import { renderAutomationCost } from "../../../src/automation-cost/render-cost.ts";

// The prices are those of the oracle, and the golden cases hold the text.

test.each([
  [undefined, "Automation 1"],
  ["", "Automation 1"],
  [" \t\n", "Automation 1"],
  ["__proto__", "__proto__"],
  [" 日本 ", " 日本 "],
])("an automation with the name %j is %s", (name, shown) => {
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

test("the text has every plan when they are few, else the cheapest and how many more", () => {
  const rows = (runs_per_month: number) => {
    const result = calculateAutomationCost({ zaps: [{ action_steps: 1, runs_per_month }] });
    return renderAutomationCost(result).match(/^(?:Free|Professional|Team) .*\$|^and .*/gm);
  };
  expect(rows(5_900_000)).toHaveLength(2);
  expect(rows(5)).toHaveLength(9);
  expect(rows(5)?.at(-1)).toBe("and 25 more, up to $3,999.00 a month");
  expect(rows(6_000_001)).toBeNull();
});
