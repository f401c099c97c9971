import type { McpConfigInput, Transport } from "../../../schemas/mcp-config.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { type McpReadme, mcpReadme } from "../../../src/mcp-config/readme/mcp-readme.ts";
import { type Html, html } from "../html.ts";
import { copyBlock } from "../parts.ts";

/** The install section for the README of the server's authors, with its look; nothing for another input. */
export function readmeSection(input: unknown, transport: Transport): Html | false {
  const readme = sectionOf(input, transport);
  return (
    readme !== undefined &&
    html`<details id="for-your-readme">
<summary>For your README</summary>
${
  typeof readme === "string"
    ? html`<p>The input ${readme}.</p>`
    : html`<p>People install your server with these buttons, whose links GitHub keeps, or copy the config of their client.</p>
<div class="readme-look">
<p>${readme.buttons.map(
        ({ title }) => html`<span class="badge">Install in ${title}</span>
`,
      )}</p>
${readme.configs.map(
  ({ client, title, snippet }) => html`<details id="readme-${client}">
<summary>${title}</summary>
<pre tabindex="0" role="group" aria-label="${title}"><code>${snippet}</code></pre>
</details>
`,
)}</div>
${copyBlock({ id: "readme-markdown", label: "Markdown", of: "your README", text: readme.markdown })}`
}
</details>`
  );
}

function sectionOf(input: unknown, transport: Transport): McpReadme | string | undefined {
  try {
    return mcpReadme(input as McpConfigInput, { hideValues: true, transport });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const [issue] = error.issues;
    return issue?.message.includes("README") ? `${issue.message}: ${issue.path}` : undefined;
  }
}
