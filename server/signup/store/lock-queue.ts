import { setImmediate } from "node:timers/promises";
import { isLocked } from "./is-locked.ts";

/** The file may be locked by others for so long before whoever waits for it gives up. */
const PATIENCE_MS = 2_000;

const RETRY_MS = 5;

/**
 * A queue for what needs the lock of a SQLite file, which other processes may have. Only the first
 * in it tries, again and again; the wait that SQLite has built in would stop the whole server.
 *
 * @returns runs a task in its turn, and throws what its last try has thrown: SQLITE_BUSY when
 * nobody in the queue has had the lock for two seconds.
 */
export function lockQueue(): <Value>(task: () => Value) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  let freeAt = 0;

  const untilFree = async <Value>(task: () => Value, since: number): Promise<Value> => {
    for (;;) {
      try {
        const value = task();
        freeAt = performance.now();
        return value;
      } catch (error) {
        const waited = performance.now() - Math.max(since, freeAt);
        if (!isLocked(error) || waited > PATIENCE_MS) throw error;
      }
      await Bun.sleep(RETRY_MS);
    }
  };
  return (task) => {
    const since = performance.now();
    const turn = last.then(() => untilFree(task, since));
    // Between two of them everything else has its turn, however long the queue is.
    last = turn.catch(() => undefined).then(() => setImmediate());
    return turn;
  };
}
