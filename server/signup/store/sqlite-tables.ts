import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const time = (name: string) => integer(name, { mode: "timestamp_ms" });

export const signups = sqliteTable(
  "signups",
  {
    email: text().primaryKey(),
    ctaSource: text("cta_source").notNull(),
    referral: text(),
    referralOther: text("referral_other"),
    createdAt: time("created_at").notNull(),
    syncState: text("sync_state", { enum: ["pending", "synced", "rejected"] }).notNull(),
    syncedAt: time("synced_at"),
    /** Until then, only one process may sync the address. */
    leasedUntil: time("leased_until"),
    failedAt: time("failed_at"),
    /** Why the last sync failed, without personal data. */
    failure: text(),
  },
  (table) => [index("signups_pending").on(table.email).where(sql`sync_state = 'pending'`)],
);

export const usedNonces = sqliteTable(
  "used_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("used_nonces_expires_at").on(table.expiresAt)],
);
