import { SQL } from "bun";
import { count, eq, inArray, lt, sql } from "drizzle-orm";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { migrate } from "drizzle-orm/bun-sql/migrator";
import { StoreError } from "../errors.ts";
import type { SignupStore, SingleUse } from "../model.ts";
import { signups, usedNonces } from "./postgres-tables.ts";
import {
  migrationsFolder,
  newRow,
  PURGED_AT_ONCE,
  purgeBefore,
  storedSignupOf,
  syncStateOf,
} from "./rows.ts";

/** Connections of one process. A server accepts 100 by default, from all processes together. */
const CONNECTIONS = 5;

/** Seconds to wait for a connection. */
const CONNECT_SECONDS = 5;

/** PostgreSQL rolls back a statement that takes longer. */
const STATEMENT_MS = 5_000;

/**
 * Opens a PostgreSQL database as the store. A lost connection is opened again by the next call.
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

/**
 * Applies the missing migrations, all or none of them. Processes that start together take turns.
 */
async function migratePostgres(options: SQL.Options): Promise<void> {
  // The lock belongs to a connection: there is only this one, and closing it frees the lock.
  const client = new SQL({ ...options, max: 1 });
  try {
    await client`SELECT pg_advisory_lock(hashtext('handtools migrations'))`;
    await migrate(drizzle(client), {
      migrationsFolder: migrationsFolder("postgres"),
      migrationsSchema: "handtools",
      migrationsTable: "migrations",
    });
  } finally {
    await client.close();
  }
}

/** Longer than a statement or the wait for a connection may take. */
const SILENCE_MS = 7_000;

/** Other work on a given-up connection has this many seconds to finish. */
const CLOSE_SECONDS = 1;

/**
 * Connections to a PostgreSQL server. When the server falls silent, because its machine died or a
 * firewall dropped the connections, they are replaced: the driver itself would wait for ever.
 */
function postgresPool(options: SQL.Options) {
  const connect = () => drizzle(new SQL(options));
  let db = connect();

  /** Closing rolls back every transaction that has not sent its COMMIT. */
  const giveUp = async (silent: typeof db) => {
    if (db === silent) db = connect();
    await silent.$client.close({ timeout: CLOSE_SECONDS });
  };

  return {
    /**
     * Runs one transaction or statement.
     *
     * @throws {StoreError} when there is no answer within eight seconds. Nothing was changed then,
     * unless only the answer to the COMMIT was lost.
     */
    async use<Value>(work: (db: BunSQLDatabase) => Promise<Value>): Promise<Value> {
      const used = db;
      let isSilent = false;
      const timer = setTimeout(() => {
        isSilent = true;
        giveUp(used).catch(() => undefined);
      }, SILENCE_MS);
      try {
        return await work(used);
      } catch (error) {
        throw isSilent ? new StoreError("postgres-silent", "PostgreSQL does not answer") : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => db.$client.close({ timeout: CLOSE_SECONDS }),
  };
}

const storeOf = ({ use: onDatabase, close }: ReturnType<typeof postgresPool>): SignupStore => ({
  record: (signup, use, now) =>
    onDatabase((db) =>
      db.transaction(async (tx) => {
        if (use && !(await consumeNonce(tx, use, now))) return "replayed";
        const [row] = await tx
          .insert(signups)
          .values(newRow(signup, now))
          // Changes nothing, but returns the existing row, also one that is being inserted now.
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
async function consumeNonce(
  tx: Pick<BunSQLDatabase, "insert" | "delete" | "select">,
  use: SingleUse,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.insert(usedNonces).values(use).onConflictDoNothing().returning();
  // SKIP LOCKED: two transactions that purge the same nonces could deadlock.
  const old = tx
    .select({ nonce: usedNonces.nonce })
    .from(usedNonces)
    .where(lt(usedNonces.expiresAt, purgeBefore(now)))
    .limit(PURGED_AT_ONCE)
    .for("update", { skipLocked: true });
  await tx.delete(usedNonces).where(inArray(usedNonces.nonce, old));
  return inserted.length === 1;
}
