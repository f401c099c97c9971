import type { ClientConfig, Warning } from "../../../../schemas/index.ts";
import { copyBlock } from "../../copy-block.ts";
import { type Html, html } from "../../html.ts";
import { inline } from "../../prose.ts";
import { sentence } from "../../sentence.ts";
import { install } from "./install.ts";
import { places } from "./places.ts";

/** All about one client. The page's script makes a tab of it, named by the label. */
export function clientPanel(config: ClientConfig, warnings: readonly Warning[]): Html {
  const { client, title, format, locations, snippet, entry, notes } = config;
  return html`<section id="client-${client}" aria-label="${title}">
<h3>${title}</h3>
${warnings.length > 0 && warningList(warnings)}
${install(config)}
<h4>The file</h4>
${places(locations)}
${copyBlock({ id: `${client}-file`, label: `Whole file, ${format.toUpperCase()}`, of: title, text: snippet })}
${
  entry !== snippet &&
  html`<details id="${client}-more">
<summary>For a file that has other servers</summary>
${copyBlock({ id: `${client}-entry`, label: "The entry alone", of: title, text: entry })}
</details>`
}
<h4>Good to know</h4>
<ul class="fine-print">
${notes.map((note) => html`<li>${inline(note)}</li>\n`)}</ul>
</section>
`;
}

const warningList = (warnings: readonly Warning[]): Html => html`<ul class="notes">
${warnings.map(({ severity, message }) => html`<li class="${severity}">${sentence(message)}</li>\n`)}</ul>`;
