import { SQL } from "bun";
import { count, eq, inArray, lt, sql } from "drizzle-orm";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { migrate } from "drizzle-orm/bun-sql/migrator";
import { StoreFault } from "../errors.ts";
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

/**
 * Applies the migrations that the database lacks, all or none of them. Processes that start
 * together take turns.
 */
async function migratePostgres(options: SQL.Options): Promise<void> {
  // The lock belongs to a connection, so there is only this one, and it ends with it.
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

/** Longer than PostgreSQL works on one statement, and than we wait for a connection. */
const SILENCE_MS = 7_000;

/** Seconds in which others may finish on connections that are given up. */
const CLOSE_SECONDS = 1;

/**
 * Connections to a PostgreSQL server. Those whose server falls silent, as when its machine dies or
 * a firewall forgets them, are given up for new ones: the driver itself would wait for ever.
 */
function postgresPool(options: SQL.Options) {
  const connect = () => drizzle(new SQL(options));
  let db = connect();

  /** Closing ends what is under way there: what has not sent its COMMIT is rolled back. */
  const giveUp = async (silent: typeof db) => {
    if (db === silent) db = connect();
    await silent.$client.close({ timeout: CLOSE_SECONDS });
  };

  return {
    /**
     * Runs one transaction or statement.
     *
     * @throws {StoreFault} when there is no answer within eight seconds. Nothing was changed then,
     * unless all that was missing is the answer to the COMMIT, of which nobody can know more.
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
        throw isSilent ? new StoreFault("postgres-silent", "PostgreSQL does not answer") : error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => db.$client.close({ timeout: CLOSE_SECONDS }),
  };
}

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
