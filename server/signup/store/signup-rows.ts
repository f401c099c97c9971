import { sql } from "drizzle-orm";
import type { SyncResult, SyncState } from "../newsletter/listmonk-api.ts";
import type { signups } from "./postgres-tables.ts";
import { type Lease, type SignupRecord, type StoredSignup, storableText } from "./signup-store.ts";

/** A row of the table of signups, in either database. */
type SignupRow = typeof signups.$inferSelect;

/** True for a row that waits for the newsletter. The databases use their index for a literal only. */
export const isWaiting = sql`sync_state = 'pending'`;

/** Without the state of a sync, the row of an address that is recorded for the first time. */
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

export const toSyncState = (row: SignupRow | undefined): SyncState => ({
  synced: row?.syncState === "synced",
  listmonkId: row?.listmonkId ?? undefined,
});

export const toStoredSignup = (row: SignupRow): StoredSignup => ({
  email: row.email,
  ctaSource: row.ctaSource,
  referral: row.referral ?? undefined,
  referralOther: row.referralOther ?? undefined,
  createdAt: row.createdAt,
  syncedAt: row.syncedAt ?? undefined,
  failedAt: row.failedAt ?? undefined,
  failure: row.failure ?? undefined,
  rejected: row.syncState === "rejected",
  ...toSyncState(row),
});

/** The columns that the end of a sync changes. */
export function toSyncOutcome(
  { state }: Lease,
  { ok, listmonkId, failure, rejected }: SyncResult,
  now: Date,
): Partial<SignupRow> {
  const free = { leasedUntil: null };
  if (state.synced && (!ok || state.listmonkId === listmonkId)) return free;
  if (!ok) {
    const syncState = rejected ? "rejected" : "pending";
    return { ...free, syncState, failedAt: now, failure: failure ?? null };
  }
  const number = listmonkId === undefined ? {} : { listmonkId };
  return { ...free, syncState: "synced", syncedAt: now, failedAt: null, failure: null, ...number };
}

/** Each new nonce deletes up to this many old ones, which bounds the work and the table. */
export const PURGED_AT_ONCE = 10;

/**
 * How long a nonce is remembered after it has expired, in milliseconds. A server whose clock is late,
 * or set back, then accepts no challenge whose nonce is forgotten.
 */
export const REMEMBERED_MS = 24 * 60 * 60 * 1_000;
