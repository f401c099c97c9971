import { plural } from "../../../src/text.ts";
import type { Newsletter, Subscriber, SyncState } from "../model.ts";

interface RetryOptions {
  /** The stored state of an address; undefined when it was deleted meanwhile. */
  readonly stateOf: (email: string) => Promise<SyncState | undefined>;
  /** Called with an error of `stateOf`, which ends a round. */
  readonly onError: (error: unknown) => void;
  /** Tells the operator how many names are kept or lost; it names nobody. */
  readonly warn: (problem: string) => void;
  /** Called with the number of kept names when it changes. */
  readonly onKept?: ((names: number) => void) | undefined;
  readonly now: () => Date;
  readonly everyMs?: number;
}

/** The most people kept; the oldest are dropped first. */
const MAX_WAITING = 1_000;

/** A failed sync is repeated for this long. */
const RETRIED_MS = 60 * 60 * 1_000;

interface Waiting {
  readonly subscriber: Subscriber;
  readonly since: number;
  tries: number;
}

/**
 * A newsletter that repeats failed syncs in the background. The name and the attributes are never
 * stored, so they are kept in memory only, and lost at a stop.
 */
export function withRetry(newsletter: Newsletter, options: RetryOptions): Newsletter {
  const { stateOf, onError, warn, onKept, now, everyMs = 60_000 } = options;
  const waiting = new Map<string, Waiting>();
  let dropped = 0;

  const remember = (subscriber: Subscriber) => {
    // A repeat may be anybody's, so the first one stays.
    if (waiting.has(subscriber.email)) return;
    waiting.set(subscriber.email, { subscriber, since: now().getTime(), tries: 0 });
    const [oldest] = waiting.keys();
    if (waiting.size > MAX_WAITING && oldest !== undefined) {
      waiting.delete(oldest);
      if (dropped % MAX_WAITING === 0) {
        warn(`more than ${MAX_WAITING} people wait for listmonk: the oldest names are lost now`);
      }
      dropped += 1;
    }
  };

  const repeatAll = async (): Promise<void> => {
    // The least tried come first: one that listmonk always rejects must not hold up the others.
    for (const one of [...waiting.values()].sort((a, b) => a.tries - b.tries)) {
      const { email } = one.subscriber;
      if (waiting.get(email) !== one) continue;
      const isTooOld = now().getTime() - one.since > RETRIED_MS;
      const state = isTooOld ? undefined : await stateOf(email);
      // An address that was deleted meanwhile must not be subscribed again.
      if (!state || state.synced) {
        waiting.delete(email);
        continue;
      }
      one.tries += 1;
      const result = await newsletter.sync(one.subscriber, state);
      if (!result.ok) {
        // Most likely listmonk is still down, so the others would fail too.
        const names = plural(waiting.size, "name");
        warn(`${result.failure}; ${names} in memory for people who wait for listmonk`);
        return;
      }
      waiting.delete(email);
    }
  };

  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    await repeatAll()
      .catch(onError)
      .finally(() => {
        isRunning = false;
        onKept?.(waiting.size);
      });
  }, everyMs);
  timer.unref();

  return {
    ...newsletter,
    async sync(subscriber, state) {
      const result = await newsletter.sync(subscriber, state);
      if (result.ok) waiting.delete(subscriber.email);
      else remember(subscriber);
      onKept?.(waiting.size);
      return result;
    },
    close() {
      clearInterval(timer);
      if (waiting.size > 0) {
        const names = plural(waiting.size, "name");
        warn(
          `the stop loses ${names} of people who wait for listmonk: handtools signups sync has the addresses`,
        );
      }
      waiting.clear();
    },
  };
}
