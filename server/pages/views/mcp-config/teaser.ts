import type { McpConfigResult } from "../../../../schemas/index.ts";
import { type Html, html } from "../../html.ts";

/** Who it is for, and the shortest of the files. */
export function teaser({ clients }: McpConfigResult): Html {
  const [shortest] = clients
    .map(({ snippet }) => snippet)
    .sort((one, other) => one.length - other.length);
  return html`<p>${clients.map(({ title }) => title).join(" · ")}</p>
<pre><code>${shortest ?? ""}</code></pre>`;
}
