import { sql } from "drizzle-orm";
import type { SyncResult } from "../newsletter/listmonk-api.ts";
import type { signups } from "./postgres-tables.ts";
import { type Lease, type SignupRecord, type StoredSignup, storableText } from "./signup-store.ts";

/** The rows of both databases have this type. */
type SignupRow = typeof signups.$inferSelect;

/** Selects the rows to sync. Only a literal lets the databases use their partial index. */
export const isPending = sql`sync_state = 'pending'`;

/** Creates a new row, or one with the sync state of an import. */
export function toRow({
  synced,
  rejected,
  ...stored
}: SignupRecord & Pick<StoredSignup, "createdAt"> & Partial<StoredSignup>) {
  const syncState: SignupRow["syncState"] =
    (synced && "synced") || (rejected && "rejected") || "pending";
  return {
    ...stored,
    syncState,
    ctaSource: storableText(stored.ctaSource),
    referral: stored.referral && storableText(stored.referral),
    referralOther: stored.referralOther && storableText(stored.referralOther),
  };
}

export const toStoredSignup = (row: SignupRow): StoredSignup => ({
  email: row.email,
  ctaSource: row.ctaSource,
  referral: row.referral ?? undefined,
  referralOther: row.referralOther ?? undefined,
  createdAt: row.createdAt,
  syncedAt: row.syncedAt ?? undefined,
  failedAt: row.failedAt ?? undefined,
  failure: row.failure ?? undefined,
  synced: row.syncState === "synced",
  rejected: row.syncState === "rejected",
});

/** Returns the columns to change after a sync. */
export function toSyncOutcome(
  { synced }: Lease,
  { ok, failure, rejected }: SyncResult,
  now: Date,
): Partial<SignupRow> {
  const free = { leasedUntil: null };
  if (synced) return free;
  if (!ok) {
    const syncState = rejected ? "rejected" : "pending";
    return { ...free, syncState, failedAt: now, failure: failure ?? null };
  }
  return { ...free, syncState: "synced", syncedAt: now, failedAt: null, failure: null };
}

/** Each new nonce deletes up to this many old ones, to bound the work and the table. */
export const MAX_NONCES_PURGED = 10;

/**
 * How long to remember a nonce after it has expired, in milliseconds, in case the clock of a server
 * is slow or set back.
 */
export const NONCE_RETENTION_MS = 24 * 60 * 60 * 1_000;
