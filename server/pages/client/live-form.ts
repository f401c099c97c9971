import { announceLater } from "./feedback.ts";
import {
  focusAfter,
  followInPageLinks,
  replaceContent,
  replaceParts,
  replaceValidity,
} from "./page-parts.ts";
import { onSharedInput, showInAddress } from "./share.ts";

const STILL_HERE = "What you typed is still here.";

/**
 * Sends a form and reads the page that comes back.
 *
 * @returns the page, or why there is none, in words for who is typing.
 */
async function fetchPage(
  form: HTMLFormElement,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<Document | string> {
  try {
    // Posted, whatever the form's method: an address may be too long for a server in between.
    const response = await fetch(form.getAttribute("action") ?? "", {
      method: "POST",
      body: parameters,
      headers: { Accept: "text/html" },
      signal,
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Anything in between may answer too, with a page of its own.
    if (response.ok && page.getElementById(form.getAttribute("id") ?? "")) return page;
    const reason =
      response.status === 413 ? "is too much for the server" : "was refused by the server";
    return `This ${reason} (${response.status}). ${STILL_HERE}`;
  } catch (error) {
    // An older question that nobody waits for any more.
    if (signal.aborted) return "";
    return `The server cannot be reached (${error instanceof Error ? error.message : error}). ${STILL_HERE}`;
  }
}

/** The name of a row of a list of texts, `filters[0].from[1]`, without its number. */
const LIST = /^(.+)\[\d+\]$/;

/**
 * Lets a column of texts be pasted into a row of a list: each line becomes a row, where browsers
 * would join them all in one. The first goes where the caret is; the others stand in the form as
 * hidden controls until the server, which is to be asked then, has made rows of them.
 *
 * @param onRows called with the name of the list that gets more rows.
 */
function pasteLists(form: HTMLFormElement, onRows: (list: string) => void): void {
  form.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    if (!(target instanceof HTMLInputElement) || !target.closest("ul.rows")) return;
    const list = LIST.exec(target.name)?.[1];
    const text = clipboardData?.getData("text/plain") ?? "";
    if (list === undefined || !/[\r\n]/.test(text)) return;
    event.preventDefault();
    const [first = "", ...others] = linesOf(text);
    const { selectionStart, selectionEnd, value } = target;
    target.setRangeText(first, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
    target.dispatchEvent(new Event("input", { bubbles: true }));
    if (others.length === 0) return;
    const row = rowsOf(form, list);
    form.append(...others.map((line, index) => hiddenRow(`${list}[${row + index}]`, line)));
    onRows(list);
  });
}

/** Whether rows were pasted that the server has not shown yet. */
const hasPastedRows = (form: HTMLFormElement): boolean =>
  form.querySelector("input[type=hidden]") !== null;

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** How many rows a list has: the server numbers them without a gap. */
const rowsOf = (form: HTMLFormElement, list: string): number =>
  [...form.querySelectorAll<HTMLInputElement>("[name]")].filter(
    ({ name }) => LIST.exec(name)?.[1] === list,
  ).length;

function hiddenRow(name: string, value: string): HTMLInputElement {
  const row = document.createElement("input");
  row.type = "hidden";
  row.name = name;
  row.value = value;
  return row;
}

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
