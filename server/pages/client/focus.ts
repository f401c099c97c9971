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
