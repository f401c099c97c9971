import type { Contract } from "../../../schemas/index.ts";
import { toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { aboutOf } from "../views/about.ts";
import type { ToolPageState } from "./state.ts";
import { workbench } from "./workbench.ts";

/** A tool's page: its form, the outcome and the background. */
export function toolPage(service: Service, state: ToolPageState): string {
  const { contract, view } = state.runner;
  return renderPage(service, {
    title: contract.title,
    description: view.lead,
    path: toolPagePath(contract),
    layout: "tool",
    structuredData: structuredData(contract, service.baseUrl()),
    main: html`<header class="intro">
<h1>${contract.title}</h1>
<p class="lead">${view.lead}</p>
</header>
<div data-base-url="${service.baseUrl()}" data-settings="${JSON.stringify(service.settingsOf?.(contract) ?? {})}">
${workbench(state, service.baseUrl())}
</div>
<div class="about">
${aboutOf(contract)}
</div>`,
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
