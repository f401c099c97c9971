import { DOCS_PATH, discoveryLinks, toLinkElement, toLinkHeader } from "../links.ts";
import type { Service } from "../service.ts";
import { type Html, html } from "./html.ts";
import { STYLES_HREF } from "./styles.ts";

export interface Page {
  readonly title: string;
  readonly description: string;
  /** A class of the main element, for a page with a layout of its own. */
  readonly layout?: string;
  readonly main: Html;
}

/** The headers of every page. */
export const pageHeaders = ({ baseUrl }: Service): Record<string, string> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  Link: toLinkHeader(discoveryLinks(baseUrl())),
});

/** A whole page. */
export const renderPage = (
  { baseUrl }: Service,
  { title, description, layout, main }: Page,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Handtools</title>
<meta name="description" content="${description}">
<link rel="stylesheet" href="${STYLES_HREF}">
${discoveryLinks(baseUrl()).map(toLinkElement)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site">
<a class="brand" href="${DOCS_PATH}">Handtools</a>
</header>
<main id="main"${layout !== undefined && html` class="${layout}"`}>
${main}
</main>
</body>
</html>
`.markup;
