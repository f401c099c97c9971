import type { AutomationCostResult, Quote } from "../../../schemas/index.ts";
import type { Breakpoint } from "../../../src/automation-cost/breakpoints.ts";
import { growthNote, roomNote } from "../../../src/automation-cost/notes.ts";
import { money, shareOf } from "../../../src/automation-cost/render.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import type { View } from "../view.ts";
import { computePrices, type Prices, priceChart } from "./price-chart.ts";
import { readZapFile, tasksInput } from "./read-zap-file.ts";

export const automationCostView: View<AutomationCostResult> = {
  product: "Zapier costs",
  action: "Find the cheapest plan",
  lead: "Enter your Zaps and how often they run, and see the cheapest Zapier plan, extra tasks included.",

  form: {
    labels: {
      zaps: "Zaps",
      action_steps: "Action steps",
      name: "Optional name",
      team: "Shared by several people",
    },
    hints: {
      zaps: "Each with up to 100 steps and 10 million runs a month.",
      name: "Tells your Zaps apart.",
      action_steps: "Not the trigger, filters, paths, delays.",
      runs_per_month: "How often it runs in a month.",
      billing: "Annual is paid up front.",
      team: "Needs the Team plan.",
    },
    placeholders: { name: "New lead to CRM", action_steps: "2", runs_per_month: "1,000" },
  },

  reader: {
    label: "Open a CSV or zapfile.json",
    accept: ".csv,.tsv,.txt,.json,text/csv,application/json",
    unchanged: "Your Zaps are unchanged.",
    box: "I know my tasks a month (or paste a table)",
    read: readZapFile,
  },

  presets: [
    { title: "Tasks a month", input: { ...tasksInput(2000), billing: "annual" } },
    {
      title: "One Zap",
      input: { zaps: [{ action_steps: 2, runs_per_month: 300 }], billing: "annual" },
    },
    {
      title: "A shop",
      input: {
        zaps: [
          { name: "Orders to a sheet", action_steps: 2, runs_per_month: 900 },
          { name: "Mail to the buyer", action_steps: 1, runs_per_month: 900 },
        ],
        billing: "annual",
      },
    },
  ],

  summary: ({ monthly_tasks, cheapest }) =>
    cheapest
      ? `${thousands(monthly_tasks)} tasks a month cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
      : `No listed plan carries ${thousands(monthly_tasks)} tasks a month.`,

  body(result, { input: given, run, priceBook }) {
    const input = Object(given);
    const prices = computePrices(result, input, priceBook);
    const billing = result.billing === "monthly" ? "annual" : "monthly";
    return html`${verdict(result)}
${outlook(result, prices)}
${currentPlan(result, run({ ...input, ...ALL_PLANS }))}
${priceFigure(result, prices)}
${billingTable([result, run({ ...input, billing })])}
${planTables(result)}
${automationTable(result)}
<details id="assumptions">
<summary>Assumptions</summary>
<ul class="fine-print">
${result.notes.map((note) => html`<li>${note}</li>\n`)}</ul>
</details>
`;
  },
};

/** The answer in two sentences: the cheapest plan, and the one that includes all tasks. */
function verdict({
  cheapest,
  smallest_covering,
  options,
  monthly_tasks,
  price_doubt,
}: AutomationCostResult): Html {
  if (!cheapest) {
    return html`<div class="verdict none"><p class="answer">No listed plan is enough</p>
<p>Zapier sells more as Enterprise, with a price on request.</p></div>`;
  }
  return html`<div class="verdict"><p class="answer">${answer(cheapest)}</p>
<p>${roomNote(options, monthly_tasks) ?? nextPlan(cheapest, smallest_covering)}</p>
${price_doubt !== null && html`<p>${withLink(price_doubt)}</p>\n`}</div>`;
}

/** A sentence whose last word is Zapier's address. */
function withLink(sentence: string): Html {
  const [, words, address] = /^(.*?)(https:\S+)\.$/.exec(sentence) ?? [];
  return html`${words}<a href="${address ?? ""}" rel="noopener">${address?.replace("https://", "")}</a>.`;
}

const answer = (quote: Quote): Html =>
  html`<strong>${quote.title}</strong>, ${thousands(quote.included_tasks)} tasks, <strong>${money(quote.monthly_price)}</strong> a month${quote.overage_tasks > 0 && html`, including ${overagePrice(quote)} for extra tasks`}`;

function nextPlan(cheapest: Quote, covering: Quote | null): Html {
  if (cheapest.plan === "free") return html`It covers all of them, and there is nothing to pay.`;
  if (cheapest.overage_tasks === 0) return html`It covers all of them, without extra tasks.`;
  if (!covering) return html`No listed plan covers all of them without extra tasks.`;
  const more = money(covering.monthly_price - cheapest.monthly_price);
  return html`The next plan that covers all of them is <strong>${covering.title}</strong>, ${thousands(covering.included_tasks)} tasks, <strong>${money(covering.monthly_price)}</strong> a month: ${more} more.`;
}

/** Says up to how many tasks the answer stays the same. */
function outlook({ cheapest, monthly_tasks }: AutomationCostResult, prices: Prices): Html | false {
  const next = prices.cheapest.find(({ tasks }) => tasks > monthly_tasks);
  return cheapest !== null && next !== undefined && html`<p>${growthNote(cheapest, next)}</p>`;
}

/** Every plan carries a task a month. */
const ALL_PLANS = { zaps: [{ action_steps: 1, runs_per_month: 1 }], team: false };

/**
 * The saving for a user who names the plan they have.
 *
 * @param all the result that has all plans as options.
 */
function currentPlan(
  { options, cheapest }: AutomationCostResult,
  all: AutomationCostResult | undefined,
): Html | false {
  if (!cheapest || !all) return false;
  const enough = new Map(options.map((quote) => [idOf(quote), quote]));
  const plans = all.options
    .map((quote) => ({ quote, id: idOf(quote), now: enough.get(idOf(quote)) }))
    .sort(({ quote: one }, { quote: other }) => planRank(one) - planRank(other));
  return html`<div class="current-plan needs-script" data-choose>
<label for="current-plan">Your plan now</label>
<select id="current-plan"><option value="">–</option>${plans.map(({ quote, id, now }) => html`<option value="${id}">${planWords(quote)}${!now && " (not enough)"}</option>`)}</select>
${plans.map(({ id, now }) => html`<p data-choice="${id}" hidden>${now ? adviseSwitch(now, cheapest) : adviseLargerPlan(cheapest)}</p>\n`)}</div>`;
}

const idOf = ({ plan, included_tasks }: Quote): string => `${plan}-${included_tasks}`;

const planWords = ({ title, included_tasks }: Quote): string =>
  `${title}, ${thousands(included_tasks)} tasks`;

/** A number that sorts plans as Zapier shows them. */
const planRank = ({ plan, included_tasks }: Quote): number =>
  PLANS.indexOf(plan) * MORE_THAN_ANY_TIER + included_tasks;

const MORE_THAN_ANY_TIER = 1e9;

const PLANS: readonly Quote["plan"][] = ["free", "professional", "team"];

function adviseSwitch(now: Quote, cheapest: Quote): string {
  const saving = now.monthly_price - cheapest.monthly_price;
  if (saving <= 0) return "You have the cheapest plan already.";
  return `Switch to ${planWords(cheapest)}: ${money(saving)} a month less, ${money(saving * 12)} a year.`;
}

const adviseLargerPlan = (cheapest: Quote): string =>
  `It is not enough for these Zaps. The cheapest that is: ${planWords(cheapest)}, ${money(cheapest.monthly_price)} a month.`;

/** The chart of the price by tasks, and its break points as a table. */
function priceFigure(result: AutomationCostResult, prices: Prices): Html | false {
  return (
    result.cheapest !== null &&
    prices.cheapest.length > 0 &&
    html`<figure class="prices">
<figcaption>Cheapest price by tasks a month, paid ${BILLING[result.billing]}</figcaption>
${priceChart(result, prices)}
${breakpointTable(prices.cheapest, result)}
</figure>
`
  );
}

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

/** The cheapest plan for annual and for monthly billing, with what a year costs. */
function billingTable(results: readonly (AutomationCostResult | undefined)[]): Html | false {
  const rows = BILLINGS.flatMap((billing) => {
    const cheapest = results.find((result) => result?.billing === billing)?.cheapest;
    return cheapest ? [{ billing, cheapest }] : [];
  });
  const [annual, monthly] = rows;
  if (!annual || !monthly) return false;
  const saving = (monthly.cheapest.monthly_price - annual.cheapest.monthly_price) * 12;
  return html`<table class="billing">
<caption>By the year or by the month</caption>
<thead><tr><th scope="col">Paid</th><th scope="col">A month</th><th scope="col">A year</th></tr></thead>
<tbody>
${rows.map(({ billing, cheapest }) => html`<tr><th scope="row">${BILLING[billing]} <small>${planWords(cheapest)}</small></th><td>${money(cheapest.monthly_price)}</td><td>${money(cheapest.monthly_price * 12)}</td></tr>\n`)}</tbody>
${saving > 0 && html`<tfoot><tr><th scope="row" colspan="2">Paying by the year saves</th><td>${money(saving)}</td></tr></tfoot>`}
</table>
`;
}

const BILLINGS = ["annual", "monthly"] as const;

/** Continues a price: "$5 by the year". */
const BILLING = { annual: "by the year", monthly: "by the month" } as const;

function planTables({ options, monthly_tasks, billing }: AutomationCostResult): Html {
  const [shown, rest] = [options.slice(0, AT_A_GLANCE), options.slice(AT_A_GLANCE)];
  const dearest = rest.at(-1);
  return html`${shown.length > 0 && planTable(`${thousands(monthly_tasks)} tasks a month, paid ${BILLING[billing]}`, shown, true)}
${
  dearest !== undefined &&
  html`<details id="other-plans">
<summary>${plural(rest.length, "more plan")}, up to ${money(dearest.monthly_price)} a month</summary>
${planTable("The other plans, on a scale of their own", rest, false)}
</details>`
}`;
}

/** The plans above the fold; the cheapest is the first of them. */
const AT_A_GLANCE = 4;

/** @param startsWithCheapest whether the first row is the answer. */
function planTable(caption: string, quotes: readonly Quote[], startsWithCheapest: boolean): Html {
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

const LEGEND = html` <span class="legend" aria-hidden="true"><span class="base">plan</span> <span class="overage">extra tasks</span></span>`;

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
<td><div class="graph"><span class="price">${money(quote.monthly_price)}</span> ${priceBar(quote, scale)}</div>
<small>${priceParts(quote)}</small> <small class="known">${priceSource(quote)}</small></td>
</tr>
`;

const priceParts = (quote: Quote): string =>
  quote.overage_tasks === 0
    ? "covers all tasks"
    : `${money(quote.base_price)} + ${overagePrice(quote)} for ${thousands(quote.overage_tasks)} more`;

const priceSource = ({ price_basis, price_read_on }: Quote): string =>
  `${price_basis === "derived" ? "derived from the annual price " : ""}checked on ${price_read_on}`;

/** The price of the overage in words. For a few tasks it rounds to nothing. */
const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);

