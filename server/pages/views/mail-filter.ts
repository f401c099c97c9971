import type { MailFilterResult } from "../../../schemas/index.ts";
import { plural } from "../../../src/text.ts";
import { copyBlock } from "../copy-block.ts";
import { html } from "../html.ts";
import type { View } from "../view.ts";
import { about } from "./mail-filter/about.ts";
import { filterCard } from "./mail-filter/filter-card.ts";
import { importSteps } from "./mail-filter/import-steps.ts";
import { teaser } from "./mail-filter/teaser.ts";

export const mailFilterView: View<MailFilterResult> = {
  lead: "Say which mail, and what should happen to it: get a search to try first, and a file that Gmail imports.",

  summary({ filters }) {
    const entries = filters.flatMap((filter) => filter.entries).length;
    const written = entries > filters.length ? `, written as ${entries}` : "";
    return `${plural(filters.length, "filter")}${written}, ready to import.`;
  },

  body: (
    { file, filters, how_to_import },
    { fileHref },
  ) => html`${fileHref !== undefined && html`<p><a class="button primary" href="${fileHref}" download>Download ${file.name}</a></p>`}
${importSteps(how_to_import)}
${filters.map(filterCard)}
<details id="file-details">
<summary>The file’s text</summary>
${copyBlock({ id: "file-text", label: file.name, text: file.content })}
</details>
`,

  teaser,

  about,
};
