import { tools } from "../../schemas/index.ts";
import { HOME_PATH } from "../links.ts";
import type { Service } from "../service.ts";
import { SITE_NAME } from "./head.ts";
import { toolCard } from "./home/tool-card.ts";
import { ways } from "./home/ways.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { signupForm } from "./signup-form.ts";

/** What this site is: the tools, each with what it gives, and the ways to use them. */
export function homePage(service: Service): string {
  const titles = tools.map(({ title }) => title);
  const description = `Free and without an account: ${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}. On the web, in a terminal, over HTTP and for AI agents.`;
  return renderPage(service, {
    title: "Small tools, free and exact",
    description,
    path: HOME_PATH,
    layout: "home",
    structuredData: {
      "@context": "https://schema.org",
      "@type": "WebSite",
      name: SITE_NAME,
      url: `${service.baseUrl()}${HOME_PATH}`,
      description,
    },
    main: html`<header class="hero">
<h1>Small tools, free and exact</h1>
<p class="lead">Each does one job and says how sure it is. Use them here, in a terminal or over HTTP, or let your AI agent use them for you.</p>
</header>
<section aria-labelledby="tools">
<h2 class="dimension" id="tools">${tools.length} tools, no account</h2>
<ul class="cards">
${tools.map((contract) => toolCard(contract, service))}</ul>
</section>
<div class="beyond">
${signupForm(service, { ctaSource: "hero", idPrefix: "hero" })}
${ways(service)}
</div>`,
  });
}
