import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Contract } from "../../../schemas/index.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { readJson } from "../../../src/json-text.ts";
import { toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { About } from "../about.tsx";
import { assetHref } from "../assets/assets.ts";
import { html } from "../html.ts";
import { renderHtml } from "../layout.tsx";
import { viewOf } from "../views/view-of.ts";
import { sizeIssue, type ToolPageState, type ToolRunner, toolRunner } from "./state.ts";
import { workbench } from "./workbench.ts";

/** A tool's page: its form, the outcome and the background. */
export function toolPage(service: Service, state: ToolPageState): string {
  const { contract, view } = state.runner;
  return renderHtml(service, {
    title: contract.title,
    description: view.lead,
    path: toolPagePath(contract),
    layout: "tool",
    structuredData: structuredData(contract, service.baseUrl()),
    main: html`<header class="intro">
<h1>${contract.title}</h1>
<p class="lead">${view.lead}</p>
</header>
<div data-base-url="${service.baseUrl()}"${view.trial && html` data-worker="${assetHref(view.trial.worker)}"`}${service.priceBook && html` data-price-book="${JSON.stringify(service.priceBook)}"`}>
${workbench(state, service.baseUrl())}
</div>
${{ markup: renderToString(h(About, { of: contract.name })) }}`,
  });
}

/** The tool for search engines, as schema.org's WebApplication. */
const structuredData = (contract: Contract, baseUrl: string): object => ({
  "@context": "https://schema.org",
  "@type": "WebApplication",
  name: contract.title,
  description: contract.description,
  url: `${baseUrl}${toolPagePath(contract)}`,
  applicationCategory: "UtilitiesApplication",
  operatingSystem: "Any",
  isAccessibleForFree: true,
  offers: { "@type": "Offer", price: "0", priceCurrency: "USD" },
});

export const serverRunner = (contract: Contract, service: Service): ToolRunner =>
  toolRunner(contract, viewOf(contract), {
    run(input, options) {
      requireShort(JSON.stringify(input));
      return service.run(contract.name, input, options);
    },
    parse: parseInput,
    priceBook: service.priceBook,
  });

function parseInput(text: string): unknown {
  requireShort(text);
  return readJson(text);
}

function requireShort(json: string): void {
  const issue = sizeIssue(json);
  if (issue) throw new InvalidInputError([issue]);
}
