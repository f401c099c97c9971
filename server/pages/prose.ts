import { type Html, html } from "./html.ts";

/** The few forms of CommonMark that our descriptions use: paragraphs, lists of one level, code. */
export const prose = (text: string): Html => html`${text.split(/\n{2,}/).map(block)}`;

function block(text: string): Html {
  if (!text.startsWith("- ")) return html`<p>${inline(text)}</p>\n`;
  const items = text.split(/^- /m).slice(1);
  return html`<ul>${items.map((item) => html`<li>${inline(item.trim())}</li>`)}</ul>\n`;
}

/** Text within a line: what stands in backticks is code. */
export const inline = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? html`${part}` : code(part)))}`;

/** A name or a path; a narrow column may break it after its punctuation. */
export const code = (text: string): Html =>
  html`<code>${text.split(/(?<=[._/\]])/).map((part, index) => html`${index > 0 && WBR}${part}`)}</code>`;

const WBR: Html = html`<wbr>`;
