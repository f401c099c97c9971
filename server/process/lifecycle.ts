import http from "node:http";
import type { App } from "../app.ts";
import { OperatorError } from "../operator-error.ts";

/**
 * @returns the port; for port 0 the operating system chooses one.
 * @throws {OperatorError} if the port is unavailable.
 */
export function listen(app: App, { hostname, port }: { hostname: string; port: number }): number {
  // A valid input of 16 KiB can take more than 48 KiB percent-encoded, and the app must see a longer
  // one to return a JSON error. Above this limit, by default 16 KiB, Bun returns a bare 431.
  Object.assign(http, { maxHeaderSize: 262_144 });
  try {
    app.listen({
      hostname,
      port,
      // Elysia's default would share the port with a forgotten server.
      reusePort: false,
      // In seconds.
      idleTimeout: 10,
      // Above this limit Bun returns a bare 413. The app has its own limits, and Bun does not buffer
      // bodies that the app does not read.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
  } catch (error) {
    // Bun has the same code for a port in use and for another machine's address.
    const isForbidden = error instanceof Error && "code" in error && error.code === "EACCES";
    const problem = isForbidden
      ? `port ${port} of ${hostname} needs more privileges; choose a port above 1023`
      : `port ${port} of ${hostname} is in use, or ${hostname} is not this machine; stop the other program, or choose another --port or --host`;
    throw new OperatorError(1, [problem]);
  }
  return app.server?.port ?? port;
}

/**
 * Waits for SIGTERM or SIGINT, then stops in two steps. For `drainMs` it serves all requests, so that
 * load balancers and clients can leave. Then it rejects new connections and completes running
 * requests, including their background work, for at most ten seconds. A second signal cuts both steps
 * short.
 *
 * @param onStopping called when shutdown begins.
 * @param finish waits for background work.
 */
export async function stopOnSignal(
  app: App,
  drainMs: number,
  { onStopping, finish }: { onStopping: () => void; finish: () => Promise<void> },
): Promise<void> {
  await nextSignal();
  onStopping();
  // The same signal may come twice: the terminal sends it to every process, and the parent forwards
  // it.
  const second = wait(300).then(nextSignal);
  await Promise.race([wait(drainMs), second]);
  const { server } = app;
  const finished = app.stop().then(finish);
  await Promise.race([finished, second, wait(10_000)]);
  if (app.server) await app.stop(true);
  // Bun stays alive after hundreds of clients disconnected during large responses.
  server?.unref();
}

/** Does not keep the process alive. */
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Waits for the next SIGTERM or SIGINT. */
const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => resolve());
  });
