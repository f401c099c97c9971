/**
 * Waits until a request may use the processor. Requests are answered as they arrive, as long as
 * the turn of the event loop is short. Then larger ones wait for later turns, so that requests
 * which arrive meanwhile are read and answered in between.
 *
 * What waits is sent in forty pieces when it is longer than 15 KiB: outside of a read, Bun sends
 * each name and each value of the headers by itself.
 *
 * @param bytes the size of the input, which bounds its cost.
 */
export function turnFor(bytes: number): Promise<void> | undefined {
  if (bytes <= SMALL_BYTES || performance.now() - thisTurn().started < SHORT_TURN_MS) {
    return undefined;
  }
  return new Promise((start) => {
    waiting.push({ bytes, due: performance.now() + bytes * MS_PER_BYTE, start });
    if (waiting.length === 1) setImmediate(startSome);
  });
}

/**
 * The same for a request with a body. The first of a turn is answered at once. Small ones that
 * arrive in the same turn are answered together at its end: without the network's code in between,
 * the code of a tool takes half the time. Meanwhile Bun closes a connection on which another
 * request arrives, which no client should send behind a POST (RFC 9112, 9.3.2).
 */
export function turnForBody(bytes: number): Promise<void> | undefined {
  if (bytes <= SMALL_BYTES && turn) return turn.end;
  thisTurn();
  return turnFor(bytes);
}

const SMALL_BYTES = 1_024;

/** Time for some sixty requests with 20 filters, or for three of the most costly. */
const SHORT_TURN_MS = 40;

/** Smaller requests go first, yet none waits for ever: 16 KiB stand back for 160 ms. */
const MS_PER_BYTE = 0.01;

/** What a turn starts of those that wait: one of the longest, or several short ones. */
const BYTES_A_TURN = 16_384;

interface Turn {
  readonly started: number;
  readonly end: Promise<void>;
}

/** Of this turn of the event loop; undefined until a request arrives in it. */
let turn: Turn | undefined;

function thisTurn(): Turn {
  turn ??= {
    started: performance.now(),
    end: new Promise((end) => {
      setImmediate(() => {
        turn = undefined;
        end();
      });
    }),
  };
  return turn;
}

const waiting: { readonly bytes: number; readonly due: number; readonly start: () => void }[] = [];

function startSome(): void {
  waiting.sort((one, other) => one.due - other.due);
  let room = BYTES_A_TURN;
  do {
    const next = waiting.shift();
    room -= next?.bytes ?? 0;
    next?.start();
  } while ((waiting[0]?.bytes ?? Number.POSITIVE_INFINITY) <= room);
  if (waiting.length > 0) setImmediate(startSome);
}
