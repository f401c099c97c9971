import { connect } from "node:net";
import { type RawResponse, readResponse } from "./raw-response.ts";

/** Nothing that is asked here takes long; a test that waits for more has failed. */
const PATIENCE_MS = 5_000;

/** A connection on which a test writes bytes that no well-behaved client would. */
export async function openConnection(port: number) {
  const socket = connect(port, "127.0.0.1");
  let received: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let wake = () => {};
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  // A reset is a close for all that is asked here.
  socket.on("error", () => wake());
  await new Promise((resolve) => socket.once("connect", resolve));

  /** Waits for a change until `ready` gives something. */
  async function until<Value>(ready: () => Value | undefined, patience: number): Promise<Value> {
    const deadline = Date.now() + patience;
    for (;;) {
      const value = ready();
      if (value !== undefined) return value;
      if (Date.now() > deadline) throw new Error(`Nothing after ${patience} ms: ${received}`);
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), Bun.sleep(50)]);
    }
  }

  return {
    send: (bytes: string | Uint8Array) => {
      socket.write(bytes);
    },
    /** The next response; one to HEAD has no body whatever its headers say. */
    async response(method = "GET", patience = PATIENCE_MS): Promise<RawResponse> {
      return until(() => {
        const read = readResponse(received, method, isClosed);
        if (read) received = received.subarray(read.length);
        if (!read && isClosed) throw new Error(`Closed after ${received.length} bytes`);
        return read?.response;
      }, patience);
    },
    /** Resolves when the server has closed, and says what came before. */
    closed: (patience = PATIENCE_MS): Promise<string> =>
      until(() => (isClosed ? received.toString("latin1") : undefined), patience),
    get isClosed() {
      return isClosed;
    },
    end: () => {
      socket.destroy();
    },
  };
}

/** Sends one request on a connection of its own. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  method = "GET",
): Promise<RawResponse> {
  const connection = await openConnection(port);
  try {
    connection.send(bytes);
    return await connection.response(method);
  } finally {
    connection.end();
  }
}
