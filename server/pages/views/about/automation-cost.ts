import { priceBook } from "../../../../src/automation-cost/price-book.ts";
import { type Html, html } from "../../html.ts";

/** The background of the tool's page: headings of level 2 and their texts. */
export function aboutAutomationCost(): Html {
  return html`<details>
<summary><h2>What counts as a task</h2></summary>
<p>Every action step that succeeds is one task, each time the Zap runs: three action steps at 400 runs are 1,200 tasks. The trigger, Filter, Paths, Formatter, Delay, Looping, Digest, Storage and Tables cost nothing. Steps that fail or are filtered out cost nothing either, so a Zap that often stops at a filter uses less than is counted here.</p>
<p>Some steps use more than one task, and no form can know how many: AI by Zapier (by model, times the tools it calls), an MCP call (two), Lead Router, Code that runs long, and every step in a loop, once for each item. Zapier’s own pages disagree on whether the steps of a Sub-Zap count.</p>
</details>
<details>
<summary><h2>How the cheapest plan is found</h2></summary>
<p>Every tier of every plan that can hold your Zaps is priced, none is left out beforehand. Above the included tasks a paid plan goes on at ${times(percent.annual)} its price per task when paid by the year, and ${times(percent.monthly)} when paid by the month, until it stops at ${stops_at} times the included tasks. Amounts are exact until they are rounded to a cent, once. At the same price the plan that covers everything outright wins.</p>
<p>Free allows ${priceBook.free.tasks} tasks and one action step in a Zap; one longer Zap rules it out, even if it never runs. Several people who share Zaps need Team.</p>
</details>
<details>
<summary><h2>Where the numbers come from</h2></summary>
<p>Zapier publishes no list of all tiers with dates. The built-in list is stated for ${priceBook.as_of} and was put together from public readings; nobody read it as a whole on that day, so each price says when it was last read.</p>
<ul>
<li>The entry prices, and Professional up to 10,000 tasks but for one tier, were read in September and October 2026.</li>
<li>Most others rest on one complete reading of the annual prices, of 2026-02-06, and one of monthly prices, of 2025-05-18.</li>
<li>“Derived” means that no monthly price was found. It is then one and a half times the annual one, a ratio that held, but for rounding, wherever both were found.</li>
<li>Sources disagree on Professional with 500,000 tasks.</li>
<li>The factor for monthly billing was read three times between 2026-09-20 and 2026-10-05. In May 2026 it was still that of annual billing, and many pages say so to this day.</li>
</ul>
<p>Whoever runs this server may use a price list of their own; the dates beside the prices are always those of the list in use. All prices are list prices in US dollars before tax, without discounts, and without Enterprise, which is priced on request. Before you pay, look at ${elsewhere("https://zapier.com/pricing", "zapier.com/pricing")}.</p>
</details>
<details>
<summary><h2>What this leaves out</h2></summary>
<p>Free has no premium apps and no webhooks, and counts a Filter or Formatter as a step; Professional has one user; prices for AI add-ons and other products of Zapier are not in the list. This site has nothing to do with Zapier.</p>
</details>`;
}

const { percent, stops_at } = priceBook.pay_per_task;

/** Percent as a factor, "1.25 times". */
const times = (value: number): string => `${value / 100} times`;

const elsewhere = (href: string, text: string): Html =>
  html`<a href="${href}" rel="noopener">${text}</a>`;
