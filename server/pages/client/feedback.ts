/** A screen reader says one sentence after a pause, not one with each letter. */
const PAUSE_MS = 1_000;

let later: ReturnType<typeof setTimeout> | undefined;

/** Says a short text to who uses a screen reader. */
export function announce(text: string): void {
  clearTimeout(later);
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

/** Says it after a pause, unless there is something newer to say by then. */
export function announceLater(text: string): void {
  clearTimeout(later);
  later = setTimeout(() => announce(text.replace(/\s+/g, " ").trim()), PAUSE_MS);
}

const SHOWN_MS = 2_000;

/** Lets each button with `data-copy` copy the text, or the address, of the element it names. */
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
    say(button, "Copied");
    announce("Copied");
  } else {
    getSelection()?.selectAllChildren(source);
    say(button, "Selected");
    announce("The text is selected: copy it with the keyboard");
  }
}

/** The clipboard may be forbidden, and a page that came over plain http has none. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function say(button: HTMLElement, word: string): void {
  const label = button.dataset.label ?? button.textContent ?? "";
  button.dataset.label = label;
  button.textContent = word;
  setTimeout(() => {
    button.textContent = label;
  }, SHOWN_MS);
}
