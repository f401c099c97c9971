import type { AutomationCostResult } from "../../../../schemas/index.ts";
import { money } from "../../../../src/automation-cost/format.ts";
import { type Html, html } from "../../html.ts";
import { bar } from "./plan-row.ts";

/** The cheapest plan beside those that come next. */
export function teaser({ options, cheapest }: AutomationCostResult): Html {
  const shown = options.slice(0, 4);
  const scale = shown.at(-1)?.monthly_price ?? 0;
  return html`${cheapest !== null && html`<p><strong>${cheapest.title}</strong>, ${money(cheapest.monthly_price)} a month</p>`}
${shown.map((quote) => html`<div class="graph"><span class="price">${money(quote.monthly_price)}</span> ${bar(quote, scale)}</div>\n`)}`;
}
