import { expect } from "bun:test";
import type { AutomationCostInput, Quote } from "../../schemas/index.ts";
import { automationCost } from "../../src/automation-cost/index.ts";
import { cheapest, type Line, lines, type Question, smallestCovering } from "./oracle.ts";

const cents = (dollars: number): number => Math.round(dollars * 100);

const lineOf = (quote: Quote): Line => ({
  plan: quote.plan,
  included: quote.included_tasks,
  baseCents: cents(quote.base_price),
  totalCents: cents(quote.monthly_price),
});

const byName = (a: Line, b: Line): number =>
  a.plan.localeCompare(b.plan) || a.included - b.included;

/** The smallest input that asks the question. */
export function inputFor({ tasks, billing, team, singleSteps }: Question): AutomationCostInput {
  const counted = { action_steps: 1, runs_per_month: tasks };
  const idle = { action_steps: 2, runs_per_month: 0 };
  return { zaps: singleSteps ? [counted] : [counted, idle], billing, team };
}

/** The tool answers as the oracle does, and its figures agree with one another. */
export function expectOracle(input: AutomationCostInput, question: Question): void {
  const result = automationCost(input);
  expect(result.monthly_tasks).toBe(question.tasks);
  expect(result.options.map(lineOf).sort(byName)).toEqual(lines(question).sort(byName));
  expect(result.cheapest && lineOf(result.cheapest)).toEqual(cheapest(question));
  expect(result.cheapest).toEqual(result.options[0] ?? null);
  expect(result.smallest_covering && lineOf(result.smallest_covering)).toEqual(
    smallestCovering(question),
  );
  for (const [index, quote] of result.options.entries()) {
    const dearer = result.options[index + 1];
    expect(dearer === undefined || quote.monthly_price <= dearer.monthly_price).toBe(true);
    expect(quote.overage_tasks).toBe(Math.max(0, question.tasks - quote.included_tasks));
    expect(cents(quote.overage_price)).toBe(cents(quote.monthly_price) - cents(quote.base_price));
    for (const dollars of [quote.base_price, quote.overage_price, quote.monthly_price]) {
      expect(String(dollars)).toMatch(/^\d+(\.\d{1,2})?$/);
    }
  }
}
