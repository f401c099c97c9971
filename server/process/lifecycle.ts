import http from "node:http";
import type { App } from "../app.ts";
import { OperatorError } from "../operator-error.ts";

/**
 * Starts to listen.
 *
 * @returns the port; for port 0 the system chooses one.
 * @throws {OperatorError} when the port is not available.
 */
export function listen(app: App, { hostname, port }: { hostname: string; port: number }): number {
  // A legal tool input of 16 KiB can take more than 48 KiB percent-encoded, and a longer one must
  // reach the app to be answered with a JSON error. Bun answers a bare 431 above 16 KiB of headers,
  // unless this property of node:http is higher when the server starts.
  Object.assign(http, { maxHeaderSize: 262_144 });
  try {
    app.listen({
      hostname,
      port,
      // Elysia's default lets a forgotten server answer half of the requests.
      reusePort: false,
      // Seconds without progress after which a connection is closed.
      idleTimeout: 10,
      // Bun would answer a larger body with a bare 413. The app's own limits apply while it reads a
      // body, and Bun keeps nothing of a body that the app does not read.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    // Bun gives one code for a port that is taken and for an address of another machine.
    const isForbidden = error instanceof Error && "code" in error && error.code === "EACCES";
    const problem = isForbidden
      ? `port ${port} of ${hostname} needs more rights; give one above 1023`
      : `port ${port} of ${hostname} is taken, or ${hostname} is not this machine; stop what listens there, or give another with --port or --host`;
    throw new OperatorError(1, [problem]);
  }
  return app.server?.port ?? port;
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
  app: App,
  drainMs: number,
  { onStopping, finish }: { onStopping: () => void; finish: () => Promise<void> },
): Promise<void> {
  await nextSignal();
  onStopping();
  // A terminal signals every process of the group and a parent forwards its signal, so a signal that
  // arrives again at once is not a second request.
  const second = wait(300).then(nextSignal);
  await Promise.race([wait(drainMs), second]);
  const { server } = app;
  const finished = app.stop().then(finish);
  await Promise.race([finished, second, wait(10_000)]);
  if (app.server) await app.stop(true);
  // Bun goes on where hundreds of clients had left in the middle of large answers.
  server?.unref();
}

/** Waits, without keeping the process alive. */
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Waits for the next signal that asks the process to end. Earlier ones are ignored. */
const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => resolve());
  });
