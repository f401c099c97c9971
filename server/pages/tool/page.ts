import type { Contract, Warning } from "../../../schemas/index.ts";
import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import type { Issue } from "../../../src/issues.ts";
import { plural } from "../../../src/text.ts";
import { DOCS_PATH, toolPagePath } from "../../links.ts";
import type { Service } from "../../service.ts";
import { fields, type Message, type Messages } from "../form/fields.ts";
import { linkTo } from "../form/places.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { copyBlock, copyButton, curlPost, sentence } from "../parts.ts";
import type { View } from "../view.ts";
import { viewOf } from "../views/view-of.ts";
import {
  fileHref,
  hasSecrets,
  hasStraySecret,
  sortWarnings,
  type ToolOutput,
  type ToolPageState,
  warningsOf,
  withoutSecrets,
} from "./state.ts";

/** A tool's page: its form, the outcome and the background. */
export function toolPage(service: Service, state: ToolPageState): string {
  const { contract } = state;
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
${form(state, view)}
${outcome(state, view, service.baseUrl())}
</div>
<div class="about">
${view.about()}
</div>`,
  });
}

/**
 * A form that may hold secrets is posted, which keeps them out of addresses. The Enter key presses
 * the first button.
 */
const form = (
  state: ToolPageState,
  view: View,
): Html => html`<form id="tool-form" class="tool-form" aria-label="Input" action="${toolPagePath(state.contract)}" method="${state.contract.sensitive ? "post" : "get"}" novalidate data-live>
<button class="default" tabindex="-1" aria-hidden="true">Update</button>
${fields(state.values, messagesOf(state), state.place)}
<p class="actions"><button>Update the result</button>
<button name="do" value="clear">Clear the form</button>
<a class="button" href="${toolPagePath(state.contract)}">Back to the example</a></p>
<p class="live" id="live" aria-hidden="true" data-part>${summaryLine(state, view)}</p>
</form>
`;

function messagesOf(state: ToolPageState): Messages {
  const { outcome } = state;
  const notes: readonly Message[] =
    outcome.kind === "refused"
      ? outcome.issues.map((issue) => ({ ...issue, severity: "error" }))
      : warningsOf(state);
  return Map.groupBy(notes, ({ path }) => path);
}

/**
 * The outcome of a form. The page's script replaces its marked parts. A refused input has no result,
 * so the last valid one stays.
 */
const outcome = (
  state: ToolPageState,
  view: View,
  baseUrl: string,
): Html => html`<section class="outcome" id="outcome" aria-labelledby="outcome-title" data-outcome="${state.outcome.kind}">
<h2 class="visually-hidden" id="outcome-title">Result</h2>
<div id="status" data-part>${status(state, view)}</div>
<div id="result" data-part>
${state.outcome.kind === "done" && result(state, state.outcome.result, view, baseUrl)}</div>
</section>
`;

const status = (state: ToolPageState, view: View): Html =>
  state.outcome.kind === "refused"
    ? html`<div class="problems"><p>${summaryLine(state, view)}:</p>
${problemList(state.outcome.issues, state)}</div>`
    : html`<p class="${state.outcome.kind === "done" ? "summary" : "invitation"}">${summaryLine(state, view)}</p>`;

const problemList = (issues: readonly Issue[], state: ToolPageState): Html => html`<ul>
${listed(issues, (issue) => html`<li>${linkedMessage(issue, state)}</li>\n`)}</ul>`;

function result(state: ToolPageState, output: ToolOutput, view: View, baseUrl: string): Html {
  const { onInput, onResult } = sortWarnings(state);
  return html`<p class="stale">This is the last result that could be made; the form says something newer.</p>
${onInput.length > 0 && warningList(onInput, state)}
${view.body(output, { fileHref: fileHref(state), warnings: onResult })}
<footer class="elsewhere">
${apiCall(state, baseUrl)}
${shareLink(state)}
</footer>
`;
}

/** They stand beside the fields too, which may be out of sight. */
const warningList = (
  warnings: readonly Warning[],
  state: ToolPageState,
): Html => html`<ul class="notes">
${listed(warnings, (warning) => html`<li class="${warning.severity}">${linkedMessage(warning, state)}</li>\n`)}</ul>`;

/** An input of 16 KiB can cause ten thousand. */
const MAX_LISTED = 20;

function listed<Item>(items: readonly Item[], toHtml: (item: Item) => Html): Html {
  const more = items.length - MAX_LISTED;
  return html`${items.slice(0, MAX_LISTED).map(toHtml)}${more > 0 && html`<li>and ${more} more</li>\n`}`;
}

/** A message with a link to the field that it is about. */
function linkedMessage({ path, message }: Issue | Warning, { values, place }: ToolPageState): Html {
  const link = linkTo(path, values, place);
  if (link) return html`<a href="#${link.id}">${link.words}</a>: ${message}`;
  return html`${path === "" ? sentence(message) : `${path}: ${message}`}`;
}

/** The outcome in a few words. */
function summaryLine({ outcome }: ToolPageState, view: View): string {
  switch (outcome.kind) {
    case "blank":
      return "Fill in the form, and the result appears here.";
    case "refused":
      return `${plural(outcome.issues.length, "thing")} to put right first`;
    case "done":
      return view.summary(outcome.result);
  }
}

/** The API call with the same result. */
function apiCall(state: ToolPageState, baseUrl: string): Html {
  const { contract, input } = state;
  const endpoint = `${baseUrl}${toolPath(contract)}`;
  return html`<details id="api-call" class="api-call">
<summary>The same as an API call</summary>
${copyBlock({ id: "api-curl", label: "curl", text: curlPost(endpoint, input) })}
${
  hasSecrets(state) || hasStraySecret(state)
    ? html`<p>There is no GET URL for this input: it has values that may be secret, and addresses are kept in histories and logs.</p>`
    : copyBlock({ id: "api-url", label: "GET", text: urlWithInput(endpoint, input) })
}
<p>No key, no account: <a href="${DOCS_PATH}#run_${contract.name}">the API’s documentation</a> says the rest.</p>
</details>
`;
}

/** The format of the link, which the page's script (client/share.ts) checks. */
const VERSION = "v1.";

/**
 * A link to the page with this input. The input stands in the hash, which browsers do not send; the
 * page's script reads it there.
 */
function shareLink(state: ToolPageState): Html {
  if (hasStraySecret(state)) {
    return html`<p class="share">There is no link to this input, because it seems to hold a secret.</p>`;
  }
  const json = JSON.stringify(withoutSecrets(state));
  const hash = `${VERSION}${Buffer.from(json).toString("base64url")}`;
  return html`<p class="share needs-script"><a id="share" href="${toolPagePath(state.contract)}#${hash}">Link to this input</a> ${copyButton("share", "the link to this input")}${hasSecrets(state) && " (without the values that may be secret)"}</p>`;
}

/** The tool for search engines, as schema.org's WebApplication. */
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
