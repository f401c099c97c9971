import { type Contract, tools } from "../../schemas/index.ts";
import { toolPath } from "../../src/describe-tool.ts";
import { DOCS_PATH, TOOLS_PATH, toolPagePath } from "../links.ts";
import type { Service } from "../service.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { viewOf } from "./views/view-of.ts";

/** All tools, each with its page and endpoint, and its command and function if they are published. */
export const toolsPage = (service: Service): string =>
  renderPage(service, {
    title: "Tools",
    description: `${tools.map(({ title }) => title).join(", ")}: what each does, its page and its API.`,
    path: TOOLS_PATH,
    layout: "tools",
    main: html`<header class="intro">
<h1>Tools</h1>
<p class="lead">Each has a page and an API endpoint. Both give the same result.</p>
</header>
${tools.map((contract) => article(contract, service))}`,
  });

const article = (contract: Contract, service: Service): Html => {
  const { lead, action } = viewOf(contract);
  return html`<article aria-labelledby="${contract.segment}">
<div>
<h2 id="${contract.segment}"><a href="${toolPagePath(contract)}">${contract.title}</a></h2>
<p>${lead}</p>
<p class="way-in"><a class="button primary" href="${toolPagePath(contract)}">${action}</a></p>
</div>
<dl>
<dt>API</dt><dd><a href="${DOCS_PATH}#run_${contract.name}">${service.baseUrl()}${toolPath(contract)}</a></dd>
${
  service.npmPackage !== undefined &&
  html`<dt>Command</dt><dd><code>npx ${service.npmPackage} ${contract.command}</code></dd>
<dt>Function</dt><dd><code>import { ${contract.function} } from "${service.npmPackage}"</code></dd>
`
}</dl>
</article>
`;
};
