import { redacted } from "../errors.ts";
import type { SignupStore } from "../store/signup-store.ts";
import type { Newsletter, SyncResult, SyncState } from "./newsletter.ts";

interface LeaseOptions {
  readonly store: Pick<SignupStore, "lease" | "endSync">;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

/** Longer than all deadlines of a sync together, so that a lease runs out only when its process has died. */
export const LEASE_MS = 20_000;

/** The most syncs of this process at a time, those that wait for a look-up included. */
const MAX_SYNCS = 1_000;

/**
 * A newsletter that never syncs an address twice at once, in all processes of the site: that would mail
 * twice. The end of a sync is stored before the next sync of the address begins. It never throws.
 */
export function withLease(newsletter: Newsletter, options: LeaseOptions): Newsletter {
  const underWay = new Map<string, Promise<SyncResult>>();
  return {
    ...newsletter,
    async sync(subscriber) {
      const { email } = subscriber;
      const joined = underWay.get(email);
      if (joined) return await joined;
      if (underWay.size >= MAX_SYNCS) return notSynced("too many people wait for listmonk");
      const sync = underLease(email, options, (state) => newsletter.sync(subscriber, state));
      underWay.set(
        email,
        sync.finally(() => underWay.delete(email)),
      );
      return await sync;
    },
    async finish() {
      await Promise.all(underWay.values());
    },
  };
}

const notSynced = (failure: string) => ({ ok: false, listmonkId: undefined, failure });

/** The end of a sync that did not begin. */
export const NOT_FREE = notSynced("another process syncs the address, or it was deleted");

/**
 * Runs a sync of an address while no other process does, and stores how it ended.
 *
 * @param sync gets the stored state of the address.
 * @returns a failure also when the address is not free, or not stored.
 */
export async function underLease(
  email: string,
  { store, now, onError }: LeaseOptions,
  sync: (state: SyncState) => Promise<SyncResult>,
): Promise<SyncResult> {
  const lease = await store.lease(email, LEASE_MS, now()).catch((error: unknown) => {
    onError(redacted("beginning the sync", error));
    return notSynced("the database failed before the sync with listmonk");
  });
  if (!lease) return NOT_FREE;
  if ("ok" in lease) return lease;
  const result = await sync(lease.state);
  // The address is stored, so nothing may turn the answer into an error.
  await store
    .endSync(email, lease, result, now())
    .catch((error: unknown) => onError(redacted("noting the sync", error)));
  return result;
}
