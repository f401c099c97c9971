import { and, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { migratePostgres } from "./migrate-postgres.ts";
import { postgresPool } from "./postgres-pool.ts";
import { rateCounts, signups, usedNonces } from "./postgres-tables.ts";
import type { PostgresAddress } from "./postgres-url.ts";
import {
  endOfSync,
  forgottenBefore,
  isWaiting,
  PURGED_AT_ONCE,
  toRow,
  toStoredSignup,
  toSyncState,
} from "./rows.ts";
import { COUNT_TIMEOUT_MS, type SignupStore } from "./signup-store.ts";

/** Opens a PostgreSQL database as the store. A lost connection is opened again by the next call. */
export async function openPostgres(
  address: PostgresAddress,
  create: boolean,
): Promise<SignupStore> {
  const config = await migratePostgres(address, create);
  // A server accepts 100 connections by default, from all processes.
  const { transaction, close } = postgresPool(config, 5, STATEMENT_TIMEOUT_MS);
  // Counts have a pool of their own: a flood must not keep the signups waiting for a connection.
  const counts = postgresPool(config, 1, COUNT_TIMEOUT_MS);

  return {
    record: (signup, nonce, now) =>
      transaction(async (db) => {
        if (nonce) {
          const used = await db.insert(usedNonces).values(nonce).onConflictDoNothing().returning();
          if (used.length === 0) return "replayed";
          const old = db
            .select({ nonce: usedNonces.nonce })
            .from(usedNonces)
            .where(lt(usedNonces.expiresAt, forgottenBefore(now)))
            .limit(PURGED_AT_ONCE)
            // Two transactions that delete the same rows could deadlock.
            .for("update", { skipLocked: true });
          await db.delete(usedNonces).where(inArray(usedNonces.nonce, old));
        }
        const [row] = await db
          .insert(signups)
          .values(toRow({ ...signup, createdAt: now }))
          // Changes nothing, but returns the existing row, also one that is being inserted now.
          .onConflictDoUpdate({ target: signups.email, set: { email: sql`excluded.email` } })
          .returning();
        return toSyncState(row);
      }),

    isUsed: (nonce) =>
      transaction(async (db) => (await db.$count(usedNonces, eq(usedNonces.nonce, nonce))) > 0),

    lease: (email, ms) =>
      transaction(async (db) => {
        const isFree = or(isNull(signups.leasedUntil), lt(signups.leasedUntil, CLOCK));
        const [row] = await db
          .update(signups)
          .set({ leasedUntil: sql`${CLOCK} + ${`${ms} ms`}::interval` })
          .where(and(eq(signups.email, email), isFree))
          .returning();
        return row?.leasedUntil ? { state: toSyncState(row), until: row.leasedUntil } : undefined;
      }),

    endSync: (email, lease, result, now) =>
      transaction(async (db) => {
        const leased = and(eq(signups.email, email), eq(signups.leasedUntil, lease.until));
        await db
          .update(signups)
          .set(endOfSync(lease, result, now))
          .where(leased);
      }),

    count: (onlyWaiting) =>
      transaction(async (db) => await db.$count(signups, onlyWaiting ? isWaiting : undefined)),

    find: (email) =>
      transaction(async (db) => {
        const rows = await db.select().from(signups).where(eq(signups.email, email));
        return rows.map(toStoredSignup)[0];
      }),

    list: (after, limit) =>
      transaction(async (db) => {
        const isLater = gt(signups.email, after);
        const rows = db.select().from(signups).where(isLater).orderBy(signups.email).limit(limit);
        return (await rows).map(toStoredSignup);
      }),

    add: (rows) =>
      transaction(async (db) => {
        const added = db.insert(signups).values(rows.map(toRow)).onConflictDoNothing();
        return (await added.returning()).length;
      }),

    remove: (email) =>
      transaction(async (db) => {
        const removed = db.delete(signups).where(eq(signups.email, email));
        return (await removed.returning()).length > 0;
      }),

    tryWrite: () =>
      transaction(async (db) => {
        const nonce = `trial ${crypto.randomUUID()}`;
        await db.insert(usedNonces).values({ nonce, expiresAt: new Date(0) });
        await db.delete(usedNonces).where(eq(usedNonces.nonce, nonce));
      }),

    counter: (keys, expiresAt) =>
      counts.transaction(async (db) => {
        const expired = db
          .select({ key: rateCounts.key })
          .from(rateCounts)
          .where(lt(rateCounts.expiresAt, sql`now()`))
          .limit(COUNTS_PURGED_AT_ONCE)
          .for("update", { skipLocked: true });
        await db.delete(rateCounts).where(inArray(rateCounts.key, expired));
        const counted = await db
          .insert(rateCounts)
          // All servers lock the rows in one order, so that no two of them wait for each other.
          .values(keys.toSorted().map((key) => ({ key, count: 1, expiresAt })))
          .onConflictDoUpdate({
            target: rateCounts.key,
            set: { count: sql`${rateCounts.count} + 1` },
          })
          .returning();
        const countOf = new Map(counted.map(({ key, count }) => [key, count]));
        return keys.map((key) => countOf.get(key) ?? Number.POSITIVE_INFINITY);
      }),

    close: async () => {
      await Promise.all([close(), counts.close()]);
    },
    warnings: address.isRemote && config.ssl === false ? [notEncrypted(address)] : [],
  };
}

/** PostgreSQL rolls back a statement that takes longer. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** The database's clock counts: those of the servers may differ. */
const CLOCK = sql`clock_timestamp()`;

const notEncrypted = ({ title }: PostgresAddress): string =>
  `DATABASE_URL: the connection to PostgreSQL at ${title} is not encrypted: turn TLS on there, or use a private network`;

/** Each counted request deletes up to this many expired counts, more than it can add. */
const COUNTS_PURGED_AT_ONCE = 10;
