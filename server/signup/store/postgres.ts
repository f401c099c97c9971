import type { SQL } from "bun";
import { and, count, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { COUNT_TIMEOUT_MS, type Counter } from "../counts.ts";
import { codeOf } from "../errors.ts";
import type { SignupStore, SingleUse } from "../model.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { postgresPool, type Transaction } from "./postgres-pool.ts";
import { rateCounts, signups, usedNonces } from "./postgres-tables.ts";
import type { PostgresAddress } from "./postgres-url.ts";
import {
  COUNTED_WAITING,
  endOfSync,
  isPending,
  newRow,
  PURGED_AT_ONCE,
  purgeBefore,
  rowOf,
  storedSignupOf,
  syncStateOf,
} from "./rows.ts";

/** Opens a PostgreSQL database as the store. A lost connection is opened again by the next call. */
export async function openPostgres(
  address: PostgresAddress,
  create: boolean,
): Promise<SignupStore> {
  const { options, isEncrypted } = await migrated(address, create);
  const isPlain = address.isRemote && !isEncrypted;
  const pool = postgresPool(options, STORE);
  // Of its own: a flood must not keep the signups waiting for a connection.
  const countPool = postgresPool(options, COUNTS);
  return {
    ...storeOf(pool),
    counter: postgresCounter(countPool),
    close: async () => {
      await Promise.all([pool.close(), countPool.close()]);
    },
    warnings: isPlain ? [plain(address)] : [],
  };
}

const STORE = {
  connections: 5,
  idleSeconds: 30,
  beginMs: 1_500,
  statementMs: 5_000,
  silenceMs: 7_000,
  closeSeconds: 1,
};

/** A count that comes too late is given up, and rolled back. */
const COUNTS = {
  connections: 1,
  idleSeconds: 30,
  beginMs: COUNT_TIMEOUT_MS,
  statementMs: COUNT_TIMEOUT_MS,
  silenceMs: COUNT_TIMEOUT_MS,
  closeSeconds: 0,
};

/**
 * Brings the tables up to date, and finds out how to connect. TLS is decided
 * here once, so that no later connection falls back to none.
 */
async function migrated(
  address: PostgresAddress,
  create: boolean,
): Promise<{ options: SQL.Options; isEncrypted: boolean }> {
  const { sslMode } = address;
  if (sslMode !== "prefer") {
    const options = optionsFor(address, sslMode);
    await migratePostgres(options, create);
    return { options, isEncrypted: sslMode !== "disable" };
  }
  try {
    return await migrated({ ...address, sslMode: "require" }, create);
  } catch (error) {
    if (codeOf(error) !== "ERR_POSTGRES_TLS_NOT_AVAILABLE") throw error;
    return await migrated({ ...address, sslMode: "disable" }, create);
  }
}

/** Seconds to wait for a connection. */
const CONNECT_SECONDS = 5;

const optionsFor = (
  address: PostgresAddress,
  sslMode: PostgresAddress["sslMode"],
): SQL.Options => ({
  ...address.options(sslMode),
  connectionTimeout: CONNECT_SECONDS,
  // A pooler may give each transaction to another connection of the server.
  prepare: false,
});

const plain = ({ title }: PostgresAddress): string =>
  `DATABASE_URL: the connection to PostgreSQL at ${title} is not encrypted: turn TLS on there, or use a private network`;

const storeOf = ({
  transaction,
}: ReturnType<typeof postgresPool>): Omit<SignupStore, "warnings" | "close"> => ({
  record: (signup, use, now) =>
    transaction(async (tx) => {
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

  isUsed: (nonce) =>
    transaction(async (tx) => {
      const used = tx.select().from(usedNonces).where(eq(usedNonces.nonce, nonce));
      return (await used).length > 0;
    }),

  // By the database's clock: those of the servers may differ.
  lease: (email, ms) =>
    transaction(async (tx) => {
      const its = eq(signups.email, email);
      const [row] = await tx
        .update(signups)
        .set({ leasedUntil: sql`clock_timestamp() + ${`${ms} ms`}::interval` })
        .where(and(its, sql`coalesce(leased_until < clock_timestamp(), true)`))
        .returning();
      if (row?.leasedUntil) return { state: syncStateOf(row), until: row.leasedUntil };
      const [taken] = await tx.select({ email: signups.email }).from(signups).where(its);
      return taken && "taken";
    }),

  endSync: (email, lease, result, now) =>
    transaction(async (tx) => {
      const its = eq(signups.email, email);
      const end = endOfSync(lease, result, now);
      if (Object.keys(end).length > 0) await tx.update(signups).set(end).where(its);
      const leased = and(its, eq(signups.leasedUntil, lease.until));
      await tx.update(signups).set({ leasedUntil: null }).where(leased);
    }),

  count: () =>
    transaction(async (tx) => {
      const [counted] = await tx.select({ rows: count() }).from(signups);
      return counted?.rows ?? 0;
    }),

  countWaiting: () =>
    transaction(async (tx) => {
      const some = tx.select({ email: signups.email }).from(signups).where(isPending);
      const [counted] = await tx
        .select({ rows: count() })
        .from(some.limit(COUNTED_WAITING).as("some"));
      return counted?.rows ?? 0;
    }),

  find: (email) =>
    transaction(async (tx) => {
      const [row] = await tx.select().from(signups).where(eq(signups.email, email));
      return row && storedSignupOf(row);
    }),

  list: ({ after, limit, waiting }) =>
    transaction(async (tx) => {
      const later = gt(signups.email, after);
      const rows = await tx
        .select()
        .from(signups)
        .where(waiting ? and(later, isPending) : later)
        .orderBy(signups.email)
        .limit(limit);
      return rows.map(storedSignupOf);
    }),

  add: (rows) =>
    transaction(async (tx) => {
      const added = tx.insert(signups).values(rows.map(rowOf)).onConflictDoNothing();
      return (await added.returning({ email: signups.email })).length;
    }),

  remove: (email) =>
    transaction(async (tx) => {
      const its = eq(signups.email, email);
      return (await tx.delete(signups).where(its).returning({ email: signups.email })).length > 0;
    }),

  ping: () =>
    transaction(async (tx) => {
      await tx.execute(sql`select 1`);
    }),

  tryWrite: () =>
    transaction(async (tx) => {
      const nonce = `trial ${crypto.randomUUID()}`;
      await tx.insert(usedNonces).values({ nonce, expiresAt: new Date(0) });
      await tx.delete(usedNonces).where(eq(usedNonces.nonce, nonce));
    }),
});

/** @returns false for a nonce that was used before. */
async function consumeNonce(tx: Transaction, use: SingleUse, now: Date): Promise<boolean> {
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

/** How long after the last count the table is emptied of what has expired. */
const PURGE_AFTER_MS = 130_000;

/** Each question deletes up to this many expired counts, more than it can add. */
const COUNTS_PURGED_AT_ONCE = 3_000;

/** Counts in the database, for all servers of the site. */
function postgresCounter({
  transaction,
}: Pick<ReturnType<typeof postgresPool>, "transaction">): Counter {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const purgeLater = () => {
    clearTimeout(timer);
    const purge = () =>
      transaction(async (tx) => {
        await tx.delete(rateCounts).where(lt(rateCounts.expiresAt, new Date()));
      }).catch(() => undefined);
    timer = setTimeout(purge, PURGE_AFTER_MS);
    timer.unref();
  };

  return (added, expiresAt) => {
    purgeLater();
    return transaction(async (tx) => {
      const rows = await tx.execute<{ key: string; count: number }>(addTo(added, expiresAt));
      return new Map([...rows].map(({ key, count }) => [key, count]));
    });
  };
}

/** All servers lock the rows in one order, so that no two of them wait for each other. */
const addTo = (added: ReadonlyMap<string, number>, expiresAt: Date) => sql`
  WITH old AS (
    DELETE FROM ${rateCounts} WHERE key IN (
      SELECT key FROM ${rateCounts} WHERE expires_at < ${new Date().toISOString()}::timestamptz
      ORDER BY expires_at LIMIT ${COUNTS_PURGED_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO ${rateCounts} (key, count, expires_at)
  SELECT key, value::int, ${expiresAt.toISOString()}::timestamptz
  FROM json_each_text(${JSON.stringify(Object.fromEntries(added))}::text::json)
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET count = ${rateCounts}.count + excluded.count
  RETURNING key, count`;
