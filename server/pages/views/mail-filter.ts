import type { MailFilterResult } from "../../../schemas/index.ts";
import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../../../src/mail-filter/gmail.ts";
import { plural, thousands } from "../../../src/text.ts";
import { type Html, html } from "../html.ts";
import { copyBlock } from "../parts.ts";
import type { View } from "../view.ts";

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

/** How the file gets into Gmail. */
const importSteps = (steps: readonly string[]): Html => html`<details id="import-steps">
<summary>Then import it: ${plural(steps.length, "step")} in Gmail</summary>
<ol>
${steps.map((step) => html`<li>${step}</li>\n`)}</ol>
</details>
`;

type Filter = MailFilterResult["filters"][number];

/** One filter: what it does in words, and its search, which the reader can try in Gmail first. */
const filterCard = (
  { name, explanation, search, preview_url, entries }: Filter,
  index: number,
): Html => html`<section class="card" aria-labelledby="filter-${index}">
<h3 id="filter-${index}"><bdi>${name}</bdi></h3>
<p>${explanation}</p>
${copyBlock({
  id: `search-${index}`,
  label: "Search",
  of: name,
  text: search,
  action: openInGmail(preview_url, name),
})}
${entries.length > 1 && html`<p class="split">${splitWords(entries.length)}</p>`}
</section>
`;

const openInGmail = (href: string, name: string): Html =>
  html`<a class="button" href="${href}" target="_blank" rel="noopener">Open in Gmail<span class="visually-hidden"> the search of ${name}, in a new tab</span></a>`;

const splitWords = (entries: number): string =>
  `In the file these are ${entries} filters that together do the same: a single one would be too long for Gmail.`;

/** The search of the first filter. */
function teaser({ filters: [filter] }: MailFilterResult): Html {
  return html`<pre><code>${filter?.search ?? ""}</code></pre>`;
}

function about(): Html {
  return html`<section>
<h2>How the conditions work</h2>
<ul>
<li>All conditions of a filter must hold. Of several senders, recipients or subjects any one is enough; of several words all must be there, and any one excluded word keeps a mail out.</li>
<li>Gmail finds whole words and takes little notice of case and punctuation: <code>joh</code> does not find <code>john</code>.</li>
<li><code>@shop.example</code> finds every address of that domain, and look-alikes such as <code>@shop.example.other.example</code> too. Senders can be forged, so never let such a filter alone keep mail out of Spam.</li>
<li>Under “Has words” you may use Gmail’s own operators: <code>list:news@shop.example</code>, <code>filename:pdf</code>, <code>(invoice OR receipt)</code>. They are checked for brackets and quotes that do not close, because Gmail takes those without a word and reads them wrongly.</li>
</ul>
</section>
<section>
<h2>Try the search first</h2>
<p>“Open in Gmail” shows the mail you already have that the filter would have taken. It is a close look, not the same thing: a search shows whole conversations and leaves out Spam and the bin, while a filter judges each mail alone, at the moment it arrives. Nothing is changed until you import the file.</p>
</section>
<section>
<h2>What Gmail does with the file</h2>
<ul>
<li>Importing only adds. Import twice, and you have every filter twice: delete the old ones first.</li>
<li>Gmail runs every filter that matches, in no promised order, and stores no names: yours stand as comments in the file.</li>
<li>A forwarding address must be verified in Gmail before the import.</li>
<li>A category was reported lost on import in 2023 and seen kept in 2026. Look it up in the list of filters afterwards.</li>
</ul>
</section>
<section>
<h2>Limits</h2>
<ul>
<li>Gmail publishes no limit for the length of a filter. People have measured 1,469 to 1,488 characters; a longer one may be ignored in silence. So a filter of more than ${thousands(MAX_SEARCH_LENGTH)} characters becomes several that together do the same.</li>
<li>Gmail keeps ${thousands(MAX_FILTERS)} filters in an account.</li>
<li>The only description of the format by Google is of 2009. This file follows it and the files that Gmail itself exported up to 2026. Nobody outside Google can promise more, so look at the list of filters after the import.</li>
</ul>
<p>What you type is used for the answer and then forgotten: this server stores none of it and writes none of it into its log.</p>
</section>`;
}
