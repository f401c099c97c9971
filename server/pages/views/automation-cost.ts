import type { AutomationCostResult } from "../../../schemas/index.ts";
import { count, money } from "../../../src/automation-cost/format.ts";
import { html } from "../html.ts";
import type { View } from "../view.ts";
import { about } from "./automation-cost/about.ts";
import { automationTable } from "./automation-cost/automation-table.ts";
import { planTables } from "./automation-cost/plan-tables.ts";
import { teaser } from "./automation-cost/teaser.ts";
import { verdict } from "./automation-cost/verdict.ts";

export const automationCostView: View<AutomationCostResult> = {
  lead: "Enter your Zaps and how often they run: see the tasks they use and the cheapest Zapier plan, overage counted in.",

  summary: ({ monthly_tasks, cheapest }) =>
    cheapest
      ? `${count(monthly_tasks)} tasks a month cost ${money(cheapest.monthly_price)} on ${cheapest.title}.`
      : `No listed plan carries ${count(monthly_tasks)} tasks a month.`,

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
