import { announce } from "./announce.ts";

/**
 * Copies a string. The button shows for a moment whether that worked: the clipboard is missing on pages
 * over plain http.
 *
 * @param source the element with the text, which is then selected.
 */
export async function copyText(button: HTMLElement, text: string, source?: Element): Promise<void> {
  // A component may have drawn this node, and keeps it.
  const label = button.firstChild ?? button;
  button.dataset.label ??= label.textContent ?? "";
  const show = (words = "") => {
    label.nodeValue = words;
  };
  try {
    await navigator.clipboard.writeText(text);
    show("Copied");
    announce("Copied");
  } catch {
    if (source) getSelection()?.selectAllChildren(source);
    show(source ? "Selected" : "Not allowed");
    announce(source ? "The text is selected: copy it with the keyboard" : "Not allowed");
  }
  setTimeout(show, SHOWN_MS, button.dataset.label);
}

const SHOWN_MS = 2_000;

/** Activates all copy buttons, including those rendered later. */
export function startCopyButtons(): void {
  document.addEventListener("click", ({ target }) => {
    const at = target instanceof Element ? target : undefined;
    const button = at?.closest<HTMLElement>(".copy-block .copy");
    const source = button?.closest(".copy-block")?.querySelector("code");
    if (button && source) void copyText(button, source.textContent, source);
  });
}
