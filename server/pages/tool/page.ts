import type { Contract, Warning } from "../../../schemas/index.ts";
import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import type { Issue } from "../../../src/issues.ts";
import { plural } from "../../../src/text.ts";
import { DOCS_PATH, toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { fields, type Note, type Notes } from "../form/fields.ts";
import { spotOf } from "../form/places.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { copyBlock, copyButton, curlPost, sentence } from "../parts.ts";
import type { View } from "../view.ts";
import { viewOf } from "../views/view-of.ts";
import {
  fileHref,
  hasSecrets,
  hasStraySecret,
  type Sheet,
  sortWarnings,
  type ToolOutput,
  warningsOf,
  withoutSecrets,
} from "./sheet.ts";

/** What came of a form, in a few words. */
function inShort({ outcome }: Sheet, view: View): string {
  switch (outcome.kind) {
    case "blank":
      return "Fill in the form, and the result appears here.";
    case "refused":
      return `${plural(outcome.issues.length, "thing")} to put right first`;
    case "done":
      return view.summary(outcome.result);
  }
}

/** The call of the API that gives the same result. */
function apiCall(sheet: Sheet, baseUrl: string): Html {
  const { contract, input } = sheet;
  const endpoint = `${baseUrl}${toolPath(contract)}`;
  return html`<details id="api-call" class="api-call">
<summary>The same as an API call</summary>
${copyBlock({ id: "api-curl", label: "curl", text: curlPost(endpoint, input) })}
${
  hasSecrets(sheet) || hasStraySecret(sheet)
    ? html`<p>There is no GET URL for this input: it has values that may be secret, and addresses are kept in histories and logs.</p>`
    : copyBlock({ id: "api-url", label: "GET", text: urlWithInput(endpoint, input) })
}
<p>No key, no account: <a href="${DOCS_PATH}#run_${contract.name}">the API’s documentation</a> says the rest.</p>
</details>
`;
}

/** Told to the page's script; another form of the link would get another version. */
const VERSION = "v1.";

/**
 * A link to the page with this input. It is in the hash, which no server sees; the page's script
 * reads it there.
 */
function shareLink(sheet: Sheet): Html {
  if (hasStraySecret(sheet)) {
    return html`<p class="share">There is no link to this input, because it seems to hold a secret.</p>`;
  }
  const json = JSON.stringify(withoutSecrets(sheet));
  const hash = `${VERSION}${Buffer.from(json).toString("base64url")}`;
  return html`<p class="share needs-script"><a id="share" href="${toolPagePath(sheet.contract)}#${hash}">Link to this input</a> ${copyButton("share", "the link to this input")}${hasSecrets(sheet) && " (without the values that may be secret)"}</p>`;
}

/**
 * What came of a form. Its parts are marked for the page's script, which puts those of a newer
 * answer in their place: a refused input has no result, and the last good one stays.
 */
const outcome = (
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

/** What a search engine may show of a tool: schema.org's WebApplication. */
const structuredData = (contract: Contract, baseUrl: string): object => ({
  "@context": "https://schema.org",
  "@type": "WebApplication",
  name: contract.title,
  description: contract.description,
  url: `${baseUrl}${toolPagePath(contract)}`,
  applicationCategory: "UtilitiesApplication",
  operatingSystem: "Any",
  isAccessibleForFree: true,
  offers: { "@type": "Offer", price: "0", priceCurrency: "USD" },
});

/** A tool's page: its form, what came of it, and what there is to know. */
export function toolPage(service: Service, sheet: Sheet): string {
  const { contract } = sheet;
  const view = viewOf(contract);
  return renderPage(service, {
    title: contract.title,
    description: view.lead,
    path: toolPagePath(contract),
    layout: "tool",
    structuredData: structuredData(contract, service.baseUrl()),
    main: html`<header class="intro">
<h1>${contract.title}</h1>
<p class="lead">${view.lead}</p>
<a class="to-result" href="#outcome">To the result</a>
</header>
<div class="workbench">
${form(sheet, view)}
${outcome(sheet, view, service.baseUrl())}
</div>
<div class="about">
${view.about}
</div>`,
  });
}

/**
 * What may be secret is posted, so that it stands in no address; the page's script posts all forms.
 * The first button is the one that the Enter key presses.
 */
const form = (
  sheet: Sheet,
  view: View,
): Html => html`<form id="tool-form" class="tool-form" aria-label="Input" action="${toolPagePath(sheet.contract)}" method="${sheet.contract.sensitive ? "post" : "get"}" novalidate data-live>
<button class="default" tabindex="-1" aria-hidden="true">Update</button>
${fields(sheet.entries, notesOf(sheet), sheet.place)}
<p class="actions"><button>Update the result</button>
<button name="do" value="clear">Clear the form</button>
<a class="button" href="${toolPagePath(sheet.contract)}">Back to the example</a></p>
<p class="live" id="live" aria-hidden="true" data-part>${inShort(sheet, view)}</p>
</form>
`;

function notesOf(sheet: Sheet): Notes {
  const { outcome } = sheet;
  const notes: readonly Note[] =
    outcome.kind === "refused"
      ? outcome.issues.map((issue) => ({ ...issue, severity: "error" }))
      : warningsOf(sheet);
  return Map.groupBy(notes, ({ path }) => path);
}
