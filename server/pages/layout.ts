import { tools } from "../../schemas/index.ts";
import {
  DOCS_PATH,
  discoveryLinks,
  HOME_PATH,
  type Link,
  LLMS_PATH,
  TOOLS_PATH,
  toLinkHeader,
  toolPagePath,
} from "../links.ts";
import type { Service } from "../service.ts";
import { assetHref } from "./assets/assets.ts";
import { type Html, html, jsonBlock } from "./html.ts";
import { signupForm } from "./signup-form.ts";
import { viewOf } from "./views/view-of.ts";

/** The parts that differ from page to page. */
export interface Page {
  readonly title: string;
  readonly description: string;
  /** The path of its canonical address. Error pages have none. */
  readonly path?: string;
  /** The class of the main element, which gives it another layout. */
  readonly layout?: string;
  /** The page's schema.org description. */
  readonly structuredData?: object;
  /** The main part has the signup form; otherwise the footer has it. */
  readonly hasSignup?: boolean;
  readonly main: Html;
}

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
${siteFooter(service, page)}
<p id="announcer" class="visually-hidden" role="status"></p>
</body>
</html>
`.markup;

/** The metadata of a page and the files that it loads. */
const head = (service: Service, page: Page): Html => html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – ${SITE_NAME}</title>
<meta name="description" content="${page.description}">
${Object.entries(PAPER).map(([scheme, colour]) => html`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">\n`)}${page.path !== undefined && previewTags(service.baseUrl(), page.path, page)}
<link rel="icon" href="${assetHref("favicon.ico")}" sizes="32x32">
<link rel="icon" href="${assetHref("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetHref("site.css")}">
<script type="module" src="${assetHref("site.js")}"></script>
${discoveryLinks(service.baseUrl()).map(toLinkElement)}
${page.structuredData && jsonBlock("application/ld+json", page.structuredData)}
</head>`;

/** The page's background in both colour schemes (styles/tokens.css). */
const PAPER = { light: "#fbfaf7", dark: "#141715" };

export const SITE_NAME = "Handtools";

export const headline = (): string =>
  `${tools.map((tool) => viewOf(tool).product).join(", ")}: done in a minute`;

/** The elements of the head for search engines and link previews (Open Graph). */
const previewTags = (baseUrl: string, path: string, { title, description }: Page): Html =>
  html`<link rel="canonical" href="${baseUrl}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${SITE_NAME}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${baseUrl}${path}">
<meta property="og:image" content="${baseUrl}${assetHref("share.png")}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${SITE_NAME}. ${headline()}">
<meta name="twitter:card" content="summary_large_image">`;

const toLinkElement = ({ rel, href, type }: Link): Html =>
  html`<link rel="${rel}" href="${href}" type="${type}">`;

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
  /** The window width where it is shown; always by default. */
  readonly width?: "narrow" | "wide";
}

/** A narrow window has one link to all tools instead of one to each. */
const navigation = (): readonly NavigationItem[] => [
  ...tools.map((tool) => ({
    href: toolPagePath(tool),
    text: tool.title,
    width: "wide" as const,
  })),
  { href: TOOLS_PATH, text: "Tools", width: "narrow" },
  { href: DOCS_PATH, text: "API" },
];

const siteFooter = (
  service: Service,
  { hasSignup = false }: Page,
): Html => html`<footer class="site">
${!hasSignup && signupForm(service, { ctaSource: "footer", idPrefix: "footer" })}
<div class="about-site">
<nav aria-label="More"><ul>
<li><a href="${TOOLS_PATH}">All tools</a></li>
<li><a href="${DOCS_PATH}">API</a></li>
<li><a href="${LLMS_PATH}">For AI agents</a></li>
${service.npmPackage !== undefined && html`<li><a href="https://www.npmjs.com/package/${service.npmPackage}" rel="noopener">npm package</a></li>`}
${service.sourceUrl !== undefined && html`<li><a href="${service.sourceUrl}" rel="noopener">Source</a></li>`}
</ul></nav>
<p>No account, no cookies. ${SITE_NAME} is not affiliated with the companies whose products its tools work with.</p>
</div>
</footer>`;

export const pageHeaders = (service: Service): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentSecurityPolicy(service.signup?.challenge.siteKey !== undefined),
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  link: toLinkHeader(discoveryLinks(service.baseUrl())),
});

/**
 * A page may load the site's own files and nothing inline. Only Turnstile's widget, a frame, comes
 * from a third party.
 */
const contentSecurityPolicy = (hasTurnstile: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${hasTurnstile ? ` ${TURNSTILE}` : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    ...(hasTurnstile ? [`frame-src ${TURNSTILE}`] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const TURNSTILE = "https://challenges.cloudflare.com";
