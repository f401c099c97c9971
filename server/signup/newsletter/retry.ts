import type { Newsletter, Subscriber } from "../model.ts";

interface RetryOptions {
  /** Takes the address of a retry that succeeded, with listmonk's number for it. */
  readonly onSynced: (email: string, listmonkId: number | undefined) => Promise<void>;
  readonly now: () => Date;
  /** Between two rounds, in milliseconds. */
  readonly everyMs?: number;
}

/** More people are forgotten, the oldest first. */
const MAX_WAITING = 1_000;

/** A failed sync is repeated for this long. */
const KEPT_MS = 60 * 60 * 1_000;

interface Waiting {
  readonly subscriber: Subscriber;
  readonly listmonkId: number | undefined;
  readonly since: number;
}

/**
 * A newsletter that repeats failed syncs in the background. The name and the attributes are never
 * stored, so they are kept in memory only, and lost at a stop.
 */
export function withRetry(newsletter: Newsletter, options: RetryOptions): Newsletter {
  const { onSynced, now, everyMs = 60_000 } = options;
  const waiting = new Map<string, Waiting>();

  const remember = (subscriber: Subscriber, listmonkId: number | undefined) => {
    const { email } = subscriber;
    const since = waiting.get(email)?.since ?? now().getTime();
    waiting.set(email, { subscriber, listmonkId, since });
    const [oldest] = waiting.keys();
    if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
  };

  const repeatAll = async (): Promise<void> => {
    for (const [email, { subscriber, listmonkId, since }] of waiting) {
      if (now().getTime() - since > KEPT_MS) {
        waiting.delete(email);
        continue;
      }
      const result = await newsletter.sync(subscriber, { synced: false, listmonkId });
      // listmonk is still out of order, so the others would fail too.
      if (!result.ok) return;
      waiting.delete(email);
      await onSynced(email, result.listmonkId);
    }
  };

  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    await repeatAll().finally(() => {
      isRunning = false;
    });
  }, everyMs);
  timer.unref();

  return {
    ...newsletter,
    async sync(subscriber, state) {
      const result = await newsletter.sync(subscriber, state);
      if (result.ok) waiting.delete(subscriber.email);
      else remember(subscriber, state.listmonkId);
      return result;
    },
    close() {
      clearInterval(timer);
      waiting.clear();
    },
  };
}
