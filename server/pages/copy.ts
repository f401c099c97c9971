/** Copies a text, and shows for a moment whether that worked: the clipboard is missing on pages over plain http. */
export async function copyText(text: string, show: (words: string) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    show("Copied");
  } catch {
    show("Not allowed");
  }
  setTimeout(show, SHOWN_MS, "");
}

const SHOWN_MS = 2_000;

/** Starts the copy buttons of the pages that the server alone renders. */
export function startCopyButtons(): void {
  for (const block of document.querySelectorAll(".copy-block")) {
    const button = block.querySelector(".copy:not([data-copy])");
    const words = button?.textContent ?? "";
    if (!button || block.closest(".tool-page")) continue;
    button.addEventListener("click", () => {
      const text = block.querySelector("code")?.textContent ?? "";
      void copyText(text, (done) => {
        button.textContent = done || words;
      });
    });
  }
}
