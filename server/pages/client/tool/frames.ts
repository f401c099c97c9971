/** Work that takes longer, in milliseconds, is done after the frame that shows the typed key. */
const FRAME_MS = 12;

/** Does the work for what the user types: at once, or soon and then once a frame at most. */
export function oncePerFrame(work: () => void) {
  // The first time takes long, because the browser has yet to compile the code.
  let lastMs = Number.POSITIVE_INFINITY;
  let frame: number | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    clearTimeout(later);
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const now = () => {
    cancel();
    const started = performance.now();
    work();
    lastMs = performance.now() - started;
  };
  const soon = () => {
    frame ??= requestAnimationFrame(() => {
      if (lastMs > FRAME_MS) later = setTimeout(now);
      else now();
    });
  };
  return { soon, now, cancel, isDue: () => frame !== undefined };
}
