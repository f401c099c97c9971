import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const signups = sqliteTable("signups", {
  email: text().primaryKey(),
  ctaSource: text("cta_source").notNull(),
  referral: text(),
  referralOther: text("referral_other"),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  syncState: text("sync_state", { enum: ["pending", "synced"] }).notNull(),
  syncedAt: integer("synced_at", { mode: "timestamp_ms" }),
  listmonkId: integer("listmonk_id"),
});

export const usedNonces = sqliteTable(
  "used_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("used_nonces_expires_at").on(table.expiresAt)],
);
