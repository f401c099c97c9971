import { count, eq, inArray, lt, sql } from "drizzle-orm";
import type { BunSQLDatabase } from "drizzle-orm/bun-sql";
import type { SignupStore, SingleUse } from "../ports.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { postgresPool } from "./postgres-pool.ts";
import { signups, usedNonces } from "./postgres-tables.ts";
import { PURGED_AT_ONCE, purgeBefore } from "./purge.ts";
import { newRow, storedSignupOf, syncStateOf } from "./row.ts";

/** Connections of one process. A server takes 100 by default, from all processes together. */
const CONNECTIONS = 5;

/** Seconds to wait for a connection. */
const CONNECT_SECONDS = 5;

/** What takes longer is given up and rolled back by the server. */
const STATEMENT_MS = 5_000;

/**
 * Opens a PostgreSQL database as the store. A lost connection is made again with the next call.
 *
 * @param url `postgres://…`
 */
export async function openPostgres(url: string): Promise<SignupStore> {
  const options = { url, connectionTimeout: CONNECT_SECONDS };
  await migratePostgres(options);
  const pool = postgresPool({
    ...options,
    max: CONNECTIONS,
    connection: {
      application_name: "handtools",
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
    },
  });
  return storeOf(pool);
}

const storeOf = ({ use: onDatabase, close }: ReturnType<typeof postgresPool>): SignupStore => ({
  record: (signup, use, now) =>
    onDatabase((db) =>
      db.transaction(async (tx) => {
        if (use && !(await burn(tx, use, now))) return "replayed";
        const [row] = await tx
          .insert(signups)
          .values(newRow(signup, now))
          // Changes nothing, but gives the row that is there, also one that is just being made.
          .onConflictDoUpdate({ target: signups.email, set: { email: sql`excluded.email` } })
          .returning({ syncState: signups.syncState, listmonkId: signups.listmonkId });
        if (!row) throw new Error("PostgreSQL returned no row for an upsert");
        return syncStateOf(row);
      }),
    ),

  markSynced: (email, listmonkId, now) =>
    onDatabase(async (db) => {
      await db
        .update(signups)
        .set({ syncState: "synced", syncedAt: now, listmonkId })
        .where(eq(signups.email, email));
    }),

  count: () =>
    onDatabase(async (db) => {
      const [counted] = await db.select({ rows: count() }).from(signups);
      return counted?.rows ?? 0;
    }),

  find: (email) =>
    onDatabase(async (db) => {
      const [row] = await db.select().from(signups).where(eq(signups.email, email));
      return row && storedSignupOf(row);
    }),

  remove: (email) =>
    onDatabase(async (db) => {
      const its = eq(signups.email, email);
      return (await db.delete(signups).where(its).returning({ email: signups.email })).length > 0;
    }),

  close,
});

/** @returns whether the nonce had not been used before. */
async function burn(
  tx: Pick<BunSQLDatabase, "insert" | "delete" | "select">,
  use: SingleUse,
  now: Date,
): Promise<boolean> {
  const burnt = await tx.insert(usedNonces).values(use).onConflictDoNothing().returning();
  // Who finds some of them locked leaves them to the other: waiting here could end in a deadlock.
  const old = tx
    .select({ nonce: usedNonces.nonce })
    .from(usedNonces)
    .where(lt(usedNonces.expiresAt, purgeBefore(now)))
    .limit(PURGED_AT_ONCE)
    .for("update", { skipLocked: true });
  await tx.delete(usedNonces).where(inArray(usedNonces.nonce, old));
  return burnt.length === 1;
}
