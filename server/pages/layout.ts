import { tools } from "../../schemas/index.ts";
import {
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  LLMS_PATH,
  TOOLS_PATH,
  toLinkHeader,
  toolPagePath,
} from "../links.ts";
import type { Service } from "../service.ts";
import { assetHref } from "./assets/assets.ts";
import { contentSecurityPolicy } from "./csp.ts";
import { head, SITE_NAME } from "./head.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./page.ts";
import { signupForm } from "./signup-form.ts";

/** The headers of every page. */
export const pageHeaders = (service: Service): Record<string, string> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy(service.signup.challenge.siteKey !== undefined),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  Link: toLinkHeader(discoveryLinks(service.baseUrl())),
  ...(service.webMcpTrialToken !== undefined && { "Origin-Trial": service.webMcpTrialToken }),
});

/** A whole page. */
export const renderPage = (service: Service, page: Page): string =>
  html`<!doctype html>
<html lang="en">
${head(service, page)}
<body>
<a class="skip" href="#main">Skip to the content</a>
${siteHeader(page)}
<main id="main"${page.layout !== undefined && html` class="${page.layout}"`}>
${page.main}
</main>
${siteFooter(service)}
<p id="announcer" class="visually-hidden" role="status"></p>
</body>
</html>
`.markup;

const siteHeader = ({ path }: Page): Html => html`<header class="site">
${brand}
<nav aria-label="Site"><ul>
${navigation().map(
  ({ href, text, width }) =>
    html`<li${width && html` class="${width}"`}><a href="${href}"${href === path && html` aria-current="page"`}>${text}</a></li>\n`,
)}</ul></nav>
</header>`;

const brand = html`<a class="brand" href="${HOME_PATH}"><img src="${assetHref("icon.svg")}" alt="" width="26" height="26">handtools</a>`;

interface NavigationItem {
  readonly href: string;
  readonly text: string;
  /** Where it is shown, when not everywhere. */
  readonly width?: "narrow" | "wide";
}

/** Where there is no room for a link to each tool, there is one to all of them. */
const navigation = (): readonly NavigationItem[] => [
  ...tools.map((tool) => ({
    href: toolPagePath(tool),
    text: tool.title,
    width: "wide" as const,
  })),
  { href: TOOLS_PATH, text: "Tools", width: "narrow" },
  { href: DOCS_PATH, text: "API" },
];

const siteFooter = (service: Service): Html => html`<footer class="site">
${signupForm(service, { ctaSource: "footer", idPrefix: "footer" })}
<div class="about-site">
<nav aria-label="More"><ul>
<li><a href="${TOOLS_PATH}">All tools</a></li>
<li><a href="${DOCS_PATH}">API</a></li>
<li><a href="${LLMS_PATH}">For AI agents</a></li>
</ul></nav>
<p>The tools need no account and no key, and this site sets no cookies. ${SITE_NAME} is independent of the companies whose products its tools work with.</p>
</div>
</footer>`;
