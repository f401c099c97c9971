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
