import type { AutomationCostResult, Quote } from "../../../../schemas/index.ts";
import { count, money } from "../../../../src/automation-cost/format.ts";
import { type Html, html } from "../../html.ts";
import { planRow } from "./plan-row.ts";

/** As many plans as can be taken in at a glance; the answer is among them. */
const AT_A_GLANCE = 6;

/** Every plan that carries the tasks, as a chart in the cells of a table. */
export function planTables({ options, monthly_tasks, billing }: AutomationCostResult): Html {
  const [shown, rest] = [options.slice(0, AT_A_GLANCE), options.slice(AT_A_GLANCE)];
  const dearest = rest.at(-1);
  return html`${shown.length > 0 && table(`${count(monthly_tasks)} tasks a month, paid ${BILLING[billing]}`, shown, true)}
${
  dearest !== undefined &&
  html`<details id="other-plans">
<summary>${rest.length} more, up to ${money(dearest.monthly_price)} a month</summary>
${table("The other plans, to a scale of their own", rest, false)}
</details>`
}`;
}

const BILLING = { annual: "by the year", monthly: "by the month" } as const;

/** @param startsWithCheapest whether the first row is the answer. */
function table(caption: string, quotes: readonly Quote[], startsWithCheapest: boolean): Html {
  const scale = Math.max(...quotes.map(({ monthly_price }) => monthly_price));
  const hasOverage = quotes.some(({ overage_price }) => overage_price > 0);
  return html`<table class="plans">
<caption>${caption}${hasOverage && LEGEND}</caption>
<thead><tr><th scope="col">Plan</th><th scope="col">Price a month</th></tr></thead>
<tbody>
${quotes.map((quote, index) => planRow(quote, scale, startsWithCheapest && index === 0))}</tbody>
</table>
`;
}

const LEGEND = html` <span class="legend" aria-hidden="true"><span class="base">plan</span> <span class="overage">overage</span></span>`;
