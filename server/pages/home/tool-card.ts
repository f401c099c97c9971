import type { Contract } from "../../../schemas/index.ts";
import { toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { type Html, html } from "../html.ts";
import { sheetOfInput } from "../tool/sheet.ts";
import { viewOf } from "../views/view-of.ts";

/** A tool with what it makes of its example. */
export function toolCard(contract: Contract, { settings }: Service): Html {
  const view = viewOf(contract);
  const { outcome } = sheetOfInput(contract, contract.example_input, settings[contract.name]);
  return html`<li class="tool-card">
<h3><a href="${toolPagePath(contract)}">${contract.title}</a></h3>
<p>${view.lead}</p>
${outcome.kind === "done" && html`<div class="teaser">${view.teaser(outcome.result)}</div>`}
</li>
`;
}
