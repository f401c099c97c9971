import type { MailFilterResult } from "../../../../schemas/index.ts";
import { copyBlock } from "../../copy-block.ts";
import { type Html, html } from "../../html.ts";

type Filter = MailFilterResult["filters"][number];

/** One filter: what it does in words, and its search, to be tried before anything is imported. */
export const filterCard = (
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
