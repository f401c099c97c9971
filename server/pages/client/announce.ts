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
