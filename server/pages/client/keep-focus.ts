const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

/**
 * Lets an element get other content without taking the focus from who is in it. It goes to the
 * element with the same id; to the one in the same place where there is no id.
 */
export function keepFocus(root: HTMLElement, change: () => void): void {
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
