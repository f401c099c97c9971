import type { createApp } from "./app.ts";

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
