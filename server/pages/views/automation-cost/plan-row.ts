import type { Quote } from "../../../../schemas/index.ts";
import { count, money } from "../../../../src/automation-cost/format.ts";
import { type Html, html } from "../../html.ts";
import { overagePrice } from "./overage-price.ts";

/**
 * A plan with its price as a bar.
 *
 * @param scale the price that is as long as the cell is wide.
 */
export const planRow = (
  quote: Quote,
  scale: number,
  isCheapest: boolean,
): Html => html`<tr${isCheapest && html` class="cheapest"`}>
<th scope="row">${quote.title} <small>${count(quote.included_tasks)} tasks</small>${isCheapest && html` <span class="tag">cheapest</span>`}</th>
<td><div class="graph"><span class="price">${money(quote.monthly_price)}</span> ${bar(quote, scale)}</div>
<small>${parts(quote)}</small> <small class="known">${known(quote)}</small></td>
</tr>
`;

/** The whole price, and the plan's own in front of it. */
export const bar = ({ base_price, monthly_price }: Quote, scale: number): Html =>
  html`<svg class="bar" width="100%" height="12" aria-hidden="true"><rect class="overage" width="${percentOf(monthly_price, scale)}" height="100%" rx="2"/><rect class="base" width="${percentOf(base_price, scale)}" height="100%" rx="2"/></svg>`;

const percentOf = (price: number, scale: number): string =>
  `${scale === 0 ? 0 : ((100 * price) / scale).toFixed(2)}%`;

const parts = (quote: Quote): string =>
  quote.overage_tasks === 0
    ? "covers all tasks"
    : `${money(quote.base_price)} + ${overagePrice(quote)} for ${count(quote.overage_tasks)} more`;

const known = ({ price_basis, price_read_on }: Quote): string =>
  price_basis === "derived"
    ? `derived from the annual price read on ${price_read_on}`
    : `read on ${price_read_on}`;
