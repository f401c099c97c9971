/** Announces a message to screen readers. */
export function announce(text: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

const ANNOUNCE_PAUSE_MS = 1_000;

let pause: ReturnType<typeof setTimeout> | undefined;

/** Announces one sentence after a pause, not one with every keystroke. */
export function announceLater(text: () => string): void {
  clearTimeout(pause);
  pause = setTimeout(() => announce(text().replace(/\s+/g, " ").trim()), ANNOUNCE_PAUSE_MS);
}
