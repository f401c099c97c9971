import type { Contract, ResultOf, ToolContract } from "../../../schemas/index.ts";
import { money } from "../../../src/automation-cost/render.ts";
import { type Html, html } from "../html.ts";
import type { ViewContext } from "../view.ts";
import { listFilters } from "./mail-trial/mail-trial.ts";
import { computePrices, priceChart } from "./price-chart.ts";

/** Draws what a tool does, for its card on the home page. The pages' scripts do not load it. */
export function drawTeaser({ name }: Contract, result: unknown, context: Context): Html {
  const teaser = teasers.get(name);
  if (!teaser) throw new Error(`No teaser is written for ${name}`);
  return teaser.draw(result, context);
}

type Context = Pick<ViewContext<unknown>, "input" | "priceBook">;

interface Teaser<Result = unknown> {
  draw(result: Result, context: Context): Html;
}

/** A missing teaser does not compile. */
const TEASERS: { readonly [C in ToolContract as C["name"]]: Teaser<ResultOf<C>> } = {
  /** Mail of the first filter, and what happens to it. */
  mail_filter_generator: {
    draw({ filters: [filter] }, { input }) {
      const { from = [], subject = [] } = Object(listFilters(input)[0]);
      const { label, shouldArchive } = filter?.entries[0]?.properties ?? {};
      return html`<ul class="picture">${from.map((sender: string, at: number) => html`<li class="mail"><bdi>${sender}</bdi> ${subject[at]}</li>\n`)}</ul>
<ul class="picture then" aria-label="becomes">${label !== undefined && html`<li class="tag">${label}</li>`} ${shouldArchive && html`<li class="tag">Archive (skip the inbox)</li>`}</ul>`;
    },
  },
  /** The cheapest plan, and the chart around it. */
  automation_cost_calculator: {
    draw(result, { input, priceBook }) {
      const { cheapest } = result;
      return html`${cheapest !== null && html`<p><strong>${cheapest.title}</strong>, ${money(cheapest.monthly_price)} a month</p>`}
${priceChart(result, computePrices(result, input, priceBook))}`;
    },
  },
  /** The server, and the clients that get it. */
  mcp_config_generator: {
    draw({ clients }, { input }) {
      const { command = "", args = [] } = Object(input);
      return html`<p class="picture"><code>${[command, ...args].join(" ")}</code></p>
<ul class="picture then" aria-label="becomes">${clients.map(({ title }) => html`<li class="tag">${title}</li>\n`)}</ul>`;
    },
  },
};

const teasers: ReadonlyMap<string, Teaser> = new Map(Object.entries<Teaser>(TEASERS));
