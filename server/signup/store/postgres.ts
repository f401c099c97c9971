import { and, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { TOKEN_LIFETIME_MS } from "../challenge/challenge.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { postgresPool, silentConnections } from "./postgres-pool.ts";
import { rateCounts, signups, usedNonces } from "./postgres-tables.ts";
import type { PostgresAddress } from "./postgres-url.ts";
import {
  isPending,
  MAX_NONCES_PURGED,
  NONCE_RETENTION_MS,
  toRow,
  toStoredSignup,
  toSyncOutcome,
} from "./signup-rows.ts";
import { COUNT_TIMEOUT_MS, type SignupStore } from "./signup-store.ts";

/** Opens a PostgreSQL database. The next call replaces a lost connection. */
export async function openPostgres(
  address: PostgresAddress,
  create: boolean,
): Promise<SignupStore> {
  const config = await migratePostgres(address, create);
  // PostgreSQL accepts 100 connections by default. Each process uses six: four for signups, one for
  // counts, so that a flood does not delay signups, and one to check silent connections.
  const silent = silentConnections(config);
  const signupOptions = { connections: 4, statementMs: STATEMENT_TIMEOUT_MS };
  const { transaction, close } = postgresPool(config, silent, signupOptions);
  const counts = postgresPool(config, silent, { connections: 1, statementMs: COUNT_TIMEOUT_MS });

  return {
    record: (signup, nonce, now) =>
      transaction(async (db) => {
        if (nonce) {
          // If a server's clock is ahead, its challenges expire later than here.
          const expiresAt = sql`greatest(${nonce.expiresAt.toISOString()}, ${databaseTimeAfter(TOKEN_LIFETIME_MS)})`;
          const row = { nonce: nonce.nonce, expiresAt };
          const used = await db.insert(usedNonces).values(row).onConflictDoNothing().returning();
          if (used.length === 0) return false;
          const old = db
            .select({ nonce: usedNonces.nonce })
            .from(usedNonces)
            .where(lt(usedNonces.expiresAt, databaseTimeAfter(-NONCE_RETENTION_MS)))
            .limit(MAX_NONCES_PURGED)
            // Otherwise transactions that delete the same rows could deadlock.
            .for("update", { skipLocked: true });
          await db.delete(usedNonces).where(inArray(usedNonces.nonce, old));
        }
        const row = toRow({ ...signup, createdAt: now });
        await db.insert(signups).values(row).onConflictDoNothing();
        return true;
      }),

    isUsed: (nonce) =>
      transaction(async (db) => (await db.$count(usedNonces, eq(usedNonces.nonce, nonce))) > 0),

    lease: (email, ms) =>
      transaction(async (db) => {
        const isFree = or(isNull(signups.leasedUntil), lt(signups.leasedUntil, DATABASE_CLOCK));
        const [row] = await db
          .update(signups)
          .set({ leasedUntil: databaseTimeAfter(ms) })
          .where(and(eq(signups.email, email), isFree))
          .returning();
        if (!row?.leasedUntil) return undefined;
        return { synced: row.syncState === "synced", until: row.leasedUntil };
      }),

    endSync: (email, lease, result, now) =>
      transaction(async (db) => {
        const leased = and(eq(signups.email, email), eq(signups.leasedUntil, lease.until));
        await db
          .update(signups)
          .set(toSyncOutcome(lease, result, now))
          .where(leased);
      }),

    count: () => transaction(async (db) => await db.$count(signups)),

    countWaiting: () => transaction(async (db) => await db.$count(signups, isPending)),

    find: (email) =>
      transaction(async (db) => {
        const rows = await db.select().from(signups).where(eq(signups.email, email));
        return rows.map(toStoredSignup)[0];
      }),

    list: (lastEmail, limit) =>
      transaction(async (db) => {
        const isLater = gt(signups.email, lastEmail);
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
        // Everything that a signup writes, to notice missing privileges.
        const key = `trial ${crypto.randomUUID()}`;
        const createdAt = new Date(0);
        await db.insert(usedNonces).values({ nonce: key, expiresAt: createdAt });
        const row = { email: key, ctaSource: "", createdAt, syncState: "synced" as const };
        await db.insert(signups).values(row);
        await countOnce(db, [key], 0);
        await db.delete(usedNonces).where(eq(usedNonces.nonce, key));
        await db.delete(signups).where(eq(signups.email, key));
      }),

    counter: (keys, ms) => counts.transaction((db) => countOnce(db, keys, ms)),

    close: async () => {
      await Promise.all([close(), counts.close()]);
    },
    warnings: address.isRemote && config.ssl === false ? [notEncrypted(address)] : [],
  };
}

/** See `RateCounter`. */
async function countOnce(db: NodePgDatabase, keys: readonly string[], ms: number) {
  const expired = db
    .select({ key: rateCounts.key })
    .from(rateCounts)
    .where(lt(rateCounts.expiresAt, DATABASE_CLOCK))
    .limit(MAX_COUNTS_PURGED)
    .for("update", { skipLocked: true });
  await db.delete(rateCounts).where(inArray(rateCounts.key, expired));
  const isOver = lt(rateCounts.expiresAt, DATABASE_CLOCK);
  const counted = await db
    .insert(rateCounts)
    // All servers lock the rows in the same order, to prevent deadlocks.
    .values(keys.toSorted().map((key) => ({ key, count: 1, expiresAt: databaseTimeAfter(ms) })))
    .onConflictDoUpdate({
      target: rateCounts.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateCounts.count} + 1 END`,
        expiresAt: sql`CASE WHEN ${isOver} THEN excluded.expires_at ELSE ${rateCounts.expiresAt} END`,
      },
    })
    .returning();
  const countOf = new Map(counted.map(({ key, count }) => [key, count]));
  return keys.map((key) => countOf.get(key) ?? Number.POSITIVE_INFINITY);
}

const STATEMENT_TIMEOUT_MS = 5_000;

/** We use the database's clock, because the servers' clocks may differ. */
const DATABASE_CLOCK = sql`clock_timestamp()`;

const databaseTimeAfter = (ms: number) => sql`${DATABASE_CLOCK} + ${`${ms} ms`}::interval`;

const notEncrypted = ({ title }: PostgresAddress): string =>
  `DATABASE_URL: the connection to PostgreSQL at ${title} is not encrypted: turn TLS on there, or use a private network`;

/** More than a request can add. */
const MAX_COUNTS_PURGED = 10;
