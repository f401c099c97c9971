import { and, count, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { ChallengeNonce } from "../challenge/challenge.ts";
import type { signups, usedNonces } from "./postgres-tables.ts";
import {
  endOfSync,
  isWaiting,
  newRow,
  PURGED_AT_ONCE,
  purgeBefore,
  toRow,
  toStoredSignup,
  toSyncState,
} from "./rows.ts";
import type { SignupStore } from "./signup-store.ts";

/** The query builder of PostgreSQL. SQLite's has the same methods, and its queries can be awaited too. */
export type Queries = PgDatabase<PgQueryResultHKT>;

/** All that differs between the databases. */
export interface Backend {
  readonly tables: { readonly signups: typeof signups; readonly usedNonces: typeof usedNonces };
  transaction<Value>(work: (db: Queries) => Promise<Value>): Promise<Value>;
  /** Runs queries that change nothing. They wait for no writer. */
  read<Value>(work: (db: Queries) => Promise<Value>): Promise<Value>;
  /** The time some milliseconds from now, by the clock that all servers of the database share. */
  readonly later: (ms: number, now: Date) => SQL;
  /** Ends a query for rows to delete, so that it skips those that another transaction deletes. */
  readonly skipLocked: SQL;
}

/** A lease that ends even later is from before the clock was set back. */
const LONGER_THAN_ANY_LEASE_MS = 60_000;

/** The part of the store whose queries are the same in either database. */
type StoreQueries = Omit<SignupStore, "tryWrite" | "watch" | "close" | "counter" | "warnings">;

export function storeQueries({
  tables: { signups, usedNonces },
  transaction,
  read,
  later,
  skipLocked,
}: Backend): StoreQueries {
  /** @returns false for a nonce that was used before. */
  const consumeNonce = async (db: Queries, nonce: ChallengeNonce, now: Date): Promise<boolean> => {
    const inserted = await db.insert(usedNonces).values(nonce).onConflictDoNothing().returning();
    const isOld = lt(usedNonces.expiresAt, purgeBefore(now));
    await db
      .delete(usedNonces)
      .where(
        sql`nonce IN (SELECT nonce FROM ${usedNonces} WHERE ${isOld} LIMIT ${PURGED_AT_ONCE} ${skipLocked})`,
      );
    return inserted.length === 1;
  };

  return {
    record: (signup, nonce, now) =>
      transaction(async (db) => {
        if (nonce && !(await consumeNonce(db, nonce, now))) return "replayed";
        const [row] = await db
          .insert(signups)
          .values(newRow(signup, now))
          // Changes nothing, but returns the existing row, also one that is being inserted now.
          .onConflictDoUpdate({ target: signups.email, set: { email: sql`excluded.email` } })
          .returning({ syncState: signups.syncState, listmonkId: signups.listmonkId });
        if (!row) throw new Error("The database returned no row for an upsert");
        return toSyncState(row);
      }),

    isUsed: (nonce) =>
      read(async (db) => {
        const used = await db.select().from(usedNonces).where(eq(usedNonces.nonce, nonce));
        return used.length > 0;
      }),

    lease: (email, ms, now) =>
      transaction(async (db) => {
        const isFree = or(
          isNull(signups.leasedUntil),
          lt(signups.leasedUntil, later(0, now)),
          gt(signups.leasedUntil, later(LONGER_THAN_ANY_LEASE_MS, now)),
        );
        const [row] = await db
          .update(signups)
          .set({ leasedUntil: later(ms, now) })
          .where(and(eq(signups.email, email), isFree))
          .returning();
        return row?.leasedUntil ? { state: toSyncState(row), until: row.leasedUntil } : undefined;
      }),

    endSync: (email, lease, result, now) =>
      transaction(async (db) => {
        const its = eq(signups.email, email);
        const end = endOfSync(lease, result, now);
        if (Object.keys(end).length > 0) await db.update(signups).set(end).where(its);
        const leased = and(its, eq(signups.leasedUntil, lease.until));
        await db.update(signups).set({ leasedUntil: null }).where(leased);
      }),

    count: () =>
      read(async (db) => {
        const [counted] = await db.select({ rows: count() }).from(signups);
        return counted?.rows ?? 0;
      }),

    countWaiting: () =>
      read(async (db) => {
        const [counted] = await db.select({ rows: count() }).from(signups).where(isWaiting);
        return counted?.rows ?? 0;
      }),

    find: (email) =>
      read(async (db) => {
        const [row] = await db.select().from(signups).where(eq(signups.email, email));
        return row && toStoredSignup(row);
      }),

    list: ({ after, limit, onlyWaiting }) =>
      read(async (db) => {
        const isLater = gt(signups.email, after);
        const rows = await db
          .select()
          .from(signups)
          .where(onlyWaiting ? and(isLater, isWaiting) : isLater)
          .orderBy(signups.email)
          .limit(limit);
        return rows.map(toStoredSignup);
      }),

    add: (rows) =>
      transaction(async (db) => {
        const added = db.insert(signups).values(rows.map(toRow)).onConflictDoNothing();
        return (await added.returning({ email: signups.email })).length;
      }),

    remove: (email) =>
      transaction(async (db) => {
        const removed = db.delete(signups).where(eq(signups.email, email));
        return (await removed.returning({ email: signups.email })).length > 0;
      }),

    ping: () =>
      read(async (db) => {
        await db.select({ email: signups.email }).from(signups).limit(1);
      }),
  };
}
