/**
 * Waits for a request's turn to use the processor. Requests start as they arrive, as long as the tick
 * of the event loop is short. After that they wait in a queue for later ticks, so that what arrives
 * meanwhile is read. A request does not wait behind larger ones.
 *
 * While a request waits, Bun closes its connection if another one is pipelined after it: a
 * connection that sends thousands at once is cut, and its client has to send the rest again.
 *
 * @param bytes the size of the input, which bounds its cost.
 * @returns undefined for a request that may start now.
 */
export function waitForTurn(bytes: number): Promise<void> | undefined {
  // A short request goes at once if only larger ones wait: it would wait for each of them.
  const isNext = waiting.every((other) => other.bytes > bytes);
  if (isNext && hasRoom(thisTick(), bytes)) return undefined;
  return new Promise((start) => {
    waiting.push({ bytes, due: performance.now() + bytes * MS_PER_BYTE, start });
    if (waiting.length === 1) setImmediate(startSome);
  });
}

/**
 * Waits like `waitForTurn`, for a request with a body. Small ones after the first of a tick wait for
 * its end and start together: without the network's code in between, the code of a tool takes half
 * the time.
 */
export function waitForTurnOfBody(bytes: number): Promise<void> | undefined {
  const current = thisTick();
  const isFirst = !current.hasBody;
  current.hasBody = true;
  if (isFirst || bytes > SMALL_BYTES) return waitForTurn(bytes);
  current.end ??= Promise.withResolvers<void>();
  return current.end.promise;
}

export const SMALL_BYTES = 1_024;

/** True when a tick has room for one more request, which it then counts. */
function hasRoom(tick: Tick, bytes: number): boolean {
  tick.bytes += Math.max(bytes, LEAST_BYTES);
  return tick.bytes <= LIGHT_TICK_BYTES || performance.now() - tick.started < SHORT_TICK_MS;
}

/** The least that a request counts for: the shortest may ask for a page. */
const LEAST_BYTES = 512;

/** Two of the longest requests, or 64 short ones: less is not a flood, however slow the machine is. */
const LIGHT_TICK_BYTES = 32_768;

/** Time for about sixty requests with 20 filters, or for three of the most costly. */
const SHORT_TICK_MS = 40;

/** Smaller requests go first; one of 16 KiB waits at most 160 ms longer. */
const MS_PER_BYTE = 0.01;

/** The waiting requests that start in a tick: one of the longest, or several short ones. */
const BYTES_A_TICK = 16_384;

interface Tick {
  readonly started: number;
  bytes: number;
  hasBody: boolean;
  /** The end of the tick, made for the first request that waits for it. */
  end?: PromiseWithResolvers<void>;
}

/** The requests that arrived in this tick of the event loop; undefined until one does. */
let tick: Tick | undefined;

function thisTick(): Tick {
  if (!tick) {
    tick = { started: performance.now(), bytes: 0, hasBody: false };
    setImmediate(endTick);
  }
  return tick;
}

function endTick(): void {
  const end = tick?.end;
  tick = undefined;
  end?.resolve();
}

const waiting: { readonly bytes: number; readonly due: number; readonly start: () => void }[] = [];

function startSome(): void {
  waiting.sort((one, other) => one.due - other.due);
  let room = BYTES_A_TICK;
  do {
    const next = waiting.shift();
    room -= Math.max(next?.bytes ?? 0, LEAST_BYTES);
    next?.start();
  } while ((waiting[0]?.bytes ?? Number.POSITIVE_INFINITY) <= room);
  if (waiting.length > 0) setImmediate(startSome);
}
