/** Markup that is safe to put into a page. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Html[] | false | undefined;

/**
 * Markup from a template. Every value is escaped unless it is markup already.
 *
 * @example html`<p>${"a < b"}</p>`.markup // <p>a &lt; b</p>
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = texts[0] ?? "";
  for (const [index, part] of parts.entries()) markup += toMarkup(part) + (texts[index + 1] ?? "");
  return { markup };
}

function toMarkup(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c) : text;

/** JSON in a page, escaped so that it cannot end its element. */
export const jsonBlock = (type: string, value: object): Html => ({
  markup: `<script type="${type}">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`,
});
