import type { Contract, Warning } from "../../../schemas/index.ts";
import { toolPath, urlWithInput } from "../../../src/describe-tool.ts";
import type { Issue } from "../../../src/issues.ts";
import { plural } from "../../../src/text.ts";
import { DOCS_PATH, toolPagePath } from "../../links.ts";
import { curlPost } from "../curl.ts";
import type { FieldMessage, FormContext, Messages } from "../form/controls.ts";
import { formFieldsets } from "../form/fields.ts";
import { closedItems, linkTo } from "../form/values.ts";
import { type Html, html } from "../html.ts";
import { copyBlock, copyButton, saveButton, sentence } from "../parts.ts";
import type { Preset, ReadChoice, ReadExtras, TextReader } from "../view.ts";
import {
  fileHref,
  hasSecrets,
  hasStraySecret,
  listWarnings,
  sortWarnings,
  type ToolOutput,
  type ToolPageState,
  viewInput,
  withoutSecrets,
} from "./state.ts";

/** The form of a tool and its outcome, which the server and the page's script both render. */
export const workbench = (
  state: ToolPageState,
  baseUrl: string,
): Html => html`<div class="workbench">
${toolForm(state)}
${outcomeSection(state, baseUrl)}
</div>`;

/**
 * A form that may hold secrets is posted, which keeps them out of addresses. The Enter key presses
 * the first button.
 */
export const toolForm = (state: ToolPageState): Html => {
  const { contract, view } = state.runner;
  return html`<form id="tool-form" class="tool-form" aria-label="Input" action="${toolPagePath(contract)}" method="${contract.sensitive ? "post" : "get"}" novalidate data-live="${contract.command}"${isExample(state) && html` data-example`}>
<button class="default" tabindex="-1" aria-hidden="true" ${toResult(contract)}>Update</button>
${view.reader?.box !== undefined && pasteBox(view.reader.box)}
${view.reader && openFile(view.reader)}
<div class="start"><span id="start">Start from</span>
<ul aria-labelledby="start">${view.presets.map((preset) => html`<li>${presetLink(preset, contract)}</li>\n`)}<li><button name="do" value="clear">Empty</button></li></ul></div>
${formFieldsets(state.values, formContext(state))}
<p class="actions"><button class="needs-no-script" ${toResult(contract)}>Update the result</button>
<button type="button" data-undo>Undo</button>
<a class="button" href="${toolPagePath(contract)}" data-forget>Back to the example</a></p>
<p class="privacy needs-script">What you type stays in this tab, and is still here after a reload${view.draft && `, except ${view.draft.leftOut}`}.</p>
<a class="live" id="live" href="#outcome" data-part>${summaryLine(state)}</a>
</form>
`;
};

/** Makes the page after a form without scripts begin at the result, which is below the form on a phone. */
const toResult = (contract: Contract): Html => html`formaction="${toolPagePath(contract)}#outcome"`;

/** True while the form holds the example, which is not an answer for the user. */
const isExample = ({ input, runner: { contract } }: ToolPageState): boolean =>
  JSON.stringify(input) === JSON.stringify(contract.example_input);

/** The field for a whole text. It is not a part of the form. */
const pasteBox = (
  label: string,
): Html => html`<p class="paste needs-script"><label for="paste">${label}</label>
<textarea id="paste" rows="1" data-paste autocapitalize="off" autocomplete="off" spellcheck="false"></textarea></p>
`;

/** A link that works without scripts; the page's script fills in the form instead. */
const presetLink = ({ title, input }: Preset, contract: Contract): Html =>
  html`<a class="button" href="${urlWithInput(toolPagePath(contract), input)}" data-preset="${title}">${title}</a>`;

/** The button that opens a file, and a text beside it that reports what was read. */
const openFile = ({ label, accept }: Pick<TextReader, "label" | "accept">): Html =>
  html`<p class="open needs-script"><label class="button">${label}<input type="file" class="visually-hidden" accept="${accept}" data-open></label>
<small data-notice></small>
<span class="example">Example</span></p>`;

/** The inputs that were read, to choose from. The choice itself is not a part of the form. */
export const choiceChips = (choices: readonly ReadChoice[], chosen: number): Html =>
  html`<span class="chips" role="radiogroup" aria-label="What was read">
${choices.map(({ title }, index) => html`<label><input type="radio" form="" name="read" value="${index}"${index === chosen && html` checked`} data-read> <bdi>${title}</bdi></label>\n`)}</span>`;

/** The field for all values that a text does not say. It is not a part of the form. */
export const fillField = (label: string): Html =>
  html`<label class="fill">${label} <input form="" inputmode="decimal" size="8" data-fill></label>`;