/** The whole price, with the share of the base price drawn over it. */
const priceBar = ({ base_price, monthly_price }: Quote, scale: number): Html =>
  html`<svg class="bar" width="100%" height="12" aria-hidden="true"><rect class="overage" width="${percentOf(monthly_price, scale)}" height="100%" rx="2"/><rect class="base" width="${percentOf(base_price, scale)}" height="100%" rx="2"/></svg>`;

const percentOf = (price: number, scale: number): string =>
  `${scale === 0 ? 0 : ((100 * price) / scale).toFixed(2)}%`;

const automationTable = ({
  automations,
  monthly_tasks,
}: AutomationCostResult): Html => html`<details id="task-sources">
<summary>Where the tasks come from</summary>
<table class="automations">
<thead><tr><th scope="col">Automation</th><th scope="col">Tasks a month</th></tr></thead>
<tbody>
${automations.map((automation) => automationRow(automation, monthly_tasks))}</tbody>
<tfoot><tr><th scope="row">Together</th><td>${thousands(monthly_tasks)}</td></tr></tfoot>
</table>
</details>
`;

type Automation = AutomationCostResult["automations"][number];

const automationRow = (
  { name, action_steps, runs_per_month, monthly_tasks }: Automation,
  all: number,
): Html =>
  html`<tr><th scope="row"><bdi>${name}</bdi> <small>${plural(action_steps, "step")} × ${plural(runs_per_month, "run")}</small></th><td>${thousands(monthly_tasks)} <small>${shareOf(monthly_tasks, all)}</small></td></tr>\n`;
