/*
 * Zapier's list prices, typed in from the research notes and not from src/, so that the tests
 * do not repeat a slip of the price book. Tasks, then US dollars a month: Professional paid
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

export interface Rung {
  readonly plan: "professional" | "team";
  readonly tasks: number;
  /** US cents. */
  readonly price: Readonly<Record<Billing, number>>;
}

const digits = (figure: string): number => Number(figure.replace(/[,.]/g, ""));

/** Every paid tier, Professional before Team, the smallest first. */
export const RUNGS: readonly Rung[] = (["professional", "team"] as const).flatMap((plan, column) =>
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
