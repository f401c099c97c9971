import { enhanceTabs } from "./tabs.ts";

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

/**
 * Lets an element get other content without taking the focus from who is in it. It goes to the
 * element with the same id; to the one in the same place where there is no id.
 */
function keepFocus(root: HTMLElement, change: () => void): void {
  const { activeElement } = document;
  const index = activeElement ? focusables(root).indexOf(activeElement) : -1;
  const caret = caretOf(activeElement);
  change();
  if (!activeElement || index < 0) return;
  const newer = document.getElementById(activeElement.id) ?? focusables(root)[index];
  if (!(newer instanceof HTMLElement)) return;
  newer.focus({ preventScroll: true });
  if (caret && isTextControl(newer)) newer.setSelectionRange(...caret);
}

const focusables = (root: HTMLElement): readonly Element[] => [...root.querySelectorAll(FOCUSABLE)];

const isTextControl = (
  element: Element | null,
): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Where the selection begins and ends; a control that is no text has none. */
function caretOf(element: Element | null): [number, number] | undefined {
  if (!isTextControl(element)) return undefined;
  const { selectionStart, selectionEnd } = element;
  return selectionStart === null || selectionEnd === null
    ? undefined
    : [selectionStart, selectionEnd];
}

/**
 * Puts the parts of a newer answer in the place of the page's own. A part is an element with an id
 * and `data-part`; the controls get no new values, for somebody may be typing in them.
 *
 * @param isWanted which parts.
 */
export function replaceParts(newer: Document, isWanted: (id: string) => boolean): void {
  for (const part of newer.querySelectorAll<HTMLElement>("[data-part]")) {
    const own = document.getElementById(part.id);
    // The same again is left alone, so that nothing jumps and no selection is lost.
    if (own && isWanted(part.id) && own.innerHTML !== part.innerHTML) replaceContent(own, part);
  }
}

/**
 * Gives an element the content of a newer one. What was opened stays open, if it has an id, and the
 * focus stays where it was.
 */
export function replaceContent(own: HTMLElement, newer: HTMLElement): void {
  const opened = [...own.querySelectorAll("details[open]")].map(({ id }) => id);
  keepFocus(own, () => {
    own.replaceChildren(...document.adoptNode(newer).childNodes);
    enhanceTabs(own);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
}

/** Marks the controls that are in the way of a result. */
export function replaceValidity(newer: Document): void {
  for (const control of newer.querySelectorAll("[aria-invalid]")) {
    const invalid = control.getAttribute("aria-invalid") ?? "false";
    document.getElementById(control.id)?.setAttribute("aria-invalid", invalid);
  }
}

/**
 * Puts the focus where the keyboard goes on after a button has changed a form's rows: into the new
 * row, or onto the button that adds one where a row was taken out.
 *
 * @param command what the button says, `add filters[0].from` or `remove filters[1]`.
 */
export function focusAfter(form: HTMLFormElement, command: string): void {
  const [verb, name = ""] = command.split(" ", 2);
  if (verb === "add") newRow(form, name)?.focus();
  else if (verb === "remove") addButton(form, name.replace(/\[\d+\]$/, ""))?.focus();
  else form.querySelector<HTMLElement>("input, select, textarea")?.focus();
}

function newRow(form: HTMLFormElement, list: string): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLInputElement>("[name]")];
  const rows = controls.filter(({ name }) => name.startsWith(`${list}[`));
  const row = rows
    .at(-1)
    ?.name.slice(list.length)
    .match(/^\[\d+\]/)?.[0];
  return rows.find(({ name }) => row !== undefined && name.startsWith(`${list}${row}`));
}

const addButton = (form: HTMLFormElement, list: string): HTMLElement | undefined =>
  [...form.querySelectorAll("button")].find(({ value }) => value === `add ${list}`);

/**
 * Follows the links within a page that has a live form without writing them into its address. That
 * is the form's: the way back from another hash would open an older input over what was typed.
 */
export function followInPageLinks(): void {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element && target.closest('a[href^="#"]');
    const place = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (!place) return;
    event.preventDefault();
    goTo(place);
  });
}

/** Into the control, so that typing can go on; to the place itself outside of a form. */
function goTo(place: HTMLElement): void {
  place.scrollIntoView();
  const goal = place.closest("form") ? controlIn(place) : place;
  if (goal === place && place.tabIndex < 0) place.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

const CONTROLS = "input, select, textarea";

const controlIn = (place: HTMLElement): HTMLElement =>
  place.matches(CONTROLS) ? place : (place.querySelector<HTMLElement>(CONTROLS) ?? place);
