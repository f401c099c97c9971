import { sql } from "drizzle-orm";
import { index, integer, pgSchema, text, timestamp } from "drizzle-orm/pg-core";

/** Not exported: the migrator creates the schema, not a migration. */
const handtools = pgSchema("handtools");

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const signups = handtools.table(
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

export const usedNonces = handtools.table(
  "used_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("used_nonces_expires_at").on(table.expiresAt)],
);

/** Unlogged (see the migration): a crash may lose the counts, but they need no write-ahead log. */
export const rateCounts = handtools.table(
  "rate_counts",
  {
    /** An HMAC of the caller and the kind of request. */
    key: text().primaryKey(),
    count: integer().notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("rate_counts_expires_at").on(table.expiresAt)],
);
