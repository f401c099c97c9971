import { expect } from "bun:test";
import type { AutomationCostInput, Quote } from "../../../schemas/index.ts";
import { calculateAutomationCost } from "../../../src/automation-cost/index.ts";

/*
 * Zapier's list prices, typed in a second time and not copied from src/, so that the tests do not
 * repeat a slip of the price book. Tasks, then US dollars a month: Professional paid
 * annually and monthly, Team paid annually and monthly.
 */
const LADDER = `
      750    19.99    29.99        -        -
    1,500    39.00    58.50        -        -
    2,000    49.00    73.50    69.00   103.50
    5,000    89.00   133.50   119.00   178.50
   10,000   129.00   193.50   169.00   253.50
   20,000   189.00   283.50   249.00   373.50
   50,000   289.00   433.50   399.00   598.50
  100,000   489.00   733.50   599.00   898.50
  200,000   769.00 1,153.50   999.00 1,498.50
  300,000 1,069.00 1,603.50 1,199.00 1,798.50
  400,000 1,269.00 1,903.50 1,399.00 2,098.50
  500,000 1,499.00 2,248.50 1,799.00 2,698.50
  750,000 1,999.00 2,998.50 2,199.00 3,298.50
1,000,000 2,199.00 3,298.50 2,499.00 3,748.50
1,500,000 2,999.00 4,498.50 3,399.00 5,098.50
1,750,000 3,199.00 4,798.50 3,799.00 5,698.50
2,000,000 3,389.00 5,083.50 3,999.00 5,998.50
`;

export type Billing = "annual" | "monthly";
export const BILLINGS: readonly Billing[] = ["annual", "monthly"];

interface Rung {
  readonly plan: "professional" | "team";
  readonly tasks: number;
  /** US cents. */
  readonly price: Readonly<Record<Billing, number>>;
}

const digits = (figure: string): number => Number(figure.replace(/[,.]/g, ""));

/** Every paid tier. */
const RUNGS: readonly Rung[] = (["professional", "team"] as const).flatMap((plan, column) =>
  LADDER.trim()
    .split("\n")
    .map((line) => line.trim().split(/ +/))
    .flatMap(([tasks = "", ...prices]) => {
      const [annual = "", monthly = ""] = prices.slice(2 * column);
      if (annual === "-") return [];
      const price = { annual: digits(annual), monthly: digits(monthly) };
      return [{ plan, tasks: digits(tasks), price }];
    }),
);

/*
 * The rules once more, in exact fractions and by brute force, without a line of src/.
 */
interface Line {
  readonly plan: "free" | "professional" | "team";
  readonly included: number;
  readonly baseCents: number;
  readonly totalCents: number;
}

interface Question {
  readonly tasks: number;
  readonly billing: Billing;
  readonly team: boolean;
  /** Every automation has a single action step. */
  readonly singleSteps: boolean;
}

/** Half up, which for positive fractions is the floor of twice the fraction plus one, halved. */
const roundHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((numerator * 10n + denominator * 5n) / (denominator * 10n));

/** Base x (1 + multiplier x overage / included), rounded once; the multiplier is 5/4 or 5/2. */
function totalCents({ tasks: included, price }: Rung, tasks: number, billing: Billing) {
  const base = BigInt(price[billing]);
  const over = BigInt(tasks > included ? tasks - included : 0);
  const quarters = billing === "annual" ? 5n : 10n;
  const denominator = 4n * BigInt(included);
  return roundHalfUp(base * (denominator + quarters * over), denominator);
}

/** Every plan and tier that can carry the tasks, in no particular order. */
function lines({ tasks, billing, team, singleSteps }: Question): Line[] {
  const paid = RUNGS.filter((rung) => !team || rung.plan === "team")
    .filter((rung) => tasks <= 3 * rung.tasks)
    .map((rung) => ({
      plan: rung.plan,
      included: rung.tasks,
      baseCents: rung.price[billing],
      totalCents: totalCents(rung, tasks, billing),
    }));
  const free = { plan: "free", included: 100, baseCents: 0, totalCents: 0 } as const;
  return !team && singleSteps && tasks <= 100 ? [free, ...paid] : paid;
}

/** The line that beats every other one, or null when there is none. */
const best = (all: readonly Line[], beats: (a: Line, b: Line) => boolean): Line | null =>
  all.find((line) => all.every((other) => other === line || beats(line, other))) ?? null;

/** The least cents; on a tie the plan that covers the tasks outright. */
export const findCheapest = (question: Question): Line | null =>
  best(lines(question), (a, b) =>
    a.totalCents === b.totalCents
      ? a.included >= question.tasks && (b.included < question.tasks || a.included > b.included)
      : a.totalCents < b.totalCents,
  );

/** The fewest included tasks that are enough; of several the cheapest. */
const smallestCovering = (question: Question): Line | null =>
  best(
    lines(question).filter(({ included }) => included >= question.tasks),
    (a, b) => a.included < b.included || (a.included === b.included && a.baseCents < b.baseCents),
  );

const cents = (dollars: number): number => Math.round(dollars * 100);

const lineOf = (quote: Quote): Line => ({
  plan: quote.plan,
  included: quote.included_tasks,
  baseCents: cents(quote.base_price),
  totalCents: cents(quote.monthly_price),
});

const byPrice = (a: Line, b: Line): number =>
  a.totalCents - b.totalCents || b.included - a.included || a.plan.localeCompare(b.plan);

/** The tool answers as the oracle does, and its figures agree with one another. */
export function expectOracle(input: AutomationCostInput, question: Question): void {
  const result = calculateAutomationCost(input);
  expect(result.monthly_tasks).toBe(question.tasks);
  expect(result.options.map(lineOf)).toEqual(lines(question).sort(byPrice));
  expect(result.cheapest && lineOf(result.cheapest)).toEqual(findCheapest(question));
  expect(result.cheapest).toEqual(result.options[0] ?? null);
  expect(result.smallest_covering && lineOf(result.smallest_covering)).toEqual(
    smallestCovering(question),
  );
  for (const quote of result.options) {
    expect(quote.overage_tasks).toBe(Math.max(0, question.tasks - quote.included_tasks));
    expect(cents(quote.overage_price)).toBe(cents(quote.monthly_price) - cents(quote.base_price));
    for (const dollars of [quote.base_price, quote.overage_price, quote.monthly_price]) {
      expect(String(dollars)).toMatch(/^\d+(\.\d{1,2})?$/);
    }
  }
}
