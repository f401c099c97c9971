import type { AutomationCostResult, Breakpoint, Quote } from "../../../schemas/index.ts";
import { growthNote, roomNote } from "../../../src/automation-cost/notes.ts";
import { money } from "../../../src/automation-cost/text.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import type { View } from "../view.ts";
import { priceChart } from "./price-chart.ts";
import { readZapFile } from "./read-zap-file.ts";

export const automationCostView: View<AutomationCostResult> = {
  product: "Zapier costs",
  action: "Find the cheapest plan",
  lead: "Enter your Zaps and how often they run. See the tasks they use and the cheapest Zapier plan, overage included.",

  form: {
    labels: { zaps: "Zaps", name: "Optional name", team: "Shared by several people" },
    hints: {
      zaps: "Each with up to 100 action steps and 10 million runs a month.",
      name: "Tells your Zaps apart.",
      action_steps: "Not counting free steps, such as filters.",
      runs_per_month: "How often it runs in a month.",
      billing: "Annual is paid up front.",
      team: "Needs the Team plan.",
    },
    placeholders: { name: "New lead to CRM", action_steps: "2", runs_per_month: "1,000" },
  },

  reader: {
    label: "Open a CSV or zapfile.json",
    accept: ".csv,.tsv,.txt,.json,text/csv,application/json",
    paste: "Or paste the rows of a table into a Zap’s name.",
    read: readZapFile,
  },

  compare: (input) => {
    const billing = Object(input).billing === "monthly" ? "annual" : "monthly";
    return [
      { ...Object(input), billing },
      { ...Object(input), team: true },
    ];
  },

  more: { options: { breakpoints: true } },

  grow: (input, factor) => ({
    ...Object(input),
    zaps: zapsOf(input).map((zap) => ({
      ...zap,
      runs_per_month: Math.min(Math.round(zap.runs_per_month * factor), MAX_RUNS),
    })),
  }),

  summary: ({ monthly_tasks, cheapest }) =>
    cheapest
      ? `${thousands(monthly_tasks)} tasks a month cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
      : `No listed plan carries ${thousands(monthly_tasks)} tasks a month.`,

  // As many parts for every result, so that the slider stays in place while it is moved.
  body: (
    result,
    context,
  ) => html`<div>${verdict(result)}${outlook(result, context)}${currentPlan(result)}</div>
${growthFigure(result, context)}
<div>${billingTable([result, ...context.compared.slice(0, 1)])}
${planTables(result)}
${automationTable(result)}</div>
<details id="assumptions">
<summary>Assumptions</summary>
<ul class="fine-print">
${result.notes.map((note) => html`<li>${note}</li>\n`)}</ul>
</details>
`,

  teaser,
};

type Context = Parameters<View<AutomationCostResult>["body"]>[1];

/** The number of tasks up to which the answer stays the same. */
function outlook(
  { cheapest, monthly_tasks }: AutomationCostResult,
  { more }: Context,
): Html | false {
  const next = more?.breakpoints?.find(({ tasks }) => tasks > monthly_tasks);
  return cheapest !== null && next !== undefined && html`<p>${growthNote(cheapest, next)}</p>`;
}

/** The price against the tasks, and the slider that moves the reader. */
function growthFigure(result: AutomationCostResult, context: Context): Html {
  const { more, compared, grown } = context;
  const { factor, original } = grown ?? { factor: 1, original: result };
  const cheapest = more?.breakpoints;
  if (!cheapest || !original.cheapest) return html`<div></div>`;
  const team = compared.find((other) => other.team)?.breakpoints;
  return html`<figure class="growth">
<figcaption>Price by tasks a month, paid ${BILLING[result.billing]} <span class="legend" aria-hidden="true"><span class="base">cheapest</span>${!result.team && html` <span class="overage">Team</span>`}</span></figcaption>
${drawing(result, original, cheapest, team)}
<p class="slider needs-script"><label for="growth">If this grows</label> <input type="range" id="growth" min="1" max="10" step="0.5" value="1" data-grow> <output for="growth">×${factor}: ${thousands(result.monthly_tasks)} tasks, ${result.cheapest ? `${money(result.cheapest.monthly_price)} a month on ${result.cheapest.title}` : "no listed plan"}</output></p>
${breakpointTable(cheapest, result)}
</figure>
`;
}

const drawing = (
  result: AutomationCostResult,
  original: AutomationCostResult,
  cheapest: readonly Breakpoint[],
  team: readonly Breakpoint[] | undefined,
): Html =>
  priceChart({
    around: original.monthly_tasks,
    cheapest,
    team: result.team ? undefined : team,
    reader: result.cheapest
      ? { tasks: result.monthly_tasks, price: result.cheapest.monthly_price }
      : undefined,
  });

/** The drawing as text, for all numbers of tasks. */
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

/** A valid input, of which the growth is asked. */
const zapsOf = (input: unknown): readonly { readonly runs_per_month: number }[] =>
  Object(input).zaps;

/** The limit of an automation. No listed plan carries as many tasks. */
const MAX_RUNS = 10_000_000;

/** The answer in two sentences: the cheapest plan, and the one that includes all tasks. */
function verdict(result: AutomationCostResult): Html {
  const { cheapest, smallest_covering, options, monthly_tasks } = result;
  if (!cheapest) {
    return html`<div class="verdict none"><p class="answer">No listed plan is enough</p>
<p>Zapier sells more as Enterprise, with a price on request.</p></div>`;
  }
  return html`<div class="verdict"><p class="answer">${answer(cheapest)}</p>
<p>${roomNote(options, monthly_tasks) ?? nextPlan(cheapest, smallest_covering)}</p></div>`;
}

const answer = (quote: Quote): Html =>
  html`<strong>${quote.title}</strong>, ${thousands(quote.included_tasks)} tasks, <strong>${money(quote.monthly_price)}</strong> a month${quote.overage_tasks > 0 && html`, including ${overagePrice(quote)} for overage`}`;

function nextPlan(cheapest: Quote, covering: Quote | null): Html {
  if (cheapest.plan === "free") return html`It covers all of them, and there is nothing to pay.`;
  if (cheapest.overage_tasks === 0) return html`It covers all of them, without overage.`;
  if (!covering) return html`No listed plan covers all of them without overage.`;
  const more = money(covering.monthly_price - cheapest.monthly_price);
  return html`The next plan that covers all of them is <strong>${covering.title}</strong>, ${thousands(covering.included_tasks)} tasks, <strong>${money(covering.monthly_price)}</strong> a month: ${more} more.`;
}

/** The saving for a reader who names the plan they have. */
function currentPlan({ options, cheapest }: AutomationCostResult): Html | false {
  if (!cheapest || options.length < 2) return false;
  const plans = options.map((quote) => ({ quote, id: `${quote.plan}-${quote.included_tasks}` }));
  return html`<div class="current-plan needs-script" data-choose>
<label for="current-plan">Your plan now</label>
<select id="current-plan"><option value="">–</option>${plans.map(({ quote, id }) => html`<option value="${id}">${quote.title}, ${thousands(quote.included_tasks)} tasks</option>`)}</select>
${plans.map(({ quote, id }) => html`<p data-choice="${id}" hidden>${change(quote, cheapest)}</p>\n`)}</div>`;
}

function change(now: Quote, cheapest: Quote): string {
  const saving = now.monthly_price - cheapest.monthly_price;
  if (saving <= 0) return "You have the cheapest plan already.";
  return `Switch to ${cheapest.title}, ${thousands(cheapest.included_tasks)} tasks: ${money(saving)} a month less, ${money(saving * 12)} a year.`;
}

/** The cheapest plan for annual and for monthly billing, with what a year costs. */
function billingTable(results: readonly AutomationCostResult[]): Html | false {
  const rows = BILLINGS.flatMap((billing) => {
    const cheapest = results.find((result) => result.billing === billing)?.cheapest;
    return cheapest ? [{ billing, cheapest }] : [];
  });
  const [annual, monthly] = rows;
  if (!annual || !monthly) return false;
  const saving = (monthly.cheapest.monthly_price - annual.cheapest.monthly_price) * 12;
  return html`<table class="billing">
<caption>By the year or by the month</caption>
<thead><tr><th scope="col">Paid</th><th scope="col">A month</th><th scope="col">A year</th></tr></thead>
<tbody>
${rows.map(({ billing, cheapest }) => html`<tr><th scope="row">${BILLING[billing]} <small>${cheapest.title}, ${thousands(cheapest.included_tasks)} tasks</small></th><td>${money(cheapest.monthly_price)}</td><td>${money(cheapest.monthly_price * 12)}</td></tr>\n`)}</tbody>
${saving > 0 && html`<tfoot><tr><th scope="row" colspan="2">Paying by the year saves</th><td>${money(saving)}</td></tr></tfoot>`}
</table>
`;
}

const BILLINGS = ["annual", "monthly"] as const;

/** Every plan that can carry the tasks, as a table with bars. */
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

const BILLING = { annual: "by the year", monthly: "by the month" } as const;

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

const known = ({ price_basis, price_read_on, price_is_old }: Quote): string =>
  `${price_basis === "derived" ? "derived from the annual price " : ""}read on ${price_read_on}${price_is_old ? ", which is old" : ""}`;

/** The price of the overage in words. For a few tasks it rounds to nothing. */
const overagePrice = ({ overage_price }: Quote): string =>
  overage_price === 0 ? "less than a cent" : money(overage_price);

/** The whole price, with the share of the base price drawn over it. */
const bar = ({ base_price, monthly_price }: Quote, scale: number): Html =>
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
${automations.map(row)}</tbody>
<tfoot><tr><th scope="row">Together</th><td>${thousands(monthly_tasks)}</td></tr></tfoot>
</table>
</details>
`;

type Automation = AutomationCostResult["automations"][number];

const row = ({ name, action_steps, runs_per_month, monthly_tasks }: Automation): Html =>
  html`<tr><th scope="row"><bdi>${name}</bdi> <small>${plural(action_steps, "step")} × ${plural(runs_per_month, "run")}</small></th><td>${thousands(monthly_tasks)}</td></tr>\n`;

/** The cheapest plan, and the drawing around it. */
function teaser(
  result: AutomationCostResult,
  { compared, more }: Pick<Context, "compared" | "more">,
): Html {
  const { cheapest } = result;
  const team = compared.find((other) => other.team)?.breakpoints;
  return html`${cheapest !== null && html`<p><strong>${cheapest.title}</strong>, ${money(cheapest.monthly_price)} a month</p>`}
${more?.breakpoints && drawing(result, result, more.breakpoints, team)}`;
}
