import type { MailFilterResult } from "../../../../schemas/index.ts";
import { type Html, html } from "../../html.ts";

/** The search of the first filter. */
export const teaser = ({ filters: [filter] }: MailFilterResult): Html =>
  html`<pre><code>${filter?.search ?? ""}</code></pre>`;
