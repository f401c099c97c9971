import http from "node:http";
import type { createApp } from "./app.ts";
import { StartupError } from "./config.ts";

/**
 * A legal tool input of 16 KiB grows to 48 KiB and more when it is percent-encoded, and one over
 * the limit must still reach us to be refused in words. Above Bun's own 16 KiB of headers it
 * answers a bare 431; this is the one way to raise that (facts in web-and-agents.md, 6.1).
 */
const MAX_HEADER_BYTES = 262_144;

/**
 * Bun's own limit would answer a bare 413. Ours are kept while a body is read (http/body.ts); of
 * one that nobody reads Bun keeps nothing.
 */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;

/** Seconds without progress after which a connection is closed. */
const IDLE_SECONDS = 10;

interface Address {
  readonly hostname: string;
  readonly port: number;
  /** Several processes on one port. */
  readonly shared: boolean;
}

type App = ReturnType<typeof createApp>;

/**
 * Starts to listen.
 *
 * @returns the port, which the system chose when 0 was asked for.
 * @throws {StartupError} when the port cannot be had.
 */
export function listen(app: App, { hostname, port, shared }: Address): number {
  Object.assign(http, { maxHeaderSize: MAX_HEADER_BYTES });
  try {
    app.listen({
      hostname,
      port,
      reusePort: shared,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
  } catch (error) {
    throw new StartupError(1, [explain(error, hostname, port)]);
  }
  return app.server?.port ?? port;
}

/**
 * Finds out whether the port can be had by one process alone, before several share it.
 *
 * @returns the port, which the system chose when 0 was asked for.
 * @throws {StartupError} when the port cannot be had.
 */
export async function probe(hostname: string, port: number): Promise<number> {
  try {
    const server = Bun.serve({ hostname, port, fetch: () => new Response() });
    const found = server.port ?? port;
    await server.stop(true);
    return found;
  } catch (error) {
    throw new StartupError(1, [explain(error, hostname, port)]);
  }
}

function explain(error: unknown, hostname: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES")
    return `port ${port} of ${hostname} needs more rights; give one above 1023`;
  // Bun says the same for an address that is not this machine's.
  return `port ${port} of ${hostname} is taken, or ${hostname} is not this machine; stop what listens there, or give another with --port or --host`;
}

/**
 * For this long after the signal the health check says "fail" while connections are still taken,
 * so that whoever sends us requests can see it and send them elsewhere.
 */
const ANNOUNCE_MS = 300;

/** Requests in flight then have this long to finish. */
const GRACE_MS = 10_000;

/**
 * Waits for SIGTERM or SIGINT, then stops: no new connections, requests in flight are finished.
 * A second signal, or the end of the grace, cuts them off.
 *
 * @param onStopping called when the stop begins.
 */
export async function stopOnSignal(
  app: ReturnType<typeof createApp>,
  onStopping: () => void,
): Promise<void> {
  await nextSignal();
  onStopping();
  // A terminal signals every process of a group, and a parent passes on what it gets: what comes
  // again at once is the same wish, not impatience.
  await after(ANNOUNCE_MS);
  const finished = await Promise.race([
    app.stop().then(() => true),
    nextSignal().then(() => false),
    after(GRACE_MS).then(() => false),
  ]);
  if (!finished) await app.stop(true);
}

/** A time that does not keep the process alive when all else is done. */
const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** The next signal that asks the process to end. Those that nobody waits for are ignored. */
export const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve());
  });
