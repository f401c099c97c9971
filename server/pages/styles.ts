import { etagOf } from "../http/etag.ts";
import { DOCS_STYLES } from "./docs/styles.ts";

/** The style of all pages, in light and dark as the reader's system asks. */
export const STYLES = `:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14161a);
  --raised: light-dark(#f5f6f8, #1d2026);
  --ink: light-dark(#1a1d21, #e6e8eb);
  --quiet: light-dark(#5a6270, #a3abb8);
  --line: light-dark(#d9dde3, #343a44);
  --link: light-dark(#0b57c2, #8ab8ff);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}

* {
  box-sizing: border-box;
}

html {
  scroll-padding-top: 1rem;
  text-size-adjust: 100%;
}

body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif;
  overflow-wrap: break-word;
}

a {
  color: var(--link);
  text-underline-offset: 0.15em;
}

:focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 2px;
}

h1, h2, h3, h4 {
  line-height: 1.25;
  text-wrap: balance;
}

h1 {
  margin: 0;
  font-size: 2.25rem;
}

h1 small {
  color: var(--quiet);
  font-size: 1rem;
  font-weight: normal;
}

h2 {
  margin: 3.5rem 0 1rem;
  padding-top: 1.5rem;
  border-top: 1px solid var(--line);
  font-size: 1.6rem;
}

h3 {
  margin: 2.5rem 0 0.5rem;
  font-size: 1.15rem;
}

h4 {
  margin: 1.75rem 0 0.5rem;
  font-size: 1rem;
}

p, ul {
  max-width: 44rem;
}

code, pre {
  font-family: var(--mono);
  font-size: 0.9em;
}

:not(pre, h3, th) > code {
  padding: 0.1em 0.3em;
  border-radius: 4px;
  background: var(--raised);
}

pre {
  margin: 0.5rem 0 1rem;
  padding: 1rem;
  max-height: 32rem;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--raised);
  line-height: 1.5;
}

pre code {
  font-size: 0.8rem;
}

dt {
  font-weight: 600;
}

dd {
  margin: 0 0 0.75rem;
  max-width: 44rem;
}

table {
  width: 100%;
  margin: 0.5rem 0 1rem;
  border-collapse: collapse;
  table-layout: fixed;
  font-size: 0.95rem;
}

tr {
  border-bottom: 1px solid var(--line);
}

th, td {
  padding: 0.6rem 0.75rem 0.6rem 0;
  text-align: start;
  vertical-align: top;
  overflow-wrap: anywhere;
}

th {
  width: 38%;
  font-weight: normal;
}

thead th {
  color: var(--quiet);
  font-size: 0.85rem;
}

thead th + th {
  width: auto;
}

td small, th small {
  display: block;
}

table code {
  font-size: 0.85rem;
}

strong {
  color: var(--ink);
  font-weight: 600;
}

figure {
  margin: 0 0 1rem;
}

figcaption, small {
  color: var(--quiet);
  font-size: 0.9rem;
}

summary {
  padding: 0.25rem 0;
  cursor: pointer;
}

.skip {
  position: absolute;
  left: 1rem;
  translate: 0 -200%;
  padding: 0.5rem 1rem;
  background: var(--paper);
}

.skip:focus {
  translate: 0 0;
}

.site {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
  align-items: baseline;
  padding: 0.9rem 1.25rem;
  border-bottom: 1px solid var(--line);
}

.brand {
  color: inherit;
  font-weight: 700;
  text-decoration: none;
}

main {
  max-width: 80rem;
  margin: 0 auto;
  padding: 2.5rem 1.25rem 4rem;
}

.lead {
  margin: 0.5rem 0 0;
  color: var(--quiet);
  font-size: 1.1rem;
}

${DOCS_STYLES}`;

/** The pages ask for this version of the style, which so can be kept for good. */
export const STYLES_PATH = "/styles.css";
export const STYLES_HREF = `${STYLES_PATH}?v=${etagOf(STYLES).slice(1, 9)}`;
