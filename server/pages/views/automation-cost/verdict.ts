import type { AutomationCostResult, Quote } from "../../../../schemas/index.ts";
import { count, money } from "../../../../src/automation-cost/format.ts";
import { type Html, html } from "../../html.ts";
import { overagePrice } from "./overage-price.ts";

/** The answer in two sentences: the cheapest plan, and the one that includes all tasks. */
export function verdict({ cheapest, smallest_covering }: AutomationCostResult): Html {
  if (!cheapest) {
    return html`<div class="verdict none"><p class="answer">No listed plan is enough</p>
<p>Zapier sells more as Enterprise, with a price on request.</p></div>`;
  }
  return html`<div class="verdict"><p class="answer">${answer(cheapest)}</p>
<p>${nextPlan(cheapest, smallest_covering)}</p></div>`;
}

const answer = (quote: Quote): Html =>
  html`<strong>${quote.title}</strong>, ${count(quote.included_tasks)} tasks, <strong>${money(quote.monthly_price)}</strong> a month${quote.overage_tasks > 0 && html`, of which ${overagePrice(quote)} overage`}`;

function nextPlan(cheapest: Quote, covering: Quote | null): Html {
  if (cheapest.plan === "free") return html`It covers all of them, and there is nothing to pay.`;
  if (cheapest.overage_tasks === 0) return html`It covers all of them, without overage.`;
  if (!covering) return html`No listed plan covers all of them without overage.`;
  const more = money(covering.monthly_price - cheapest.monthly_price);
  return html`The next plan that covers all of them is <strong>${covering.title}</strong>, ${count(covering.included_tasks)} tasks, <strong>${money(covering.monthly_price)}</strong> a month: ${more} more.`;
}
