import { announceLater } from "./announce.ts";
import { fetchPage } from "./fetch-page.ts";
import { focusAfter } from "./focus-after.ts";
import { followInPageLinks } from "./in-page-links.ts";
import { replaceContent, replaceParts, replaceValidity } from "./page-parts.ts";
import { hasPastedRows, pasteLists } from "./paste-list.ts";
import { onSharedInput, showInAddress } from "./share.ts";

/** Long enough to finish a word, short enough to feel like no wait. */
const TYPING_PAUSE_MS = 150;

/**
 * Keeps the result beside a form up to date while it is typed in. It asks the form's own address,
 * as the form does without scripts, and takes over parts of the page that comes back: so there is
 * one renderer, and it is the server's.
 */
export function liveForm(form: HTMLFormElement): void {
  let latest = new AbortController();
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The row button whose answer is awaited; until then others are not heard, for rows have numbers. */
  let pressed: HTMLButtonElement | undefined;
  /** The list that lines were pasted into last, unless something was typed since. */
  let pasted: string | undefined;

  const ask = async (parameters: URLSearchParams, show: (page: Document) => void) => {
    clearTimeout(pause);
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    const page = await fetchPage(form, parameters, signal);
    if (signal.aborted) return;
    pressed = undefined;
    if (typeof page === "string") showFailure(page);
    else {
      show(page);
      showOutcome(page, form);
    }
  };
  const send = () => {
    const button = pressed;
    return ask(parametersOf(form, button), (page) => {
      if (button) renewRows(form, page, button);
      else if (hasPastedRows(form)) renew(form, page);
      else replaceValidity(page);
      if (pasted !== undefined) focusAfter(form, `add ${pasted}`);
      pasted = undefined;
    });
  };

  form.addEventListener("input", () => {
    // An answer on its way knows nothing of this, and could put older rows in its place.
    latest.abort();
    pasted = undefined;
    clearTimeout(pause);
    pause = setTimeout(send, TYPING_PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
      if (pressed) return;
      pressed = submitter;
    }
    void send();
  });
  pasteLists(form, (list) => {
    pasted = list;
    void send();
  });
  followInPageLinks();
  onSharedInput(form, (input) => ask(new URLSearchParams({ input }), (page) => renew(form, page)));
}

const parametersOf = (form: HTMLFormElement, button?: HTMLButtonElement): URLSearchParams =>
  new URLSearchParams(
    [...new FormData(form, button)].filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    }),
  );

/** Takes over a whole form: one with other rows, or another input. */
function renew(form: HTMLFormElement, page: Document): void {
  const newer = page.getElementById(form.getAttribute("id") ?? "");
  if (newer) replaceContent(form, newer);
}

/** Who has gone on typing by now is left where they are. */
function renewRows(form: HTMLFormElement, page: Document, button: HTMLButtonElement): void {
  const isTyping = document.activeElement?.matches("input, select, textarea") ?? false;
  renew(form, page);
  if (!isTyping) focusAfter(form, button.value);
}

/** A refused input has no result: the last good one stays, marked as older than the form. */
function showOutcome(page: Document, form: HTMLFormElement): void {
  const isRefused = page.querySelector("[data-outcome=refused]") !== null;
  replaceParts(page, (id) => id !== "result" || !isRefused);
  markStale(isRefused);
  if (!isRefused) showInAddress(form);
  announceLater(document.getElementById("status")?.textContent ?? "");
}

function showFailure(reason: string): void {
  const problem = document.createElement("p");
  problem.className = "problems";
  problem.textContent = reason;
  document.getElementById("status")?.replaceChildren(problem);
  // The line under the form says the same in a narrow window, where the result is out of sight.
  document.getElementById("live")?.replaceChildren(reason);
  markStale(true);
  announceLater(reason);
}

const markStale = (isStale: boolean): void => {
  document.getElementById("result")?.toggleAttribute("data-stale", isStale);
};
