import type { Html } from "../html.ts";
import { enhanceContent } from "./tabs.ts";

/** The element that markup describes. */
export function parseElement(html: Html): HTMLElement | undefined {
  const [element] = toFragment(html).children;
  return element instanceof HTMLElement ? element : undefined;
}

function toFragment({ markup }: Html): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/** The markup last put into an element. */
interface Part extends Html {
  /** The nodes of the markup; undefined for markup from the server, most of which never changes. */
  readonly nodes?: readonly Node[];
}

const parts = new WeakMap<HTMLElement, Part>();

/**
 * Puts markup into an element. The parts that are the same as before stay: no selection is lost in
 * them, and the browser need not lay them out again.
 */
export function setPart(id: string, html: Html): void {
  const element = document.getElementById(id);
  if (!element) return;
  // To read the markup that the server sent takes long, so it is done once.
  const last = parts.get(element) ?? { markup: element.innerHTML };
  if (last.markup === html.markup) {
    parts.set(element, last);
    return;
  }
  const nodes = [...toFragment(html).childNodes];
  parts.set(element, { markup: html.markup, nodes });
  keepStateWhile(element, () => {
    // The shown nodes may be open or enhanced, so they are not compared themselves.
    replaceChanged(element, last.nodes ?? [...toFragment(last).childNodes], nodes);
  });
}

export const replaceContent = (form: HTMLFormElement, newer: HTMLElement): void =>
  keepStateWhile(form, () => {
    for (const control of form.elements) syncAttributes(control);
    replaceChanged(form, [...form.childNodes], [...newer.childNodes]);
    // The parts in it have the newer markup, whatever was put into them last.
    for (const part of form.querySelectorAll<HTMLElement>("[data-part]")) parts.delete(part);
  });

/** Copies typed values into attributes, because nodes are compared by attributes. */
function syncAttributes(control: Element): void {
  if (control instanceof HTMLTextAreaElement && control.name !== "")
    control.defaultValue = control.value;
  if (control instanceof HTMLInputElement && control.name !== "") {
    if (control.value !== control.defaultValue) control.setAttribute("value", control.value);
    control.toggleAttribute("checked", control.checked);
  }
  if (!(control instanceof HTMLSelectElement)) return;
  for (const option of control.options) {
    // The form does not mark the option for no choice either.
    option.toggleAttribute("selected", option.selected && option.value !== "");
  }
}

/**
 * Replaces the nodes that differ from the last ones, and no node around them. The changed nodes of
 * a list are between those that are equal at its start and at its end.
 *
 * @param element contains the last nodes, some of them enhanced.
 */
function replaceChanged(element: Element, last: readonly Node[], newer: readonly Node[]): void {
  const shown = [...element.childNodes];
  const most = Math.min(last.length, newer.length);
  let start = 0;
  while (start < most && last[start]?.isEqualNode(newer[start] ?? null)) start += 1;
  let end = 0;
  while (end < most - start && last.at(-1 - end)?.isEqualNode(newer.at(-1 - end) ?? null)) end += 1;
  if (last.length === newer.length) {
    for (let index = start; index < newer.length - end; index += 1) {
      replaceNode(shown[index], last[index], newer[index]);
    }
    return;
  }
  const after = shown[last.length - end] ?? null;
  for (const node of shown.slice(start, last.length - end)) node.remove();
  for (const node of newer.slice(start, newer.length - end))
    element.insertBefore(copyNode(node), after);
}

function replaceNode(
  shown: ChildNode | undefined,
  last: Node | undefined,
  newer: Node | undefined,
): void {
  if (!shown || !last || !newer || last.isEqualNode(newer)) return;
  // A change within a control would not show: the browser keeps what was chosen or typed.
  const isKept =
    shown instanceof Element &&
    !shown.matches("select, textarea") &&
    shown.childNodes.length === last.childNodes.length &&
    last.cloneNode().isEqualNode(newer.cloneNode());
  if (isKept) replaceChanged(shown, [...last.childNodes], [...newer.childNodes]);
  else shown.replaceWith(copyNode(newer));
}

const copyNode = (node: Node): Node => document.importNode(node, true);

/** Open details with an id stay open, and the focus stays where it is. */
function keepStateWhile(element: HTMLElement, replace: () => void): void {
  const opened = [...element.querySelectorAll("details[open]")].map(({ id }) => id);
  keepFocus(element, () => {
    replace();
    enhanceContent(element);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
}

/** Changes the content of an element without losing the focus in it. */
function keepFocus(root: HTMLElement, change: () => void): void {
  const goBack = captureFocus(root);
  change();
  goBack();
}

/**
 * Remembers the focus within an element.
 *
 * @returns a function that focuses the element with the same id, or else the one at the same position.
 */
export function captureFocus(
  root: HTMLElement,
  options: FocusOptions = { preventScroll: true },
): () => void {
  const { activeElement } = document;
  const index = activeElement ? focusables(root).indexOf(activeElement) : -1;
  const caret = readCaret(activeElement);
  return () => {
    if (!activeElement || index < 0) return;
    const newer = document.getElementById(activeElement.id) ?? focusables(root)[index];
    if (!(newer instanceof HTMLElement)) return;
    newer.focus(options);
    if (caret && isTextControl(newer)) newer.setSelectionRange(...caret);
  };
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

const focusables = (root: HTMLElement): readonly Element[] => [...root.querySelectorAll(FOCUSABLE)];

const isTextControl = (
  element: Element | null,
): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** The selection in a text control. */
function readCaret(element: Element | null): [number, number] | undefined {
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
  else focusFirst(form);
}

/** Focuses the first field, with a finger its whole group: the keyboard on the screen would cover the group. */
function focusFirst(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>(FIRST_FIELD);
  const group = field?.closest<HTMLElement>(".item") ?? field?.closest<HTMLElement>(".field");
  if (!group || !matchMedia("(pointer: coarse)").matches) {
    field?.focus();
    return;
  }
  group.tabIndex = -1;
  group.focus({ preventScroll: true });
  group.scrollIntoView();
}

/** A file input opens a dialog, and takes no typing. */
const FIRST_FIELD = ":is(input:not([type=file], [type=hidden], [type=radio]), textarea)[name]";

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
 *
 * @param open opens a closed item of the form, which shows none of its fields.
 */
export function followInPageLinks(open: (item: string) => void): void {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#"]');
    const linked = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    if (!linked) return;
    event.preventDefault();
    if (linked.matches(".closed")) open(linked.id);
    focusLinked(document.getElementById(link.dataset.field ?? linked.id) ?? linked);
  });
}

/** Focuses the control in a linked element of a form, and elsewhere the element itself. */
function focusLinked(linked: HTMLElement): void {
  const goal = linked.closest("form") ? findControl(linked) : linked;
  unfoldField(goal);
  linked.scrollIntoView();
  if (goal === linked && linked.tabIndex < 0) linked.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

/** Shows a rare field that its group folds away. */
function unfoldField(control: HTMLElement): void {
  const fold = control.closest(".group")?.querySelector<HTMLDetailsElement>(".more");
  if (fold && control.offsetParent === null) fold.open = true;
}

const CONTROLS = "input:not([type=hidden]), select, textarea";

const findControl = (field: HTMLElement): HTMLElement =>
  field.matches(CONTROLS) ? field : (field.querySelector<HTMLElement>(CONTROLS) ?? field);
