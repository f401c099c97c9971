/**
 * Waits until a request may use the processor. Larger requests get one turn of the event loop each,
 * so that requests which arrive meanwhile are read and answered in between.
 *
 * @param bytes the size of the request, which bounds its cost.
 */
export function turnFor(bytes: number): Promise<void> | undefined {
  if (bytes <= CHEAP_BYTES) return undefined;
  return new Promise((start) => {
    waiting.push({ due: performance.now() + bytes * MS_PER_BYTE, start });
    if (waiting.length === 1) setImmediate(startNext);
  });
}

/** Requests up to this size are answered as they arrive. */
const CHEAP_BYTES = 1_024;

/** Smaller requests go first, yet none waits for ever: 16 KiB stand back for 160 ms. */
const MS_PER_BYTE = 0.01;

const waiting: { readonly due: number; readonly start: () => void }[] = [];

function startNext(): void {
  let next = 0;
  for (const [index, { due }] of waiting.entries()) {
    if (due < (waiting[next]?.due ?? due)) next = index;
  }
  const [request] = waiting.splice(next, 1);
  if (waiting.length > 0) setImmediate(startNext);
  request?.start();
}