export const formContext = (state: ToolPageState): FormContext => ({
  text: state.runner.view.form ?? {},
  messages: groupMessages(state),
  inWords: state.runner.inWords,
  chosen: state.chosen,
});

function groupMessages(state: ToolPageState): Messages {
  const { outcome } = state;
  const messages: readonly FieldMessage[] =
    outcome.kind === "rejected"
      ? outcome.issues.map((issue) => ({ ...issue, severity: "error" }))
      : listWarnings(state);
  return Map.groupBy(inClosedItems(messages, state), ({ path }) => path);
}

/** A closed item shows the messages of its fields, with their names. */
function inClosedItems(
  messages: readonly FieldMessage[],
  { values }: ToolPageState,
): readonly FieldMessage[] {
  if (messages.length === 0) return messages;
  const items = closedItems(values);
  return messages.map((message) => {
    const [path = ""] = /^[^[]*\[\d+\]/.exec(message.path) ?? [];
    // A message about the whole item stays as it is: an input can cause thousands.
    const item = message.path === path ? undefined : items.get(path);
    const field = item && linkTo(message.path, item.values);
    return field ? { ...message, path, message: `${field.words}: ${message.message}` } : message;
  });
}

/**
 * The outcome of a form. The page's script replaces its marked parts. A rejected input has no result,
 * so the last valid one stays.
 */
const outcomeSection = (
  state: ToolPageState,
  baseUrl: string,
): Html => html`<section class="outcome" id="outcome" aria-labelledby="outcome-title" data-outcome="${state.outcome.kind}">
<h2 class="visually-hidden" id="outcome-title">Result</h2>
<div id="status" data-part>${statusPart(state)}</div>
<div id="beside" data-part></div>
<div id="trial" data-part></div>
<div id="result" data-part>${state.outcome.kind === "done" && resultPart(state, state.outcome.result, baseUrl)}</div>
</section>
`;

export function statusPart(state: ToolPageState): Html {
  const { outcome } = state;
  switch (outcome.kind) {
    case "rejected":
      return html`<div class="problems"><p>${summaryLine(state)}:</p>
${problemList(outcome.issues, state)}</div>`;
    case "done":
      return html`<p class="summary${isExample(state) && html` of-example`}"><bdi>${summaryLine(state)}</bdi></p>`;
    case "blank":
    case "unfinished":
      return html`<p class="invitation">${summaryLine(state)}</p>`;
  }
}

/** What a text gave besides the form's input: an offer to change it, and a report. */
export function extrasPart({ offer: offerFor, report }: ReadExtras, input: unknown): Html {
  const offer = offerFor?.(input);
  return html`${
    offer &&
    html`<div class="offer"><button type="button" data-offer>${offer.label}</button>
<small>${offer.hint}</small></div>`
  }${
    report !== undefined &&
    html`<details class="report" open>
<summary>What to do next, line by line</summary>
${copyBlock({ id: "report", label: "Report", text: report, action: saveButton("report", "report.txt", "the report") })}
</details>`
  }`;
}

/** The outcome in a line, which is also at the bottom of a narrow window. */
export function summaryLine(state: ToolPageState): string {
  const { runner, outcome, input, extras } = state;
  switch (outcome.kind) {
    case "blank":
      return "Fill in the form, and the result appears here.";
    case "unfinished":
      return (
        runner.view.next?.(input) ??
        `Next: ${linkTo(outcome.next.path, state.values)?.words ?? "the rest of the form"}.`
      );
    case "rejected":
      return `Fix ${plural(outcome.issues.length, "problem")}`;
    case "done":
      return isExample(state)
        ? OF_EXAMPLE
        : runner.view.summary(outcome.result, extras?.changes?.(input));
  }
}

const OF_EXAMPLE = "Example: make it yours.";

const problemList = (issues: readonly Issue[], state: ToolPageState): Html => html`<ul>
${listItems(issues, (issue) => html`<li>${linkedMessage([issue], state)}</li>\n`)}</ul>`;

export function resultPart(state: ToolPageState, output: ToolOutput, baseUrl: string): Html {
  const { view } = state.runner;
  const { onInput, onResult } = sortWarnings(state);
  const issue = state.runner.apiIssue?.(state.input);
  const href = issue ? undefined : fileHref(state);
  return html`<p class="stale">Showing your last valid result.</p>
${state.isLinked && linkNotice(view.effects?.(output, state.input) ?? [])}
${onInput.length > 0 && warningList(onInput, state)}
${view.body(output, { ...viewInput(state), trial: state.trial, extras: state.extras, fileHref: href, warnings: onResult })}
<footer class="elsewhere">
${
  Object.keys(state.options).length > 0
    ? beyondInput(state)
    : html`${issue ? beyondApi(issue, state) : apiCall(state, baseUrl)}
${shareLink(state)}`
}
</footer>
`;
}

/** Says that only the page's script accepts so large an input. */
const beyondApi = (issue: Issue, state: ToolPageState): Html =>
  html`<p class="beyond-api">Only this page and the command line accept this much. The API would reject it: ${linkedMessage([issue], state)}.</p>`;

/** Says why there is no API call and no link: they have no options. */
const beyondInput = ({ options, runner: { fields } }: ToolPageState): Html => {
  const labels = fields.filter(({ name }) => name in options).map(({ label }) => `“${label}”`);
  return html`<p class="beyond-api">Only this page, the command line and the library have ${labels.join(" and ")}: there is no API call and no link with it.</p>`;
};

/** Warns of an input that came in a link, which may be from someone else. */
const linkNotice = (effects: readonly string[]): Html => html`<div class="linked">
<p><strong>Filled in from a link.</strong> Check it before you use the result.${effects.length > 0 && " It would:"}</p>
${effects.length > 0 && html`<ul>${listItems(effects, (effect) => html`<li dir="auto">${effect}</li>`)}</ul>`}
</div>`;

/** The warnings, which may be out of sight beside their fields. Equal ones are one item. */
const warningList = (
  warnings: readonly Warning[],
  state: ToolPageState,
): Html => html`<ul class="notes">
${listItems(
  [...Map.groupBy(warnings, ({ message }) => message).values()],
  (equal) => html`<li class="${equal[0]?.severity}">${linkedMessage(equal, state)}</li>\n`,
)}</ul>`;

/** The most items of a list: an input of 16 KiB can cause ten thousand messages. */
const MAX_LISTED = 20;

function listItems<Item>(items: readonly Item[], toHtml: (item: Item) => Html): Html {
  const more = items.length - MAX_LISTED;
  return html`${items.slice(0, MAX_LISTED).map(toHtml)}${more > 0 && html`<li>and ${more} more</li>\n`}`;
}

/** A message with links to the fields that it is about. */
function linkedMessage(
  equal: readonly (Issue | Warning)[],
  { values, runner }: ToolPageState,
): Html {
  const words = runner.inWords(equal[0]?.message ?? "");
  const paths = equal.map(({ path }) => path).filter((path) => path !== "");
  if (paths.length === 0) return html`${sentence(words)}`;
  const more = paths.length - MAX_LINKS;
  const links = paths.slice(0, MAX_LINKS).map((path, index) => {
    const { id, field, words: name } = linkTo(path, values) ?? { words: path };
    const link =
      id === undefined
        ? name
        : html`<a href="#${id}"${field !== undefined && html` data-field="${field}"`}>${name}</a>`;
    return html`${index > 0 && ", "}${link}`;
  });
  return html`${links}${more > 0 && ` and ${more} more`}: ${words}`;
}

const MAX_LINKS = 5;

function apiCall(state: ToolPageState, baseUrl: string): Html {
  const { runner, input } = state;
  const endpoint = `${baseUrl}${toolPath(runner.contract)}`;
  return html`<details id="api-call" class="api-call">
<summary>The same as an API call</summary>
${copyBlock({ id: "api-curl", label: "curl", text: curlPost(endpoint, input) })}
${
  hasSecrets(state) || hasStraySecret(state)
    ? html`<p>There is no GET URL for this input: it may hold secrets, and addresses are kept in histories and logs.</p>`
    : copyBlock({ id: "api-url", label: "GET", text: urlWithInput(endpoint, input) })
}
<p>No key, no account. See <a href="${DOCS_PATH}#run_${runner.contract.name}">the API documentation</a>.</p>
</details>
`;
}

/** The beginning of a hash with an input: the version of its format, JSON in base64url. */
export const HASH_PREFIX = "#v1.";

/**
 * A link to the page with this input. The input is in the hash, which browsers do not send; the
 * page's script reads it there.
 */
function shareLink(state: ToolPageState): Html {
  if (hasStraySecret(state)) {
    return html`<p class="share">There is no link to this input, because it seems to hold a secret.</p>`;
  }
  const hash = `${HASH_PREFIX}${base64Url(JSON.stringify(withoutSecrets(state)))}`;
  return html`<p class="share needs-script"><a id="share" href="${toolPagePath(state.runner.contract)}${hash}">Link to this input</a> ${copyButton("share", "the link to this input")}${hasSecrets(state) && " (without the values that may be secret)"}</p>`;
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let latin = "";
  // Engines limit how many arguments a call may have, and are slow to spread bytes.
  for (let at = 0; at < bytes.length; at += 8_192) {
    latin += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 8_192));
  }
  return btoa(latin).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
