import http from "node:http";
import type { Elysia } from "elysia";
import { OperatorError } from "../operator-error.ts";

interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Starts to listen.
 *
 * @returns the port; for port 0 the system chooses one.
 * @throws {OperatorError} when the port is not available.
 */
export function listen(app: Elysia, { hostname, port }: ListenAddress): number {
  Object.assign(http, { maxHeaderSize: MAX_HEADER_BYTES });
  try {
    app.listen({
      hostname,
      port,
      // Elysia's default lets a forgotten server answer half of the requests.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
  } catch (error) {
    throw new OperatorError(1, [explain(error, hostname, port)]);
  }
  return app.server?.port ?? port;
}

/**
 * A legal tool input of 16 KiB can take more than 48 KiB percent-encoded, and a longer one must
 * reach the app to be answered with a JSON error. Bun answers a bare 431 above 16 KiB of headers,
 * unless this property of node:http is higher when the server starts.
 */
const MAX_HEADER_BYTES = 262_144;

/**
 * Bun would answer a larger body with a bare 413. The app's own limits apply while it reads a body,
 * and Bun keeps nothing of a body that the app does not read.
 */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

/** Seconds without progress after which a connection is closed. */
const IDLE_SECONDS = 10;

function explain(error: unknown, hostname: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES")
    return `port ${port} of ${hostname} needs more rights; give one above 1023`;
  // Bun gives the same code for an address of another machine.
  return `port ${port} of ${hostname} is taken, or ${hostname} is not this machine; stop what listens there, or give another with --port or --host`;
}

/**
 * Waits for SIGTERM or SIGINT, then stops in two steps. For `drainMs` everything is answered, so
 * that balancers and clients can leave. Then new connections are rejected, and requests in flight
 * finish, with the work that they have left. A second signal ends the first step; it or the grace
 * period cuts off the second.
 *
 * @param onStopping called when the stop begins.
 * @param finish waits for work that goes on after its request was answered.
 */
export async function stopOnSignal(
  app: Elysia,
  drainMs: number,
  onStopping: () => void,
  finish: () => Promise<void>,
): Promise<void> {
  await nextSignal();
  onStopping();
  const second = wait(ECHO_MS).then(nextSignal);
  await Promise.race([wait(drainMs), second]);
  const finished = await Promise.race([
    app
      .stop()
      .then(finish)
      .then(() => true),
    second.then(() => false),
    wait(GRACE_MS).then(() => false),
  ]);
  if (!finished) await app.stop(true);
}

/**
 * A terminal signals every process of the group and a parent forwards its signal, so a signal that
 * arrives again at once is not a second request.
 */
const ECHO_MS = 300;

const GRACE_MS = 10_000;

/** Waits, without keeping the process alive. */
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Waits for the next signal that asks the process to end. Earlier ones are ignored. */
const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
  });

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
