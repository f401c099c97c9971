import { type Html, html } from "../html.ts";

/** What there is in a row: something named, what kind of thing it is, and what to know of it. */
export interface Row {
  readonly name: Html;
  readonly kind: Html;
  readonly meaning: Html;
  readonly details?: Html | undefined;
}

/** A table of two columns, so that it fits a narrow screen. The first one names the rows. */
export const table = (
  label: string,
  columns: readonly [string, string],
  rows: readonly Row[],
): Html => html`<table aria-label="${label}">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table>
`;

const row = ({ name, kind, meaning, details }: Row): Html =>
  html`<tr><th scope="row">${name} <small>${kind}</small></th><td>${meaning}${details && html` <small>${details}</small>`}</td></tr>\n`;
