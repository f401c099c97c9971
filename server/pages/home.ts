import { type Contract, tools } from "../../schemas/index.ts";
import {
  DOCS_PATH,
  HOME_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  TOOLS_PATH,
  toolPagePath,
} from "../links.ts";
import type { Service } from "../service.ts";
import { type Html, html } from "./html.ts";
import { renderPage, SITE_NAME } from "./layout.ts";
import { copyBlock, curlGet } from "./parts.ts";
import { signupForm } from "./signup-form.ts";
import { serverRunner } from "./tool/server-runner.ts";
import { stateOfInput } from "./tool/state.ts";
import { viewOf } from "./views/view-of.ts";

/** The home page: the tools with examples, the signup, and the ways to use the tools. */
export function homePage(service: Service): string {
  const headline = `${tools.map((tool) => viewOf(tool).product).join(", ")}: done in a minute`;
  const description = `${headline}. Free, without an account, and in your browser.`;
  return renderPage(service, {
    title: headline,
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
<h1>${headline}</h1>
<p class="lead">Free, without an account. The tools run in your browser: what you type stays there.</p>
</header>
<section aria-labelledby="tools">
<h2 class="dimension" id="tools">${tools.length} tools, no account</h2>
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
  const { outcome } = stateOfInput(runner, contract.example_input);
  const { view } = runner;
  return html`<li class="tool-card">
<h3><a href="${toolPagePath(contract)}">${contract.title}</a></h3>
<p>${view.lead}</p>
${outcome.kind === "done" && html`<div class="teaser">${view.teaser(outcome.result)}</div>`}
<p class="way-in"><a class="button primary" href="${toolPagePath(contract)}">${view.action}</a></p>
</li>
`;
}

/** The ways to use the tools, each with a line of code that runs. */
function waysToUse(service: Service): Html {
  const [{ command }] = tools;
  return html`<section class="ways" aria-labelledby="ways">
<h2 id="ways">More ways to use them</h2>
<h3>Over HTTP</h3>
<p>JSON in, JSON out, without a key: <a href="${DOCS_PATH}">the API</a>, also as <a href="${OPENAPI_PATH}">OpenAPI</a>.</p>
${copyBlock({ id: "way-http", label: "Shell", text: curlGet(`${service.baseUrl()}/api/tools`) })}
<h3>By an AI agent</h3>
<p>Agents in the browser find the tools on every page (WebMCP). Others read <a href="${LLMS_PATH}">${LLMS_PATH}</a>.</p>
${copyBlock({
  id: "way-agent",
  label: "The browser’s console",
  text: "await document.modelContext?.getTools()",
})}
${
  service.npmPackage !== undefined &&
  html`<h3>In a terminal</h3>
<p>With Node and npm, in scripts and CI.</p>
${copyBlock({
  id: "way-terminal",
  label: "Shell",
  text: `npx ${service.npmPackage} example ${command} | npx ${service.npmPackage} ${command} -`,
})}`
}
<h3>Without JavaScript</h3>
<p><a href="${TOOLS_PATH}">The pages</a> work too: the server then answers the form.</p>
</section>`;
}
