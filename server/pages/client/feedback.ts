/** Announces a text after a pause, unless a newer one replaces it by then; it comes after `announce`. */
export function announceLater(text: string): void {
  clearTimeout(later);
  later = setTimeout(() => announce(text.replace(/\s+/g, " ").trim()), ANNOUNCE_PAUSE_MS);
}

/** Screen readers announce one sentence after a pause, not one with every keystroke. */
const ANNOUNCE_PAUSE_MS = 1_000;

let later: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

/** Makes every button with `data-copy` copy the text or the address of the element it names. */
export function copyOnClick(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>("[data-copy]");
    if (button) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? "");
  if (!source) return;
  const text = source instanceof HTMLAnchorElement ? source.href : (source.textContent ?? "");
  if (await write(text)) {
    showOnButton(button, "Copied");
    announce("Copied");
  } else {
    getSelection()?.selectAllChildren(source);
    showOnButton(button, "Selected");
    announce("The text is selected: copy it with the keyboard");
  }
}

/** False if the clipboard is forbidden, or missing as on pages over plain http. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function showOnButton(button: HTMLElement, word: string): void {
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label;
  button.textContent = word;
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}

const SHOWN_MS = 2_000;

/** Makes every button with `data-share` share the link that it names, where the browser can. */
export function shareOnClick(): void {
  if (!("share" in navigator)) return;
  document.documentElement.dataset.canShare = "";
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>("[data-share]");
    const link = button && document.getElementById(button.dataset.share ?? "");
    if (!(link instanceof HTMLAnchorElement)) return;
    // A list that is closed again is not an error.
    navigator.share({ title: document.title, url: link.href }).catch(() => undefined);
  });
}

/** Makes every field with `data-search` mark the items without its words in the list that it names. */
export function searchOnInput(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.search === undefined) return;
    const words = target.value.toLowerCase().split(/\s+/);
    const list = document.getElementById(target.dataset.search);
    for (const item of list?.querySelectorAll("li") ?? []) {
      const text = item.textContent?.toLowerCase() ?? "";
      item.toggleAttribute("data-unfound", !words.every((word) => text.includes(word)));
    }
    const found = list?.querySelectorAll("li[data-kinds]:not([data-unfound])");
    announceLater(`${found?.length ?? 0} found`);
  });
}

/** Makes every button with `data-save` save the text of the element it names, as that file. */
export function saveOnClick(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>("[data-save]");
    const source = button && document.getElementById(button.dataset.source ?? "");
    if (button && source)
      saveFile(button.dataset.save ?? "", source.textContent ?? "", "text/plain");
  });
}

export function saveFile(name: string, content: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}

/** Long enough for the browser to start the download. */
const SAVED_MS = 10_000;
