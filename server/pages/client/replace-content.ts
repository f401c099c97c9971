import type { Html } from "../html.ts";
import { captureFocus } from "./focus.ts";

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

/** Replaces the content of a form, and what was typed into it, by that of a newer one. */
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
  const restoreFocus = captureFocus(element);
  replace();
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  restoreFocus();
}
