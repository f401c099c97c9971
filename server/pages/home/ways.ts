import { tools } from "../../../schemas/index.ts";
import { DOCS_PATH, LLMS_PATH, OPENAPI_PATH, TOOLS_PATH } from "../../links.ts";
import type { Service } from "../../service.ts";
import { copyBlock } from "../copy-block.ts";
import { curlGet } from "../curl.ts";
import { type Html, html } from "../html.ts";

/** The ways to use the tools, each with a line of code that runs. */
export function ways(service: Service): Html {
  const [{ command }] = tools;
  return html`<section class="ways" aria-labelledby="ways">
<h2 id="ways">Four ways to use them</h2>
<h3>On their pages</h3>
<p>The result is beside the form and follows what you type. Without JavaScript <a href="${TOOLS_PATH}">the pages</a> work too.</p>
<h3>In a terminal</h3>
<p>With nothing but Node and npm, and in scripts and CI.</p>
${copyBlock({
  id: "way-terminal",
  label: "Shell",
  text: `npx handtools example ${command} | npx handtools ${command} -`,
})}
<h3>Over HTTP</h3>
<p>JSON in, JSON out, without a key: <a href="${DOCS_PATH}">the API</a>, also as <a href="${OPENAPI_PATH}">OpenAPI</a>.</p>
${copyBlock({ id: "way-http", label: "Shell", text: curlGet(`${service.baseUrl()}/api/tools`) })}
<h3>By an AI agent</h3>
<p>Agents in the browser find the tools on every page (WebMCP), others read <a href="${LLMS_PATH}">${LLMS_PATH}</a>.</p>
${copyBlock({
  id: "way-agent",
  label: "The browser’s console",
  text: "await document.modelContext?.getTools()",
})}
</section>`;
}
