import { formatCount } from "../../../src/text.ts";
import { cacheFor } from "../../promises.ts";
import { redactError } from "../signup-errors.ts";
import type { SignupStore } from "../store/signup-store.ts";
import type { ListmonkApi, Subscriber, SyncResult } from "./listmonk-api.ts";

interface NewsletterOptions {
  readonly store: Pick<SignupStore, "lease" | "endSync" | "find">;
  readonly onError: (error: unknown) => void;
  readonly warn: (problem: string) => void;
  /** Called with the current number of names in memory. */
  readonly onPendingCount: ((names: number) => void) | undefined;
  /** The time between two rounds of retries. */
  readonly retryMs?: number;
}

/** The limit of running syncs, including waiting ones, and of names in memory. */
const MAX_PENDING = 1_000;

const RETRY_FOR_MS = 60 * 60 * 1_000;

export type Newsletter = ReturnType<typeof openNewsletter>;

/**
 * Opens the newsletter of a server. It syncs to listmonk, and retries failed syncs for an hour. Names
 * and attributes are never stored: they stay in memory, and shutdown loses them.
 */
export function openNewsletter(
  listmonk: Pick<ListmonkApi, "sync" | "check" | "asksToConfirm">,
  { store, onError, warn, onPendingCount, retryMs = 60_000 }: NewsletterOptions,
) {
  const underWay = new Map<string, Promise<SyncResult>>();
  /** The next retry is first. `since` is monotonic time. */
  const pending = new Map<string, { readonly subscriber: Subscriber; readonly since: number }>();

  const start = async (subscriber: Subscriber): Promise<SyncResult> => {
    try {
      return await syncClaimed(subscriber, listmonk, store, (error) =>
        onError(redactError("storing the result of the sync", error)),
      );
    } catch (error) {
      onError(redactError("taking the lease of the sync", error));
      return { ok: false, failure: "the database failed before the sync with listmonk" };
    } finally {
      underWay.delete(subscriber.email);
    }
  };

  /** Subscribes a stored address. It never throws. */
  const sync = async (subscriber: Subscriber): Promise<SyncResult> => {
    const { email } = subscriber;
    let end = underWay.get(email);
    if (!end && underWay.size < MAX_PENDING) {
      end = start(subscriber);
      underWay.set(email, end);
    }
    const result = (await end) ?? { ok: false, failure: "too many signups wait for listmonk" };
    if (result.ok || result.rejected) pending.delete(email);
    // The first name stays: anyone may sign the address up again with another.
    else if (!pending.has(email)) pending.set(email, { subscriber, since: performance.now() });
    const [first] = pending.keys();
    if (pending.size > MAX_PENDING && first !== undefined) pending.delete(first);
    onPendingCount?.(pending.size);
    return result;
  };

  const retry = async (): Promise<void> => {
    for (const [email, person] of pending) {
      const isOld = performance.now() - person.since > RETRY_FOR_MS;
      const row = isOld ? undefined : await store.find(email);
      // The address may have been deleted.
      if (!row || row.synced) {
        pending.delete(email);
        continue;
      }
      const { ok, rejected, failure } = await sync(person.subscriber);
      if (!ok) {
        warn(`${failure}; ${formatCount(pending.size, "name")} in memory for the next attempt`);
      }
      if (ok || rejected) continue;
      // listmonk is probably still down. The next round starts with the others.
      pending.delete(email);
      pending.set(email, person);
      return;
    }
  };
  const round = cacheFor(0, () =>
    retry()
      .catch((error: unknown) => onError(redactError("finding an address to sync", error)))
      .finally(() => onPendingCount?.(pending.size)),
  );
  const timer = setInterval(round, retryMs).unref();

  return {
    sync,
    check: listmonk.check,
    asksToConfirm: listmonk.asksToConfirm,
    /** Waits for the running syncs; each has a deadline. */
    async finish() {
      await Promise.all(underWay.values());
    },
    /** Ends the retries. */
    close() {
      clearInterval(timer);
      if (pending.size === 0) return;
      const names = formatCount(pending.size, "name");
      warn(
        `shutdown loses ${names} of signups that listmonk does not have yet; handtools signups sync lists their addresses`,
      );
      pending.clear();
    },
  };
}

/** Longer than all deadlines of a sync together: a lease expires only if its process has died. */
export const LEASE_MS = 20_000;

/**
 * Syncs an address under a lease, because two syncs at once would send two messages, and stores the
 * result.
 *
 * @param onStoreError called if the result cannot be stored; the sync is done all the same.
 * @returns a failure if another process has the lease, or the address is not stored.
 */
export async function syncClaimed(
  subscriber: Subscriber,
  listmonk: Pick<ListmonkApi, "sync">,
  store: Pick<SignupStore, "lease" | "endSync">,
  onStoreError: (error: unknown) => void,
): Promise<SyncResult> {
  const { email } = subscriber;
  const lease = await store.lease(email, LEASE_MS, new Date());
  if (!lease) {
    return { ok: false, failure: "another process syncs the address, or it was deleted" };
  }
  const result = await listmonk.sync(subscriber, lease.synced);
  await store.endSync(email, lease, result, new Date()).catch(onStoreError);
  return result;
}
