/**
 * Waits until a request may use the processor. Requests are answered as they arrive, as long as
 * the turn of the event loop is short. Then they wait in a queue for later turns, so that what
 * arrives meanwhile is read. A request does not wait behind larger ones.
 *
 * While a request waits, Bun closes its connection if another one is pipelined after it: a
 * connection that sends thousands at once is cut, and its client has to send the rest again.
 *
 * @param bytes the size of the input, which bounds its cost.
 */
export function waitForTurn(bytes: number): Promise<void> | undefined {
  // A short request goes at once if only larger ones wait: it would wait for each of them.
  const isNext = waiting.every((other) => other.bytes > bytes);
  if (isNext && isShort(thisTurn(), bytes)) return undefined;
  return new Promise((start) => {
    waiting.push({ bytes, due: performance.now() + bytes * MS_PER_BYTE, start });
    if (waiting.length === 1) setImmediate(startSome);
  });
}

/**
 * Waits like `waitForTurn`, for a request with a body. The first of a turn is answered at once. Small ones that
 * arrive in the same turn are answered together at its end: without the network's code in between,
 * the code of a tool takes half the time.
 */
export function waitForTurnOfBody(bytes: number): Promise<void> | undefined {
  const current = thisTurn();
  const isFirst = !current.hasBody;
  current.hasBody = true;
  if (isFirst || bytes > SMALL_BYTES) return waitForTurn(bytes);
  current.end ??= Promise.withResolvers<void>();
  return current.end.promise;
}

export const SMALL_BYTES = 1_024;

/** True when a turn has room for one more request. */
function isShort(turn: Turn, bytes: number): boolean {
  turn.bytes += Math.max(bytes, LEAST_BYTES);
  return turn.bytes <= LIGHT_TURN_BYTES || performance.now() - turn.started < SHORT_TURN_MS;
}

/** The least that a request counts for: the shortest may ask for a page. */
const LEAST_BYTES = 512;

/** Two of the longest requests, or 64 short ones: less is not a flood, however slow the machine is. */
const LIGHT_TURN_BYTES = 32_768;

/** Time for about sixty requests with 20 filters, or for three of the most costly. */
const SHORT_TURN_MS = 40;

/** Smaller requests go first; one of 16 KiB waits at most 160 ms longer. */
const MS_PER_BYTE = 0.01;

/** The waiting requests that a turn starts: one of the longest, or several short ones. */
const BYTES_A_TURN = 16_384;

interface Turn {
  readonly started: number;
  bytes: number;
  hasBody: boolean;
  /** Made for the first that waits for it. */
  end?: PromiseWithResolvers<void>;
}

/** The requests of this turn of the event loop; undefined until one arrives. */
let turn: Turn | undefined;

function thisTurn(): Turn {
  if (!turn) {
    turn = { started: performance.now(), bytes: 0, hasBody: false };
    setImmediate(endTurn);
  }
  return turn;
}

function endTurn(): void {
  const end = turn?.end;
  turn = undefined;
  end?.resolve();
}

const waiting: { readonly bytes: number; readonly due: number; readonly start: () => void }[] = [];

function startSome(): void {
  waiting.sort((one, other) => one.due - other.due);
  let room = BYTES_A_TURN;
  do {
    const next = waiting.shift();
    room -= Math.max(next?.bytes ?? 0, LEAST_BYTES);
    next?.start();
  } while ((waiting[0]?.bytes ?? Number.POSITIVE_INFINITY) <= room);
  if (waiting.length > 0) setImmediate(startSome);
}

/**
 * A response body that counts against a limit of the whole process until it is sent, so that clients
 * that do not read cannot fill its memory. Above the limit, the connections with the oldest such
 * bodies are closed. A connection that takes nothing at all is closed by Bun's idle timeout.
 */
export function boundedBody(
  body: string | Uint8Array<ArrayBuffer>,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (Buffer.byteLength(body) <= SMALL_BODY_BYTES) return body;
  let unsent: UnsentBody | undefined;
  return new ReadableStream<Uint8Array>(
    {
      // Bun pulls when the socket has taken the previous chunk. For HEAD it never pulls.
      pull(controller) {
        unsent ??= new UnsentBody(Buffer.from(body), controller);
        unsent.sendNext();
      },
      cancel: () => unsent?.end(),
    },
    { highWaterMark: 0 },
  );
}

/** Smaller bodies are left to Bun: the socket takes them whole, and a stream costs more time. */
const SMALL_BODY_BYTES = 32_768;

class UnsentBody {
  /** All unsent bodies, the oldest first. */
  static readonly #all = new Set<UnsentBody>();
  static #total = 0;

  #rest: Buffer;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  /** The bytes that count: the rest and the chunk that the socket may not have taken yet. */
  #counted = 0;

  constructor(bytes: Buffer, controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#rest = bytes;
    this.#controller = controller;
    UnsentBody.#all.add(this);
    this.#count(bytes.length);
    for (const oldest of UnsentBody.#all) {
      if (UnsentBody.#total <= MAX_UNSENT_BYTES) break;
      oldest.#close();
    }
  }

  sendNext(): void {
    this.#count(this.#rest.length);
    if (this.#rest.length === 0) {
      this.end();
      this.#controller.close();
      return;
    }
    this.#controller.enqueue(this.#rest.subarray(0, CHUNK_BYTES));
    this.#rest = this.#rest.subarray(CHUNK_BYTES);
  }

  end(): void {
    this.#count(0);
    UnsentBody.#all.delete(this);
  }

  #close(): void {
    this.end();
    this.#controller.error();
  }

  #count(bytes: number): void {
    UnsentBody.#total += bytes - this.#counted;
    this.#counted = bytes;
  }
}

const CHUNK_BYTES = 65_536;

const MAX_UNSENT_BYTES = 32_000_000;
