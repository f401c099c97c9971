import type { Warning } from "../../../schemas/index.ts";
import type { Issue } from "../../../src/issues.ts";
import { spotOf } from "../form/spot.ts";
import { type Html, html } from "../html.ts";
import { sentence } from "../sentence.ts";
import type { View } from "../view.ts";
import { apiCall } from "./api-call.ts";
import { inShort } from "./in-short.ts";
import { fileHref } from "./links.ts";
import type { ToolOutput } from "./output.ts";
import { shareLink } from "./share-link.ts";
import type { Sheet } from "./sheet.ts";
import { sortWarnings } from "./warnings.ts";

/**
 * What came of a form. Its parts are marked for the page's script, which puts those of a newer
 * answer in their place: a refused input has no result, and the last good one stays.
 */
export const outcome = (
  sheet: Sheet,
  view: View,
  baseUrl: string,
): Html => html`<section class="outcome" id="outcome" aria-labelledby="outcome-title" data-outcome="${sheet.outcome.kind}">
<h2 class="visually-hidden" id="outcome-title">Result</h2>
<div id="status" data-part>${status(sheet, view)}</div>
<div id="result" data-part>
${sheet.outcome.kind === "done" && result(sheet, sheet.outcome.result, view, baseUrl)}</div>
</section>
`;

const status = (sheet: Sheet, view: View): Html =>
  sheet.outcome.kind === "refused"
    ? html`<div class="problems"><p>${inShort(sheet, view)}:</p>
${problemList(sheet.outcome.issues, sheet)}</div>`
    : html`<p class="${sheet.outcome.kind === "done" ? "summary" : "invitation"}">${inShort(sheet, view)}</p>`;

const problemList = (issues: readonly Issue[], sheet: Sheet): Html => html`<ul>
${listed(issues, (issue) => html`<li>${remark(issue, sheet)}</li>\n`)}</ul>`;

function result(sheet: Sheet, output: ToolOutput, view: View, baseUrl: string): Html {
  const { onInput, onResult } = sortWarnings(sheet);
  return html`<p class="stale">This is the last result that could be made; the form says something newer.</p>
${onInput.length > 0 && warningList(onInput, sheet)}
${view.body(output, { fileHref: fileHref(sheet), warnings: onResult })}
<footer class="elsewhere">
${apiCall(sheet, baseUrl)}
${shareLink(sheet)}
</footer>
`;
}

/** Beside the fields they stand too, but there they may be out of sight. */
const warningList = (warnings: readonly Warning[], sheet: Sheet): Html => html`<ul class="notes">
${listed(warnings, (warning) => html`<li class="${warning.severity}">${remark(warning, sheet)}</li>\n`)}</ul>`;

/** Nobody reads more, and an input of 16 KiB can have ten thousand. */
const MAX_LISTED = 20;

function listed<Item>(items: readonly Item[], toHtml: (item: Item) => Html): Html {
  const more = items.length - MAX_LISTED;
  return html`${items.slice(0, MAX_LISTED).map(toHtml)}${more > 0 && html`<li>and ${more} more</li>\n`}`;
}

/** A remark with the way to the place in the form that it is about. */
function remark({ path, message }: Issue | Warning, { entries, place }: Sheet): Html {
  const spot = spotOf(path, entries, place);
  if (spot) return html`<a href="#${spot.id}">${spot.words}</a>: ${message}`;
  return html`${path === "" ? sentence(message) : `${path}: ${message}`}`;
}
