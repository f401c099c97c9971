import type { SignupRecord, StoredSignup, SyncState } from "../ports.ts";
import { storableText } from "./storable-text.ts";

/** A row of the table of signups, in either database. */
export interface SignupRow {
  readonly email: string;
  readonly ctaSource: string;
  readonly referral: string | null;
  readonly referralOther: string | null;
  readonly createdAt: Date;
  readonly syncState: "pending" | "synced";
  readonly syncedAt: Date | null;
  readonly listmonkId: number | null;
}

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
});

const storableOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : storableText(text);

export const syncStateOf = (row: Pick<SignupRow, "syncState" | "listmonkId">): SyncState => ({
  synced: row.syncState === "synced",
  listmonkId: row.listmonkId ?? undefined,
});

export const storedSignupOf = (row: SignupRow): StoredSignup => ({
  email: row.email,
  ctaSource: row.ctaSource,
  referral: row.referral ?? undefined,
  referralOther: row.referralOther ?? undefined,
  createdAt: row.createdAt,
  syncedAt: row.syncedAt ?? undefined,
  ...syncStateOf(row),
});
