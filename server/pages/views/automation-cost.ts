import type { AutomationCostResult, Quote } from "../../../schemas/index.ts";
import { money } from "../../../src/automation-cost/format.ts";
import { priceBook } from "../../../src/automation-cost/price-book.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import type { View } from "../view.ts";

export const automationCostView: View<AutomationCostResult> = {
  lead: "Enter your Zaps and how often they run: see the tasks they use and the cheapest Zapier plan, overage counted in.",

  summary: ({ monthly_tasks, cheapest }) =>
    cheapest
      ? `${thousands(monthly_tasks)} tasks a month cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
      : `No listed plan carries ${thousands(monthly_tasks)} tasks a month.`,

  body: (result) => html`${verdict(result)}
${planTables(result)}
${automationTable(result)}
<h3>What this rests on</h3>
<ul class="fine-print">
${result.notes.map((note) => html`<li>${note}</li>\n`)}</ul>
`,

  teaser,

  about,
};

/** The answer in two sentences: the cheapest plan, and the one that includes all tasks. */
function verdict({ cheapest, smallest_covering }: AutomationCostResult): Html {
  if (!cheapest) {
    return html`<div class="verdict none"><p class="answer">No listed plan is enough</p>
<p>Zapier sells more as Enterprise, with a price on request.</p></div>`;
  }
  return html`<div class="verdict"><p class="answer">${answer(cheapest)}</p>
<p>${nextPlan(cheapest, smallest_covering)}</p></div>`;
}

const answer = (quote: Quote): Html =>
  html`<strong>${quote.title}</strong>, ${thousands(quote.included_tasks)} tasks, <strong>${money(quote.monthly_price)}</strong> a month${quote.overage_tasks > 0 && html`, of which ${overagePrice(quote)} overage`}`;

function nextPlan(cheapest: Quote, covering: Quote | null): Html {
  if (cheapest.plan === "free") return html`It covers all of them, and there is nothing to pay.`;
  if (cheapest.overage_tasks === 0) return html`It covers all of them, without overage.`;
  if (!covering) return html`No listed plan covers all of them without overage.`;
  const more = money(covering.monthly_price - cheapest.monthly_price);
  return html`The next plan that covers all of them is <strong>${covering.title}</strong>, ${thousands(covering.included_tasks)} tasks, <strong>${money(covering.monthly_price)}</strong> a month: ${more} more.`;
}

/** Every plan that can carry the tasks, as a table with bars. */
function planTables({ options, monthly_tasks, billing }: AutomationCostResult): Html {
  const [shown, rest] = [options.slice(0, AT_A_GLANCE), options.slice(AT_A_GLANCE)];
  const dearest = rest.at(-1);
  return html`${shown.length > 0 && table(`${thousands(monthly_tasks)} tasks a month, paid ${BILLING[billing]}`, shown, true)}
${
  dearest !== undefined &&
  html`<details id="other-plans">
<summary>${rest.length} more, up to ${money(dearest.monthly_price)} a month</summary>
${table("The other plans, to a scale of their own", rest, false)}
</details>`
}`;
}

/** How many plans stand outside the fold; the cheapest is the first of them. */
const AT_A_GLANCE = 6;

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

/**
 * A plan with its price as a bar.
 *
 * @param scale the price whose bar fills the cell.
 */
export const planRow = (
  quote: Quote,
  scale: number,
  isCheapest: boolean,
): Html => html`<tr${isCheapest && html` class="cheapest"`}>
<th scope="row">${quote.title} <small>${thousands(quote.included_tasks)} tasks</small>${isCheapest && html` <span class="tag">cheapest</span>`}</th>
<td><div class="graph"><span class="price">${money(quote.monthly_price)}</span> ${bar(quote, scale)}</div>
<small>${parts(quote)}</small> <small class="known">${known(quote)}</small></td>
</tr>
`;

const parts = (quote: Quote): string =>
  quote.overage_tasks === 0
    ? "covers all tasks"
    : `${money(quote.base_price)} + ${overagePrice(quote)} for ${thousands(quote.overage_tasks)} more`;

const known = ({ price_basis, price_read_on }: Quote): string =>
  price_basis === "derived"
    ? `derived from the annual price read on ${price_read_on}`
    : `read on ${price_read_on}`;

/** The price of the overage in words. For a few tasks it rounds to nothing. */
const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);

/** The whole price, with the plan's own share drawn over it. */
const bar = ({ base_price, monthly_price }: Quote, scale: number): Html =>
  html`<svg class="bar" width="100%" height="12" aria-hidden="true"><rect class="overage" width="${percentOf(monthly_price, scale)}" height="100%" rx="2"/><rect class="base" width="${percentOf(base_price, scale)}" height="100%" rx="2"/></svg>`;

const percentOf = (price: number, scale: number): string =>
  `${scale === 0 ? 0 : ((100 * price) / scale).toFixed(2)}%`;

/** Where the tasks come from. */
const automationTable = ({
  automations,
  monthly_tasks,
}: AutomationCostResult): Html => html`<table class="automations">
<caption>Where the tasks come from</caption>
<thead><tr><th scope="col">Automation</th><th scope="col">Tasks a month</th></tr></thead>
<tbody>
${automations.map(row)}</tbody>
<tfoot><tr><th scope="row">Together</th><td>${thousands(monthly_tasks)}</td></tr></tfoot>
</table>
`;

type Automation = AutomationCostResult["automations"][number];

const row = ({ name, action_steps, runs_per_month, monthly_tasks }: Automation): Html =>
  html`<tr><th scope="row"><bdi>${name}</bdi> <small>${plural(action_steps, "step")} × ${plural(runs_per_month, "run")}</small></th><td>${thousands(monthly_tasks)}</td></tr>\n`;

/** The cheapest plan and the next few. */
function teaser({ options, cheapest }: AutomationCostResult): Html {
  const shown = options.slice(0, 4);
  const scale = shown.at(-1)?.monthly_price ?? 0;
  return html`${cheapest !== null && html`<p><strong>${cheapest.title}</strong>, ${money(cheapest.monthly_price)} a month</p>`}
${shown.map((quote) => html`<div class="graph"><span class="price">${money(quote.monthly_price)}</span> ${bar(quote, scale)}</div>\n`)}`;
}

function about(): Html {
  return html`<section>
<h2>What counts as a task</h2>
<p>Every action step that succeeds is one task, each time the Zap runs: three action steps at 400 runs are 1,200 tasks. The trigger, Filter, Paths, Formatter, Delay, Looping, Digest, Storage and Tables cost nothing. Steps that fail or are filtered out cost nothing either, so a Zap that often stops at a filter uses less than is counted here.</p>
<p>Some steps use more than one task, and no form can know how many: AI by Zapier (by model, times the tools it calls), an MCP call (two), Lead Router, Code that runs long, and every step in a loop, once for each item. Zapier’s own pages disagree on whether the steps of a Sub-Zap count.</p>
</section>
<section>
<h2>How the cheapest plan is found</h2>
<p>Every tier of every plan that can hold your Zaps is priced, none is left out beforehand. Above the included tasks a paid plan goes on at ${times(percent.annual)} its price per task when paid by the year, and ${times(percent.monthly)} when paid by the month, until it stops at ${stops_at} times the included tasks. Amounts are exact until they are rounded to a cent, once. At the same price the plan that covers everything outright wins.</p>
<p>Free allows ${priceBook.free.tasks} tasks and one action step in a Zap; one longer Zap rules it out, even if it never runs. Several people who share Zaps need Team.</p>
</section>
<section>
<h2>Where the numbers come from</h2>
<p>Zapier publishes no list of all tiers with dates. The built-in list is stated for ${priceBook.as_of} and was put together from public readings; nobody read it as a whole on that day, so each price says when it was last read.</p>
<ul>
<li>The entry prices, and Professional up to 10,000 tasks but for one tier, were read in September and October 2026.</li>
<li>Most others rest on one complete reading of the annual prices, of 2026-02-06, and one of monthly prices, of 2025-05-18.</li>
<li>“Derived” means that no monthly price was found. It is then one and a half times the annual one, a ratio that held, but for rounding, wherever both were found.</li>
<li>Sources disagree on Professional with 500,000 tasks.</li>
<li>The factor for monthly billing was read three times between 2026-09-20 and 2026-10-05. In May 2026 it was still that of annual billing, and many pages say so to this day.</li>
</ul>
<p>Whoever runs this server may use a price list of their own; the dates beside the prices are always those of the list in use. All prices are list prices in US dollars before tax, without discounts, and without Enterprise, which is priced on request. Before you pay, look at ${elsewhere("https://zapier.com/pricing", "zapier.com/pricing")}.</p>
</section>
<section>
<h2>What this leaves out</h2>
<p>Free has no premium apps and no webhooks, and counts a Filter or Formatter as a step; Professional has one user; prices for AI add-ons and other products of Zapier are not in the list. This site has nothing to do with Zapier.</p>
</section>`;
}

const { percent, stops_at } = priceBook.pay_per_task;

/** Percent as a factor, "1.25 times". */
const times = (value: number): string => `${value / 100} times`;

const elsewhere = (href: string, text: string): Html =>
  html`<a href="${href}" rel="noopener">${text}</a>`;
