import { MAX_FILTERS, MAX_SEARCH_LENGTH } from "../../../../src/mail-filter/gmail.ts";
import { thousands } from "../../../../src/text.ts";
import { type Html, html } from "../../html.ts";

/** The background of the tool's page: headings of level 2 and their texts. */
export function aboutMailFilter(): Html {
  return html`<details>
<summary><h2>How the conditions work</h2></summary>
<ul>
<li>All conditions of a filter must hold. Of several senders, recipients or subjects any one is enough; of several words all must be there, and any one excluded word keeps a mail out.</li>
<li>Gmail finds whole words and takes little notice of case and punctuation: <code>joh</code> does not find <code>john</code>.</li>
<li><code>@shop.example</code> finds every address of that domain, and look-alikes such as <code>@shop.example.other.example</code> too. Senders can be forged, so never let such a filter alone keep mail out of Spam.</li>
<li>Under “Has words” you may use Gmail’s own operators: <code>list:news@shop.example</code>, <code>filename:pdf</code>, <code>(invoice OR receipt)</code>. They are checked for brackets and quotes that do not close, because Gmail takes those without a word and reads them wrongly.</li>
</ul>
</details>
<details>
<summary><h2>Try the search first</h2></summary>
<p>“Open in Gmail” shows the mail you already have that the filter would have taken. It is a close look, not the same thing: a search shows whole conversations and leaves out Spam and the bin, while a filter judges each mail alone, at the moment it arrives. Nothing is changed until you import the file.</p>
</details>
<details>
<summary><h2>What Gmail does with the file</h2></summary>
<ul>
<li>Importing only adds. Import twice, and you have every filter twice: delete the old ones first.</li>
<li>Gmail runs every filter that matches, in no promised order, and stores no names: yours stand as comments in the file.</li>
<li>A forwarding address must be verified in Gmail before the import.</li>
<li>A category was reported lost on import in 2023 and seen kept in 2026. Look it up in the list of filters afterwards.</li>
</ul>
</details>
<details>
<summary><h2>Limits</h2></summary>
<ul>
<li>Gmail publishes no limit for the length of a filter. People have measured 1,469 to 1,488 characters; a longer one may be ignored in silence. So a filter of more than ${thousands(MAX_SEARCH_LENGTH)} characters becomes several that together do the same.</li>
<li>Gmail keeps ${thousands(MAX_FILTERS)} filters in an account.</li>
<li>The only description of the format by Google is of 2009. This file follows it and the files that Gmail itself exported up to 2026. Nobody outside Google can promise more, so look at the list of filters after the import.</li>
</ul>
<p>What you type stays in your browser. Without JavaScript the server answers the form; it stores and logs none of it.</p>
</details>`;
}
