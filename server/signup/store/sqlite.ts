import type { Database } from "bun:sqlite";
import { setImmediate } from "node:timers/promises";
import { and, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { guardFiles } from "./file-guard.ts";
import {
  isWaiting,
  PURGED_AT_ONCE,
  REMEMBERED_MS,
  toRow,
  toStoredSignup,
  toSyncOutcome,
  toSyncState,
} from "./signup-rows.ts";
import type { SignupStore } from "./signup-store.ts";
import { isLocked, prepareSqliteFile, truncateWal } from "./sqlite-file.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";

/**
 * The store in a SQLite file, whose tables it brings up to date. Each transaction runs without a
 * pause, so within this process nothing sees another that is unfinished.
 *
 * @param database belongs to the store from now on, which closes it.
 */
export function sqliteStore(database: Database, warnings: readonly string[] = []): SignupStore {
  prepareSqliteFile(database);
  const guard = guardFiles(database);
  const inTurn = lockQueue();
  const db = drizzle(database);
  const transaction = <Value>(work: () => Value): Value => {
    guard.require();
    // Takes the lock at once: SQLite cannot wait for one that is taken later.
    return database.transaction(work).immediate();
  };
  const write = <Value>(work: () => Value): Promise<Value> => inTurn(() => transaction(work));
  const read = async <Value>(query: () => Value): Promise<Awaited<Value>> => {
    guard.require();
    return await query();
  };

  return {
    record: (signup, nonce, now) =>
      write(() => {
        if (nonce) {
          const used = db.insert(usedNonces).values(nonce).onConflictDoNothing().returning().all();
          if (used.length === 0) return "replayed";
          const old = db
            .select({ nonce: usedNonces.nonce })
            .from(usedNonces)
            .where(lt(usedNonces.expiresAt, new Date(now.getTime() - REMEMBERED_MS)))
            .limit(PURGED_AT_ONCE);
          db.delete(usedNonces).where(inArray(usedNonces.nonce, old)).run();
        }
        db.insert(signups)
          .values(toRow({ ...signup, createdAt: now }))
          .onConflictDoNothing()
          .run();
        return toSyncState(db.select().from(signups).where(eq(signups.email, signup.email)).get());
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
        return row && { state: toSyncState(row), until };
      }),

    endSync: (email, lease, result, now) =>
      write(() => {
        const leased = and(eq(signups.email, email), eq(signups.leasedUntil, lease.until));
        db.update(signups)
          .set(toSyncOutcome(lease, result, now))
          .where(leased)
          .run();
      }),

    count: (onlyWaiting) => read(() => db.$count(signups, onlyWaiting ? isWaiting : undefined)),

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
      // The write-ahead log still holds the row. It cannot be emptied while another process reads.
      for (let tries = 0; tries < EMPTY_TRIES && !truncateWal(database); tries += 1) {
        await Bun.sleep(RETRY_MS);
      }
      return removed.length > 0;
    },

    // It does not queue: while another process writes, the disk takes writes.
    tryWrite: async () => {
      try {
        transaction(() => {
          const { nonce: email, expiresAt: createdAt } = PROBE_ROW;
          db.insert(usedNonces).values(PROBE_ROW).run();
          db.insert(signups).values({ email, createdAt, ctaSource: "", syncState: "synced" }).run();
          db.delete(usedNonces).where(eq(usedNonces.nonce, PROBE_ROW.nonce)).run();
          db.delete(signups).where(eq(signups.email, email)).run();
        });
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
    },

    watch: guard.watch,
    close: async () => guard.close(),
    warnings,
  };
}

const LOCK_TIMEOUT_MS = 2_000;

const RETRY_MS = 5;

/** How often a deletion tries to empty the log. */
const EMPTY_TRIES = 400;

/** A row for `tryWrite`, larger than a page of the file, so that it needs one of its own. */
const PROBE_ROW = { nonce: "trial".repeat(1_000), expiresAt: new Date(0) };

/**
 * A queue of tasks that need the lock of a SQLite file, which another process may hold. The first
 * task in the queue tries again and again; SQLite's own wait would stop the whole server.
 *
 * @returns runs a task in its turn, and throws SQLITE_BUSY when it has waited for two seconds.
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
    // Other work of the server runs between two tasks, however long the queue is.
    last = turn.catch(() => undefined).then(() => setImmediate());
    return turn;
  };
}
