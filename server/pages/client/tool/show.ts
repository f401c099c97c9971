import { hasMessages, idOfMessages, isInvalid, messageItems } from "../../form/controls.ts";
import { listPlaces } from "../../form/values.ts";
import { html } from "../../html.ts";
import type { ToolOutput, ToolPageState } from "../../tool/state.ts";
import { formContext, resultPart, statusPart, summaryLine } from "../../tool/workbench.ts";
import { announceLater, saveFile } from "../feedback.ts";
import { setPart } from "../replace-content.ts";

/** The fields of a form that have messages, by their names. */
const fieldsWithMessages = new WeakMap<HTMLFormElement, ReadonlySet<string>>();

/**
 * Shows the messages beside the fields, and marks the invalid ones. Of hundreds of fields most have
 * none and had none: they are passed over, so that a keystroke stays cheap.
 */
export function showMessages(form: HTMLFormElement, state: ToolPageState): void {
  const context = formContext(state);
  const before = fieldsWithMessages.get(form);
  const now = new Set<string>();
  keepInPlace(document.activeElement, () => {
    for (const place of listPlaces(state.values)) {
      if (hasMessages(context.messages, place)) now.add(place.name);
      else if (before?.has(place.name) === false) continue;
      setPart(idOfMessages(place), messageItems(context, place));
      const invalid = String(isInvalid(context.messages, place));
      for (const name of [place.name, `${place.name}.key`, `${place.name}.value`]) {
        const control = document.getElementById(name);
        if (control?.hasAttribute("aria-invalid")) control.setAttribute("aria-invalid", invalid);
      }
    }
    fieldsWithMessages.set(form, now);
  });
}

/** Scrolls by as much as a change above it moves an element. */
function keepInPlace(element: Element | null, change: () => void): void {
  const before = element?.getBoundingClientRect().top ?? 0;
  change();
  const moved = (element?.getBoundingClientRect().top ?? 0) - before;
  if (moved !== 0 && element !== document.body) scrollBy(0, moved);
}

/** The last state with a result, whose files can be saved. */
let latest: { readonly state: ToolPageState; readonly output: ToolOutput } | undefined;

/** A message about another action or its failure: "Read 3 filters." */
export interface Notice {
  readonly text: string;
  readonly isError?: boolean;
}

/**
 * Shows the outcome. A rejected or unfinished input has no result: the last valid one stays, marked
 * as stale.
 */
export function showOutcome(state: ToolPageState, baseUrl: string, notice?: Notice): void {
  const { outcome } = state;
  const hasNone = outcome.kind === "rejected" || outcome.kind === "unfinished";
  document.getElementById("outcome")?.setAttribute("data-outcome", outcome.kind);
  setPart(
    "status",
    html`${notice && html`<p class="notice${notice.isError === true && html` error`}">${notice.text}</p>\n`}${statusPart(state)}`,
  );
  setPart("live", html`${summaryLine(state)}`);
  if (!hasNone) {
    latest = outcome.kind === "done" ? { state, output: outcome.result } : undefined;
    setPart("result", latest ? resultPart(state, latest.output, baseUrl) : html``);
  }
  document.getElementById("result")?.toggleAttribute("data-stale", hasNone);
}

/** Removes a result that does not come from the user's input. */
export function clearResult(): void {
  latest = undefined;
  setPart("result", html``);
}

export const announceStatus = (): void =>
  announceLater(document.getElementById("status")?.textContent ?? "");

/** Lets the links to the result's file save the one that was made in the page, or its changes alone. */
export function saveInPage(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    const link = target instanceof Element && target.closest<HTMLElement>("a[data-file]");
    if (!link || !latest) return;
    const { state, output } = latest;
    const changes = link.dataset.file === "changes" && state.extras?.changes?.(state.input);
    const file = changes ? changes.file : output.file;
    if (!file) return;
    event.preventDefault();
    saveFile(file.name, file.content, file.media_type);
  });
}
