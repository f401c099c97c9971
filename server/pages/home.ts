import { type Contract, tools } from "../../schemas/index.ts";
import {
  DOCS_PATH,
  HOME_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  TOOLS_PATH,
  toolPagePath,
} from "../links.ts";
import type { Service } from "../service.ts";
import { curlGet } from "./curl.ts";
import { type Html, html } from "./html.ts";
import { headline, renderPage, SITE_NAME } from "./layout.ts";
import { copyBlock } from "./parts.ts";
import { signupForm } from "./signup-form.ts";
import { serverRunner } from "./tool/page.ts";
import { runInput, viewInput } from "./tool/state.ts";
import { drawTeaser } from "./views/teasers.ts";

/** The home page: the tools with examples, the signup, and the ways to use the tools. */
export function homePage(service: Service): string {
  const title = headline();
  const description = `${title}. Free, without an account, and in your browser.`;
  return renderPage(service, {
    title,
    description,
    path: HOME_PATH,
    layout: "home",
    hasSignup: true,
    structuredData: {
      "@context": "https://schema.org",
      "@type": "WebSite",
      name: SITE_NAME,
      url: `${service.baseUrl()}${HOME_PATH}`,
      description,
    },
    main: html`<header class="hero">
<h1>${title}</h1>
<p class="lead">Free, without an account.<span class="needs-script"> The tools run in your browser: what you type stays there.</span></p>
</header>
<section aria-labelledby="tools">
<h2 class="dimension" id="tools">${tools.length} tools</h2>
<ul class="cards">
${tools.map((contract) => toolCard(contract, service))}</ul>
</section>
<div class="beyond">
${signupForm(service, { ctaSource: "hero", idPrefix: "hero" })}
${waysToUse(service)}
</div>`,
  });
}

/** A tool, an excerpt of its example's result, and the way in. */
function toolCard(contract: Contract, service: Service): Html {
  const runner = serverRunner(contract, service);
  const state = runInput(runner, contract.example_input);
  const { outcome } = state;
  const { view } = runner;
  return html`<li class="tool-card">
<h3><a href="${toolPagePath(contract)}">${contract.title}</a></h3>
<p>${view.lead}</p>
${outcome.kind === "done" && html`<div class="teaser">${drawTeaser(contract, outcome.result, viewInput(state))}</div>`}
<p class="way-in"><a class="button primary" href="${toolPagePath(contract)}">${view.action}</a></p>
</li>
`;
}

/** The ways to use the tools besides the pages, each with a line to copy. */
function waysToUse(service: Service): Html {
  const [{ command }] = tools;
  return html`<section class="ways" aria-labelledby="ways">
<h2 id="ways">More ways to use them</h2>
<h3>From an AI agent</h3>
${service.mcp ? agentByMcp(service) : AGENT_BY_TEXT}
<h3>Over HTTP</h3>
<p>JSON in, JSON out, no key: see <a href="${DOCS_PATH}">the API</a> or its <a href="${OPENAPI_PATH}">OpenAPI document</a>.</p>
${copyBlock({ id: "way-http", label: "Shell", text: curlGet(`${service.baseUrl()}/api/tools`) })}
${
  service.npmPackage !== undefined &&
  html`<h3>In a terminal</h3>
<p>With Node and npm, also in scripts and CI.</p>
${copyBlock({
  id: "way-terminal",
  label: "Shell",
  text: `npx ${service.npmPackage} example ${command} | npx ${service.npmPackage} ${command} -`,
})}`
}
<h3>Without JavaScript</h3>
<p><a href="${TOOLS_PATH}">Every tool’s page</a> works without it, too: the server does the work.</p>
</section>`;
}

const agentByMcp = (
  service: Service,
): Html => html`<p>Add this address to Claude, Cursor, VS Code or Codex as a remote MCP server.</p>
${copyBlock({ id: "way-agent", label: "Address", text: `${service.baseUrl()}${MCP_PATH}` })}`;

const AGENT_BY_TEXT = html`<p>Agents find out how to call the tools at <a href="${LLMS_PATH}">${LLMS_PATH}</a>.</p>`;
