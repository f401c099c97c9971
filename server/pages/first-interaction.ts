const INTERACTION_EVENTS = ["pointermove", "pointerdown", "focusin", "keydown", "dragenter"];

/** Runs once at the first sign of a user: what few need is loaded then. */
export function onFirstInteraction(run: () => void): void {
  const signs = new AbortController();
  const once = () => {
    signs.abort();
    run();
  };
  for (const type of INTERACTION_EVENTS) addEventListener(type, once, { signal: signs.signal });
}
