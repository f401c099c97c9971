import { type Html, html } from "./html.ts";

export interface CopyBlock {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  /** What the text belongs to, for who cannot see beside what it stands. */
  readonly of?: string;
  readonly text: string;
  /** What else can be done with it, beside the button. */
  readonly action?: Html;
}

/**
 * A text to take along, with a button that copies it. A single line is wrapped; lines keep their
 * layout and may be scrolled, by keyboard too.
 */
export const copyBlock = ({
  id,
  label,
  of,
  text,
  action,
}: CopyBlock): Html => html`<figure class="copy-block">
<figcaption><span class="label" id="${id}:label">${label}${of !== undefined && html`<span class="visually-hidden"> of ${of}</span>`}</span>
${action}${copyButton(id, of === undefined ? label : `${label} of ${of}`)}</figcaption>
<pre${isOneLine(text) ? html` class="line"` : html` tabindex="0" role="group" aria-labelledby="${id}:label"`}><code id="${id}">${text}</code></pre>
</figure>
`;

const isOneLine = (text: string): boolean => !text.trimEnd().includes("\n");

/** A button that copies the text of an element. It is of no use without scripts. */
export const copyButton = (id: string, label: string): Html =>
  html`<button type="button" class="copy needs-script" data-copy="${id}" aria-label="Copy: ${label}">Copy</button>`;

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

/** The tools' messages are made to stand after a path, so they begin with a small letter. */
export const sentence = (message: string): string =>
  message.charAt(0).toUpperCase() + message.slice(1);

/**
 * The command that fetches a URL, for a POSIX shell.
 *
 * @param parameter a query parameter, and the JSON it takes.
 */
export function curlGet(
  url: string,
  parameter?: { readonly name: string; readonly json: unknown },
) {
  if (!parameter) return `curl ${quote(url)}`;
  const pair = quote(`${parameter.name}=${JSON.stringify(parameter.json)}`);
  return `curl --get ${quote(url)} \\\n  --data-urlencode ${pair}`;
}

/** The command that posts JSON. */
export const curlPost = (url: string, json: unknown): string =>
  [
    `curl ${quote(url)}`,
    "  --header 'Content-Type: application/json'",
    `  --data ${quote(JSON.stringify(json, null, 2))}`,
  ].join(" \\\n");

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
