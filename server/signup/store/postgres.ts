import { lt, sql } from "drizzle-orm";
import type pg from "pg";
import { migratePostgres } from "./migrate-postgres.ts";
import { postgresPool } from "./postgres-pool.ts";
import { rateCounts, signups, usedNonces } from "./postgres-tables.ts";
import type { PostgresAddress } from "./postgres-url.ts";
import { COUNT_TIMEOUT_MS, type Counter, type SignupStore } from "./signup-store.ts";
import { type Queries, storeQueries } from "./store-queries.ts";

/** Opens a PostgreSQL database as the store. A lost connection is opened again by the next call. */
export async function openPostgres(
  address: PostgresAddress,
  create: boolean,
): Promise<SignupStore> {
  const config = await migrated(address, create);
  const { connectMs } = address;
  const { transaction, close } = postgresPool(config, { ...STORE, connectMs });
  // Counts have a pool of their own: a flood must not keep the signups waiting for a connection.
  const counts = postgresPool(config, COUNTS);
  return {
    ...storeQueries({
      tables: { signups, usedNonces },
      transaction,
      read: transaction,
      // The database's clock counts: those of the servers may differ.
      later: (ms) => sql`clock_timestamp() + ${`${ms} ms`}::interval`,
      // Two transactions that delete the same rows could deadlock.
      skipLocked: sql`FOR UPDATE SKIP LOCKED`,
    }),
    tryWrite: () =>
      transaction(async (db) => {
        const nonce = `trial ${crypto.randomUUID()}`;
        await db.insert(usedNonces).values({ nonce, expiresAt: new Date(0) });
        await db.delete(usedNonces).where(sql`nonce = ${nonce}`);
      }),
    counter: postgresCounter(counts.transaction),
    close: async () => {
      await Promise.all([close(), counts.close()]);
    },
    warnings: address.isRemote && config.ssl === false ? [notEncrypted(address)] : [],
  };
}

const STORE = {
  connections: 5,
  idleMs: 30_000,
  beginMs: 1_500,
  statementMs: 5_000,
  silenceMs: 7_000,
};

/** A count that comes too late is given up, and rolled back. */
const COUNTS = {
  connections: 1,
  idleMs: 30_000,
  connectMs: COUNT_TIMEOUT_MS,
  beginMs: COUNT_TIMEOUT_MS,
  statementMs: COUNT_TIMEOUT_MS,
  silenceMs: COUNT_TIMEOUT_MS,
};

/**
 * Brings the tables up to date, and finds out how to connect. TLS is decided here once, so that no
 * later connection falls back to none.
 */
async function migrated(
  { config, mayBePlain, connectMs }: PostgresAddress,
  create: boolean,
): Promise<pg.ClientConfig> {
  const attempt = async (config: pg.ClientConfig): Promise<pg.ClientConfig> => {
    await migratePostgres({ ...config, connectionTimeoutMillis: connectMs }, create);
    return config;
  };
  try {
    return await attempt(config);
  } catch (error) {
    if (!mayBePlain || !isWithoutTls(error)) throw error;
    return await attempt({ ...config, ssl: false });
  }
}

/** True for the driver's error about a server without TLS, which has no code. */
const isWithoutTls = (error: unknown): boolean =>
  error instanceof Error && error.message === "The server does not support SSL connections";

const notEncrypted = ({ title }: PostgresAddress): string =>
  `DATABASE_URL: the connection to PostgreSQL at ${title} is not encrypted: turn TLS on there, or use a private network`;

/** How long after the last count the table is emptied of what has expired. */
const PURGE_AFTER_MS = 130_000;

/** Each counted request deletes up to this many expired counts, more than it can add. */
const COUNTS_PURGED_AT_ONCE = 10;

/** Counts in the database, for all servers of the site. */
function postgresCounter(
  transaction: <Value>(work: (db: Queries) => Promise<Value>) => Promise<Value>,
): Counter {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const purge = () =>
    transaction((db) => db.delete(rateCounts).where(lt(rateCounts.expiresAt, new Date()))).catch(
      () => undefined,
    );

  return (keys, expiresAt) => {
    clearTimeout(timer);
    timer = setTimeout(purge, PURGE_AFTER_MS).unref();
    return transaction(async (db) => {
      const old = db.delete(rateCounts).where(SOME_EXPIRED).returning({ key: rateCounts.key });
      const counts = await db
        .with(db.$with("old").as(old))
        .insert(rateCounts)
        // All servers lock the rows in one order, so that no two of them wait for each other.
        .values(keys.toSorted().map((key) => ({ key, count: 1, expiresAt })))
        .onConflictDoUpdate({
          target: rateCounts.key,
          set: { count: sql`${rateCounts.count} + 1` },
        })
        .returning({ key: rateCounts.key, count: rateCounts.count });
      const countOf = new Map(counts.map(({ key, count }) => [key, count]));
      return keys.map((key) => countOf.get(key) ?? Number.POSITIVE_INFINITY);
    });
  };
}

const SOME_EXPIRED = sql`key IN (
  SELECT key FROM ${rateCounts} WHERE expires_at < now()
  ORDER BY expires_at LIMIT ${COUNTS_PURGED_AT_ONCE} FOR UPDATE SKIP LOCKED
)`;
