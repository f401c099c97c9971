const INTERACTION_EVENTS = ["pointermove", "pointerdown", "focusin", "keydown", "dragenter"];

/** Runs once at the user's first interaction, to load code that few visits need. */
export function onFirstInteraction(run: () => void): void {
  const signs = new AbortController();
  const once = () => {
    signs.abort();
    run();
  };
  for (const type of INTERACTION_EVENTS) addEventListener(type, once, { signal: signs.signal });
}
