import type { Database } from "bun:sqlite";
import { setImmediate } from "node:timers/promises";
import { and, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { guardFiles } from "./file-guard.ts";
import {
  isPending,
  MAX_NONCES_PURGED,
  NONCE_RETENTION_MS,
  toRow,
  toStoredSignup,
  toSyncOutcome,
} from "./signup-rows.ts";
import type { SignupStore } from "./signup-store.ts";
import { isLocked, prepareSqliteFile, truncateWal } from "./sqlite-file.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";

/**
 * Opens the store in a SQLite file, and updates its tables. Each transaction runs synchronously, so
 * this process never sees an unfinished one.
 *
 * @param database closed by the store.
 */
export function sqliteStore(database: Database, warnings: readonly string[] = []): SignupStore {
  prepareSqliteFile(database);
  const guard = guardFiles(database);
  const inTurn = lockQueue();
  const db = drizzle(database);
  const write = <Value>(work: () => Value): Promise<Value> =>
    inTurn(() => {
      guard.require();
      // Locks now: SQLite cannot wait for a lock later in the transaction.
      return database.transaction(work).immediate();
    });
  const read = async <Value>(query: () => Value): Promise<Awaited<Value>> => {
    guard.require();
    return await query();
  };

  return {
    record: (signup, nonce, now) =>
      write(() => {
        if (nonce) {
          const used = db.insert(usedNonces).values(nonce).onConflictDoNothing().returning().all();
          if (used.length === 0) return false;
          const old = db
            .select({ nonce: usedNonces.nonce })
            .from(usedNonces)
            .where(lt(usedNonces.expiresAt, new Date(now.getTime() - NONCE_RETENTION_MS)))
            .limit(MAX_NONCES_PURGED);
          db.delete(usedNonces).where(inArray(usedNonces.nonce, old)).run();
        }
        db.insert(signups)
          .values(toRow({ ...signup, createdAt: now }))
          .onConflictDoNothing()
          .run();
        return true;
      }),

    isUsed: async (nonce) =>
      (await read(() => db.$count(usedNonces, eq(usedNonces.nonce, nonce)))) > 0,

    lease: (email, ms, now) =>
      write(() => {
        const until = new Date(now.getTime() + ms);
        const isFree = or(isNull(signups.leasedUntil), lt(signups.leasedUntil, now));
        const [row] = db
          .update(signups)
          .set({ leasedUntil: until })
          .where(and(eq(signups.email, email), isFree))
          .returning()
          .all();
        return row && { synced: row.syncState === "synced", until };
      }),

    endSync: (email, lease, result, now) =>
      write(() => {
        const leased = and(eq(signups.email, email), eq(signups.leasedUntil, lease.until));
        db.update(signups)
          .set(toSyncOutcome(lease, result, now))
          .where(leased)
          .run();
      }),

    count: () => read(() => db.$count(signups)),

    countWaiting: () => read(() => db.$count(signups, isPending)),

    find: (email) =>
      read(
        () =>
          db.select().from(signups).where(eq(signups.email, email)).all().map(toStoredSignup)[0],
      ),

    list: (after, limit) =>
      read(() => {
        const isLater = gt(signups.email, after);
        const rows = db.select().from(signups).where(isLater).orderBy(signups.email).limit(limit);
        return rows.all().map(toStoredSignup);
      }),

    add: (rows) =>
      write(() => {
        const added = db.insert(signups).values(rows.map(toRow)).onConflictDoNothing();
        return added.returning().all().length;
      }),

    remove: async (email) => {
      const removed = await write(() =>
        db.delete(signups).where(eq(signups.email, email)).returning().all(),
      );
      // The log still contains the row, and cannot be emptied while another process reads.
      for (let tries = 0; tries < EMPTY_TRIES && !truncateWal(database); tries += 1) {
        await Bun.sleep(RETRY_MS);
      }
      return removed.length > 0;
    },

    tryWrite: () =>
      write(() => {
        const { nonce: email, expiresAt: createdAt } = PROBE_ROW;
        db.insert(usedNonces).values(PROBE_ROW).run();
        db.insert(signups).values({ email, createdAt, ctaSource: "", syncState: "synced" }).run();
        db.delete(usedNonces).where(eq(usedNonces.nonce, PROBE_ROW.nonce)).run();
        db.delete(signups).where(eq(signups.email, email)).run();
      }),

    watch: guard.watch,
    close: async () => guard.close(),
    warnings,
  };
}

const LOCK_TIMEOUT_MS = 2_000;

const RETRY_MS = 5;

const EMPTY_TRIES = 400;

/** Larger than a page, so that `tryWrite` needs a new page. */
const PROBE_ROW = { nonce: "trial".repeat(1_000), expiresAt: new Date(0) };

/**
 * Creates a queue of tasks that need the lock of a SQLite file, which another process may hold. The
 * first task polls for it, because SQLite's own wait would block the whole server.
 *
 * @returns a function that runs a task in turn. It throws SQLITE_BUSY after two seconds.
 */
function lockQueue(): <Value>(task: () => Value) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const end = performance.now() + LOCK_TIMEOUT_MS;
    const turn = last.then(async () => {
      for (;;) {
        try {
          return task();
        } catch (error) {
          if (!isLocked(error) || performance.now() > end) throw error;
        }
        await Bun.sleep(RETRY_MS);
      }
    });
    // A long queue must not block the rest of the server.
    last = turn.catch(() => undefined).then(() => setImmediate());
    return turn;
  };
}
