import { announce } from "./announce.ts";

/**
 * Copies a text, and shows for a moment whether that worked: the clipboard is missing on pages over
 * plain http.
 *
 * @param source the element with the text, which is then selected.
 */
export async function copyText(
  text: string,
  show: (words: string) => void,
  source?: Element | null,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    show("Copied");
    announce("Copied");
  } catch {
    if (source) getSelection()?.selectAllChildren(source);
    show(source ? "Selected" : "Not allowed");
    announce(source ? "The text is selected: copy it with the keyboard" : "Not allowed");
  }
  setTimeout(show, SHOWN_MS, "");
}

const SHOWN_MS = 2_000;

/** Starts the copy buttons of the pages that the server alone renders. */
export function startCopyButtons(): void {
  for (const block of document.querySelectorAll(".copy-block")) {
    const button = block.querySelector(".copy");
    const words = button?.textContent ?? "";
    if (!button || block.closest(".tool-page")) continue;
    button.addEventListener("click", () => {
      const source = block.querySelector("code");
      const show = (done: string) => {
        button.textContent = done || words;
      };
      void copyText(source?.textContent ?? "", show, source);
    });
  }
}
