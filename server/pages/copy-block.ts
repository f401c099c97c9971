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
