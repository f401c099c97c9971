import { type Html, html, longText } from "./html.ts";

export { sentence } from "./parts.tsx";

interface CopyBlock {
  readonly id: string;
  readonly label: string;
  /** Context for screen readers, such as the client's name. */
  readonly of?: string;
  readonly text: string;
  /** Marks the parts to replace, such as `<YOUR_TOKEN>`. */
  readonly hasPlaceholders?: boolean;
  readonly action?: Html;
}

/**
 * A text with a Copy button. A single line wraps. Several lines keep their layout and scroll, by
 * keyboard too.
 */
export const copyBlock = ({
  id,
  label,
  of,
  text,
  hasPlaceholders = false,
  action,
}: CopyBlock): Html => html`<figure class="copy-block">
<figcaption><span class="label" id="${id}:label">${label}${of !== undefined && html`<span class="visually-hidden"> of ${of}</span>`}</span>
${action}${copyButton(id, of === undefined ? label : `${label} of ${of}`)}</figcaption>
<pre${isOneLine(text) ? html` class="line"` : html` tabindex="0" role="group" aria-labelledby="${id}:label"`}><code id="${id}">${hasPlaceholders ? markPlaceholders(text) : longText(text)}</code></pre>
</figure>
`;

const markPlaceholders = (text: string): Html =>
  html`${text.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? longText(part) : html`<mark>${longText(part)}</mark>`))}`;

/** `<YOUR_TOKEN>`, `YOUR_API_KEY` */
const PLACEHOLDER = /(<[A-Za-z][\w .-]*>|\bYOUR[_-][\w-]+)/;

const isOneLine = (text: string): boolean => !text.trimEnd().includes("\n");

/** A button that copies the text of an element. It is hidden without scripts. */
export const copyButton = (id: string, label: string, words = "Copy"): Html =>
  html`<button type="button" class="copy needs-script" data-copy="${id}" aria-label="${words}: ${label}">${words}</button>`;

/** A button that saves the text of an element as a file. It is hidden without scripts. */
export const saveButton = (id: string, name: string, of: string): Html =>
  html`<button type="button" class="needs-script" data-save="${name}" data-source="${id}" aria-label="Download ${name} for ${of}">Download</button>`;

/** The subset of CommonMark in the descriptions: paragraphs, flat lists, code. */
export const prose = (text: string): Html => html`${text.split(/\n{2,}/).map(block)}`;

function block(text: string): Html {
  if (!text.startsWith("- ")) return html`<p>${inline(text)}</p>\n`;
  const items = text.split(/^- /m).slice(1);
  return html`<ul>${items.map((item) => html`<li>${inline(item.trim())}</li>`)}</ul>\n`;
}

/** Text with code in backticks. */
export const inline = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? html`${part}` : code(part)))}`;

/** A name or a path, which a narrow column may break after punctuation. */
export const code = (text: string): Html =>
  html`<code>${text.split(/(?<=[._/\]])/).map((part, index) => html`${index > 0 && WBR}${part}`)}</code>`;

const WBR: Html = html`<wbr>`;
