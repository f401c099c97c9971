import { announceLater } from "./feedback.ts";
import {
  focusAfter,
  followInPageLinks,
  replaceContent,
  replaceParts,
  replaceValidity,
} from "./page-parts.ts";
import { onSharedInput, showInAddress } from "./share.ts";

/**
 * Keeps the result beside a form up to date while the user types. It posts to the form's own address,
 * as the form does without scripts, and takes over parts of the page that comes back, so that the
 * server is the only renderer.
 */
export function liveForm(form: HTMLFormElement): void {
  let latest = new AbortController();
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The row button whose response is pending. Others are ignored until then: rows have numbers. */
  let pressed: HTMLButtonElement | undefined;
  /** The list that lines were pasted into, until something is typed. */
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
    // A response under way does not know this text and could replace it by older rows.
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

/** Long enough to finish a word, and short enough to feel immediate. */
const TYPING_PAUSE_MS = 150;

const parametersOf = (form: HTMLFormElement, button?: HTMLButtonElement): URLSearchParams =>
  new URLSearchParams(
    [...new FormData(form, button)].filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    }),
  );

/**
 * Sends a form and reads the page that comes back.
 *
 * @returns the page, or the reason why there is none, in words for the user.
 */
async function fetchPage(
  form: HTMLFormElement,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<Document | string> {
  try {
    // POST whatever the form's method: an address may be too long for a proxy.
    const response = await fetch(form.getAttribute("action") ?? "", {
      method: "POST",
      body: parameters,
      headers: { Accept: "text/html" },
      signal,
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // A proxy may answer with a page of its own.
    if (response.ok && page.getElementById(form.getAttribute("id") ?? "")) return page;
    const reason =
      response.status === 413 ? "is too much for the server" : "was refused by the server";
    return `This ${reason} (${response.status}). ${STILL_HERE}`;
  } catch (error) {
    // A newer request has replaced this one.
    if (signal.aborted) return "";
    return `The server cannot be reached (${error instanceof Error ? error.message : error}). ${STILL_HERE}`;
  }
}

const STILL_HERE = "What you typed is still here.";

/** Takes over a whole form, with other rows or another input. */
function renew(form: HTMLFormElement, page: Document): void {
  const newer = page.getElementById(form.getAttribute("id") ?? "");
  if (newer) replaceContent(form, newer);
}

/** Doesn't move the focus of someone who is still typing. */
function renewRows(form: HTMLFormElement, page: Document, button: HTMLButtonElement): void {
  const isTyping = document.activeElement?.matches("input, select, textarea") ?? false;
  renew(form, page);
  if (!isTyping) focusAfter(form, button.value);
}

/** A refused input has no result: the last valid one stays, marked as stale. */
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
  // In a narrow window the result is out of sight; the line under the form says the same.
  document.getElementById("live")?.replaceChildren(reason);
  markStale(true);
  announceLater(reason);
}

const markStale = (isStale: boolean): void => {
  document.getElementById("result")?.toggleAttribute("data-stale", isStale);
};

/**
 * Turns each pasted line into a row of its list; browsers would join them into one. The first line
 * goes to the caret. The others become hidden controls until the server has rendered their rows.
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

/** The name of a row, `filters[0].from[1]`, with its list as the first group. */
const LIST = /^(.+)\[\d+\]$/;

/** Whether the server has not yet rendered pasted rows. */
const hasPastedRows = (form: HTMLFormElement): boolean =>
  form.querySelector("input[type=hidden]") !== null;

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** How many rows a list has. The server numbers them without gaps. */
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
