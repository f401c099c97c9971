import type { AutomationCostResult, Breakpoint } from "../../../schemas/index.ts";
import { growthNote } from "../../../src/automation-cost/notes.ts";
import { money } from "../../../src/automation-cost/render.ts";
import { thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import type { ViewContext } from "../view.ts";
import { priceChart } from "./price-chart.ts";

/** The break points of the cheapest price, and those of the Team plan, unless the input asks for it. */
interface Prices {
  readonly cheapest: readonly Breakpoint[];
  readonly team: readonly Breakpoint[] | undefined;
}

export function computePrices(
  { team }: AutomationCostResult,
  input: unknown,
  run: ViewContext<AutomationCostResult>["run"],
): Prices {
  const findBreakpoints = (other: unknown) => run(other, { breakpoints: true })?.breakpoints;
  return {
    cheapest: findBreakpoints(input) ?? [],
    team: team ? undefined : findBreakpoints({ ...Object(input), team: true }),
  };
}

/**
 * The chart of the price by tasks, and the slider that moves the user's point.
 *
 * @param factor the result's tasks as a multiple of the original's.
 */
export function growthFigure(
  result: AutomationCostResult,
  original: AutomationCostResult,
  prices: Prices,
  factor: number,
): Html {
  if (!original.cheapest || prices.cheapest.length === 0) return html`<div></div>`;
  return html`<figure class="growth">
<figcaption>Cheapest price by tasks a month, paid ${BILLING[result.billing]}</figcaption>
${resultChart(result, original, prices)}
<p class="slider needs-script"><label for="growth">If this grows</label> <input type="range" id="growth" min="1" max="10" step="0.5" value="1" data-grow> <output for="growth" aria-live="off">×${factor}: ${thousands(result.monthly_tasks)} tasks, ${result.cheapest ? `${money(result.cheapest.monthly_price)} a month on ${result.cheapest.title}` : "no listed plan"}</output></p>
${breakpointTable(prices.cheapest, result)}
</figure>
`;
}

/** The chart of a result. It keeps the range of the original when the user moves the slider. */
export const resultChart = (
  result: AutomationCostResult,
  original: AutomationCostResult,
  prices: Prices,
): Html =>
  priceChart({
    ...prices,
    around: original.monthly_tasks,
    current: result.cheapest
      ? { tasks: result.monthly_tasks, price: result.cheapest.monthly_price }
      : undefined,
  });

/** The chart as text, for all numbers of tasks. */
function breakpointTable(
  points: readonly Breakpoint[],
  { monthly_tasks }: AutomationCostResult,
): Html {
  const current = points.findLast(({ tasks }) => tasks <= monthly_tasks);
  return html`<details id="breakpoints">
<summary>All break points</summary>
<table class="automations">
<thead><tr><th scope="col">From tasks a month</th><th scope="col">A month</th></tr></thead>
<tbody>
${points.map((point) => html`<tr${point === current && html` class="cheapest"`}><th scope="row">${thousands(point.tasks)} <small>${point.plan ? `${point.title}, ${thousands(point.included_tasks ?? 0)} tasks` : "no listed plan"}${point === current && ": you"}</small></th><td>${point.monthly_price !== null && money(point.monthly_price)}</td></tr>\n`)}</tbody>
</table>
</details>`;
}

/** Says up to how many tasks the answer stays the same. */
export function growthOutlook(
  { cheapest, monthly_tasks }: AutomationCostResult,
  prices: Prices,
): Html | false {
  const next = prices.cheapest.find(({ tasks }) => tasks > monthly_tasks);
  return cheapest !== null && next !== undefined && html`<p>${growthNote(cheapest, next)}</p>`;
}

/** A valid input with the runs of its automations multiplied. */
export const multiplyRuns = (input: unknown, factor: number): object => ({
  ...Object(input),
  zaps: listZaps(input).map((zap) => ({
    ...zap,
    runs_per_month: Math.min(Math.round(zap.runs_per_month * factor), MAX_RUNS),
  })),
});

const listZaps = (input: unknown): readonly { readonly runs_per_month: number }[] =>
  Object(input).zaps;

/** The most runs of an automation. No listed plan carries as many tasks. */
const MAX_RUNS = 10_000_000;

/** Continues a price: "$5 by the year". */
export const BILLING = { annual: "by the year", monthly: "by the month" } as const;
