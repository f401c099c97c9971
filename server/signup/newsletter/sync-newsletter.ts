import { formatCount } from "../../../src/text.ts";
import { cacheFor } from "../../promises.ts";
import { redactError } from "../signup-errors.ts";
import type { SignupStore } from "../store/signup-store.ts";
import type { ListmonkApi, Subscriber, SyncResult } from "./listmonk-api.ts";

interface NewsletterOptions {
  readonly store: Pick<SignupStore, "lease" | "endSync" | "find">;
  readonly onError: (error: unknown) => void;
  /** Tells the operator how many names are kept or lost; it names nobody. */
  readonly warn: (problem: string) => void;
  /** Called with the number of kept names after each change. */
  readonly onKept: ((names: number) => void) | undefined;
  /** The time between two rounds of retries, in milliseconds. */
  readonly retryMs?: number;
}

/** The most syncs at a time, those that wait for a look-up included, and the most names kept. */
const MAX_PEOPLE = 1_000;

const KEPT_MS = 60 * 60 * 1_000;

export type Newsletter = ReturnType<typeof openNewsletter>;

/**
 * The newsletter of a server: a sync goes to listmonk, and one that failed is repeated for an hour.
 * Names and attributes are never stored, so they are kept in memory, and lost at a stop.
 */
export function openNewsletter(
  listmonk: Pick<ListmonkApi, "sync" | "check" | "asksToConfirm">,
  { store, onError, warn, onKept, retryMs = 60_000 }: NewsletterOptions,
) {
  const underWay = new Map<string, Promise<SyncResult>>();
  /** The next to repeat is the first. `since` is of a clock that nobody sets. */
  const kept = new Map<string, { readonly subscriber: Subscriber; readonly since: number }>();

  const start = async (subscriber: Subscriber): Promise<SyncResult> => {
    try {
      return await syncClaimed(subscriber, listmonk, store, (error) =>
        onError(redactError("noting the sync", error)),
      );
    } catch (error) {
      onError(redactError("claiming the sync", error));
      return { ok: false, failure: "the database failed before the sync with listmonk" };
    } finally {
      underWay.delete(subscriber.email);
    }
  };

  /** Subscribes a stored address; an unsubscribed person stays unsubscribed. It never throws. */
  const sync = async (subscriber: Subscriber): Promise<SyncResult> => {
    const { email } = subscriber;
    let end = underWay.get(email);
    if (!end && underWay.size < MAX_PEOPLE) {
      end = start(subscriber);
      underWay.set(email, end);
    }
    const result = (await end) ?? { ok: false, failure: "too many people wait for listmonk" };
    if (result.ok || result.rejected) kept.delete(email);
    // Anybody may sign an address up again, under another name: the first name stays.
    else if (!kept.has(email)) kept.set(email, { subscriber, since: performance.now() });
    const [first] = kept.keys();
    if (kept.size > MAX_PEOPLE && first !== undefined) kept.delete(first);
    onKept?.(kept.size);
    return result;
  };

  const retry = async (): Promise<void> => {
    for (const [email, person] of kept) {
      const isOld = performance.now() - person.since > KEPT_MS;
      const row = isOld ? undefined : await store.find(email);
      // An address that was deleted meanwhile must not be subscribed again.
      if (!row || row.synced) {
        kept.delete(email);
        continue;
      }
      const { ok, rejected, failure } = await sync(person.subscriber);
      if (!ok) {
        const names = formatCount(kept.size, "name");
        warn(`${failure}; ${names} in memory for people who wait for listmonk`);
      }
      if (ok || rejected) continue;
      // Most likely listmonk is still down. If not, the next round begins with the others.
      kept.delete(email);
      kept.set(email, person);
      return;
    }
  };
  const round = cacheFor(0, () =>
    retry()
      .catch((error: unknown) => onError(redactError("looking up an address to sync", error)))
      .finally(() => onKept?.(kept.size)),
  );
  const timer = setInterval(round, retryMs).unref();

  return {
    sync,
    check: listmonk.check,
    asksToConfirm: listmonk.asksToConfirm,
    /** Waits for the syncs that are under way; each has a deadline. */
    async finish() {
      await Promise.all(underWay.values());
    },
    /** Ends the repeats. */
    close() {
      clearInterval(timer);
      if (kept.size === 0) return;
      const names = formatCount(kept.size, "name");
      warn(
        `the stop loses ${names} of people who wait for listmonk: handtools signups sync has the addresses`,
      );
      kept.clear();
    },
  };
}

/** Longer than all deadlines of a sync together, so that a lease runs out only when its process has died. */
export const LEASE_MS = 20_000;

/**
 * Syncs an address while no other process of the site does, which would mail twice. The end is
 * stored before the next sync of the address begins.
 *
 * @param onUnnoted takes an error of that; the sync has ended as it has.
 * @returns a failure also when the address is not free, or not stored.
 */
export async function syncClaimed(
  subscriber: Subscriber,
  listmonk: Pick<ListmonkApi, "sync">,
  store: Pick<SignupStore, "lease" | "endSync">,
  onUnnoted: (error: unknown) => void,
): Promise<SyncResult> {
  const { email } = subscriber;
  const lease = await store.lease(email, LEASE_MS, new Date());
  if (!lease) {
    return { ok: false, failure: "another process syncs the address, or it was deleted" };
  }
  const result = await listmonk.sync(subscriber, lease.state);
  await store.endSync(email, lease, result, new Date()).catch(onUnnoted);
  return result;
}
