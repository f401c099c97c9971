import type { AutomationCostResult } from "../../../../schemas/index.ts";
import { count } from "../../../../src/automation-cost/format.ts";
import { type Html, html } from "../../html.ts";

type Automation = AutomationCostResult["automations"][number];

/** Where the tasks come from. */
export const automationTable = ({
  automations,
  monthly_tasks,
}: AutomationCostResult): Html => html`<table class="automations">
<caption>Where the tasks come from</caption>
<thead><tr><th scope="col">Automation</th><th scope="col">Tasks a month</th></tr></thead>
<tbody>
${automations.map(row)}</tbody>
<tfoot><tr><th scope="row">Together</th><td>${count(monthly_tasks)}</td></tr></tfoot>
</table>
`;

const row = ({ name, action_steps, runs_per_month, monthly_tasks }: Automation): Html =>
  html`<tr><th scope="row"><bdi>${name}</bdi> <small>${counted(action_steps, "step")} × ${counted(runs_per_month, "run")}</small></th><td>${count(monthly_tasks)}</td></tr>\n`;

const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
