import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { SyncResult, SyncState } from "../newsletter/newsletter.ts";
import type { signups } from "./postgres-tables.ts";
import { type Lease, type SignupRecord, type StoredSignup, storableText } from "./signup-store.ts";

/** The tables that every version has. */
export const TABLES = ["signups", "used_nonces"];

/** A row of the table of signups, in either database. */
type SignupRow = typeof signups.$inferSelect;

/** True for a row that waits for the newsletter. The databases use their index for a literal only. */
export const isWaiting = sql`sync_state = 'pending'`;

/** The row of an address that is recorded for the first time. */
export const newRow = (signup: SignupRecord, now: Date): SignupRow => ({
  email: signup.email,
  ctaSource: storableText(signup.ctaSource),
  referral: storableOrNull(signup.referral),
  referralOther: storableOrNull(signup.referralOther),
  createdAt: now,
  syncState: "pending",
  syncedAt: null,
  listmonkId: null,
  leasedUntil: null,
  failedAt: null,
  failure: null,
});

const storableOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : storableText(text);

export const toSyncState = (row: Pick<SignupRow, "syncState" | "listmonkId">): SyncState => ({
  synced: row.syncState === "synced",
  listmonkId: row.listmonkId ?? undefined,
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

export const toRow = (stored: StoredSignup): SignupRow => ({
  ...newRow(stored, stored.createdAt),
  syncState: (stored.synced && "synced") || (stored.rejected && "rejected") || "pending",
  syncedAt: stored.syncedAt ?? null,
  listmonkId: stored.listmonkId ?? null,
  failedAt: stored.failedAt ?? null,
  failure: stored.failure ?? null,
});

/** The columns that the end of a sync changes, beside the lease. */
export function endOfSync(
  { state }: Lease,
  { ok, listmonkId, failure, rejected }: SyncResult,
  now: Date,
): Partial<SignupRow> {
  if (state.synced && (!ok || state.listmonkId === listmonkId)) return {};
  if (!ok) {
    return {
      syncState: rejected ? "rejected" : "pending",
      failedAt: now,
      failure: failure ?? null,
    };
  }
  const number = listmonkId === undefined ? {} : { listmonkId };
  return { syncState: "synced", syncedAt: now, failedAt: null, failure: null, ...number };
}

/**
 * A used nonce is kept this long after its challenge has expired. A clock that is set back, or is
 * late on another machine, then cannot make a challenge valid whose nonce is forgotten.
 */
const NONCE_KEPT_MS = 24 * 60 * 60 * 1000;

/** Each new nonce deletes up to this many old ones, which bounds the work and the table. */
export const PURGED_AT_ONCE = 10;

/** Nonces that expired before this time may be deleted. */
export const purgeBefore = (now: Date): Date => new Date(now.getTime() - NONCE_KEPT_MS);

/** The folder of the migrations that drizzle-kit generates. It is beside this file, also in the package. */
export const migrationsFolder = (database: "sqlite" | "postgres"): string =>
  fileURLToPath(new URL(`./migrations/${database}`, import.meta.url));
