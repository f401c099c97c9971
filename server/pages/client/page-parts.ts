import type { Html } from "../html.ts";
import { enhanceChoices } from "./choices.ts";
import { enhanceTabs } from "./tabs.ts";

/** The element that markup describes. */
export function elementOf({ markup }: Html): HTMLElement | undefined {
  const template = document.createElement("template");
  template.innerHTML = markup;
  const [element] = template.content.children;
  return element instanceof HTMLElement ? element : undefined;
}

/** The markup that the page's script has last put into an element. */
const parts = new WeakMap<HTMLElement, string>();

/** Puts markup into an element. An unchanged part is left alone, so that no selection is lost. */
export function setPart(id: string, { markup }: Html): void {
  const own = document.getElementById(id);
  if (!own || parts.get(own) === markup || own.innerHTML === markup) return;
  parts.set(own, markup);
  const newer = document.createElement("template");
  newer.innerHTML = markup;
  replaceNodes(own, newer.content.childNodes);
}

/** Gives an element the content of a newer one. */
export const replaceContent = (own: HTMLElement, newer: HTMLElement): void =>
  replaceNodes(own, newer.childNodes);

/** Open details and folds with an id stay open, and the focus stays where it is. */
function replaceNodes(own: HTMLElement, nodes: NodeListOf<ChildNode>): void {
  const opened = [...own.querySelectorAll("details[open]")].map(({ id }) => id);
  const unfolded = [...own.querySelectorAll(FOLD)].map(({ id }) => id);
  keepFocus(own, () => {
    own.replaceChildren(...nodes);
    enhanceTabs(own);
    enhanceChoices(own);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
    for (const id of unfolded) document.getElementById(id)?.setAttribute("checked", "");
  });
}

/** A checkbox that unfolds what stands after it. */
const FOLD = "input[type=checkbox]:not([name]):checked";

/**
 * Changes the content of an element without losing the focus in it: that moves to the element with
 * the same id, or else to the one at the same position.
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

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

const focusables = (root: HTMLElement): readonly Element[] => [...root.querySelectorAll(FOCUSABLE)];

const isTextControl = (
  element: Element | null,
): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** The selection in a text control. */
function caretOf(element: Element | null): [number, number] | undefined {
  if (!isTextControl(element)) return undefined;
  const { selectionStart, selectionEnd } = element;
  return selectionStart === null || selectionEnd === null
    ? undefined
    : [selectionStart, selectionEnd];
}

/**
 * Moves the focus after a row button: into the added row, or to the button that adds rows where one
 * was removed.
 *
 * @param command the button's value, `add filters[0].from` or `remove filters[1]`.
 */
export function focusAfter(form: HTMLFormElement, command: string): void {
  const [verb, name = ""] = command.split(" ", 2);
  if (verb === "add") newRow(form, name)?.focus();
  else if (verb === "open") form.querySelector<HTMLElement>(`[name^="${name}."]`)?.focus();
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
 * Follows links within the page without writing their hash into its address. The hash holds the
 * form's input: going back from another one would replace what was typed.
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

/** Focuses the control in a form, and elsewhere the element itself. */
function goTo(place: HTMLElement): void {
  place.scrollIntoView();
  const goal = place.closest("form") ? controlIn(place) : place;
  if (goal === place && place.tabIndex < 0) place.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

const CONTROLS = "input, select, textarea";

const controlIn = (place: HTMLElement): HTMLElement =>
  place.matches(CONTROLS) ? place : (place.querySelector<HTMLElement>(CONTROLS) ?? place);
