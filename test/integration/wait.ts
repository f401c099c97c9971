/** Between an answer and the client's next request. */
const PAUSE_MS = 20;

/** Sends a request again and again, by some clients at a time, until it is stopped or disposed of. */
export function repeatedly<Result>(clients: number, request: () => Promise<Result>) {
  const results: Result[] = [];
  let isOn = true;
  const client = async () => {
    while (isOn) {
      results.push(await request());
      await Bun.sleep(PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  // Whoever stops it hears of a failure.
  all.catch(() => undefined);
  const stop = async () => {
    isOn = false;
    await all;
  };
  return { results, stop, [Symbol.asyncDispose]: stop };
}

/** Longer than the answers to the signups of an outage take. */
const PATIENCE_MS = 90_000;

/** @throws {Error} when it has not come true in time. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(5);
  }
}
