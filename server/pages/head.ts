import { discoveryLinks, type Link } from "../links.ts";
import type { Service } from "../service.ts";
import { assetHref } from "./assets/assets.ts";
import { type Html, html, jsonBlock } from "./html.ts";
import type { Page } from "./page.ts";

export const SITE_NAME = "Handtools";

/** What a page says of itself, and what it loads. */
export const head = (service: Service, page: Page): Html => html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – ${SITE_NAME}</title>
<meta name="description" content="${page.description}">
${Object.entries(PAPER).map(([scheme, colour]) => html`<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">\n`)}${page.path !== undefined && address(`${service.baseUrl()}${page.path}`, page)}
<link rel="icon" href="${assetHref("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assetHref("site.css")}">
<script type="module" src="${assetHref("site.js")}"></script>
${discoveryLinks(service.baseUrl()).map(toLinkElement)}
${page.structuredData && jsonBlock("application/ld+json", page.structuredData)}
</head>`;

/** The window around the page goes on with its paper (styles/tokens.css). */
const PAPER = { light: "#fbfaf7", dark: "#141715" };

/** What a page is known by: to search engines, and where a link to it is shown (Open Graph). */
const address = (url: string, { title, description }: Page): Html =>
  html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${SITE_NAME}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">`;

const toLinkElement = ({ rel, href, type }: Link): Html =>
  html`<link rel="${rel}" href="${href}" type="${type}">`;
