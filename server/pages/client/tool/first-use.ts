/** Loads at the first sign of a user what few need. Without a network it is loaded when it is needed. */
export function onFirstUse(load: () => Promise<unknown> | undefined): void {
  const signs = new AbortController();
  const start = () => {
    signs.abort();
    load()?.catch(() => undefined);
  };
  for (const type of ["pointermove", "pointerdown", "focusin", "keydown", "dragenter"])
    document.addEventListener(type, start, { signal: signs.signal });
}
