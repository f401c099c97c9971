import { plural } from "../../../src/text.ts";
import type { Newsletter, Subscriber, SyncState } from "./newsletter.ts";

interface RetryOptions {
  /** The stored state of an address; undefined when it was deleted meanwhile. */
  readonly stateOf: (email: string) => Promise<SyncState | undefined>;
  /** Called with an error of `stateOf`, which ends a round. */
  readonly onError: (error: unknown) => void;
  /** Tells the operator how many names are kept or lost; it names nobody. */
  readonly warn: (problem: string) => void;
  /** Called with the number of kept names after each change. */
  readonly onKept?: ((names: number) => void) | undefined;
  /** The time between two rounds, in milliseconds. */
  readonly everyMs?: number;
}

/** The most people kept; the oldest are dropped first. */
const MAX_KEPT = 1_000;

/** A failed sync is repeated for this long. */
const RETRIED_MS = 60 * 60 * 1_000;

interface KeptPerson {
  readonly subscriber: Subscriber;
  /** Of performance.now(): a clock that is set ahead must not lose names. */
  readonly since: number;
  tries: number;
}

/**
 * A newsletter that repeats failed syncs in the background. The name and the attributes are never
 * stored, so they are kept in memory only, and lost at a stop.
 */
export function withRetry(newsletter: Newsletter, options: RetryOptions): Newsletter {
  const { stateOf, onError, warn, onKept, everyMs = 60_000 } = options;
  const kept = new Map<string, KeptPerson>();

  const remember = (subscriber: Subscriber) => {
    // Anybody may sign an address up again, under another name: the first name stays.
    if (kept.has(subscriber.email)) return;
    kept.set(subscriber.email, { subscriber, since: performance.now(), tries: 0 });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  const repeatAll = async (): Promise<void> => {
    // The least tried come first: one that listmonk always rejects must not hold up the others.
    for (const one of [...kept.values()].sort((a, b) => a.tries - b.tries)) {
      const { email } = one.subscriber;
      if (kept.get(email) !== one) continue;
      const isTooOld = performance.now() - one.since > RETRIED_MS;
      const state = isTooOld ? undefined : await stateOf(email);
      // An address that was deleted meanwhile must not be subscribed again.
      if (!state || state.synced) {
        kept.delete(email);
        continue;
      }
      one.tries += 1;
      const result = await newsletter.sync(one.subscriber, state);
      if (!result.ok && !result.rejected) {
        // Most likely listmonk is still down, so the others would fail too.
        const names = plural(kept.size, "name");
        warn(`${result.failure}; ${names} in memory for people who wait for listmonk`);
        return;
      }
      if (result.rejected) warn(result.failure ?? "listmonk rejects an address");
      kept.delete(email);
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
        onKept?.(kept.size);
      });
  }, everyMs);
  timer.unref();

  return {
    ...newsletter,
    async sync(subscriber, state) {
      const result = await newsletter.sync(subscriber, state);
      if (result.ok || result.rejected) kept.delete(subscriber.email);
      else remember(subscriber);
      onKept?.(kept.size);
      return result;
    },
    close() {
      clearInterval(timer);
      if (kept.size > 0) {
        const names = plural(kept.size, "name");
        warn(
          `the stop loses ${names} of people who wait for listmonk: handtools signups sync has the addresses`,
        );
      }
      kept.clear();
    },
  };
}
