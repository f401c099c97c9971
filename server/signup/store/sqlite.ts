import type { Database } from "bun:sqlite";
import { setImmediate } from "node:timers/promises";
import { and, count, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import type { SignupStore, SingleUse } from "../model.ts";
import { guardFiles } from "./file-guard.ts";
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
import { emptyLog, isLocked, prepareSqliteFile } from "./sqlite-file.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";

/**
 * The store in a SQLite file, whose tables it brings up to date.
 *
 * @param file belongs to the store from now on, which closes it.
 */
export function sqliteStore(file: Database): SignupStore {
  prepareSqliteFile(file);
  // From here on the queue waits, and the server can do other work meanwhile.
  file.run("PRAGMA busy_timeout = 0");
  const guard = guardFiles(file);
  const queue = lockQueue();
  const inTurn: typeof queue = (task) =>
    queue(() => {
      guard.require();
      return task();
    });
  return storeOf(drizzle(file), guard, inTurn);
}

const LOCK_TIMEOUT_MS = 2_000;

const RETRY_MS = 5;

/** The number of times that a deletion tries to empty the log. */
const EMPTY_TRIES = 400;

/**
 * A queue of tasks that need the lock of a SQLite file, which another process may hold. The first
 * task in the queue tries again and again; SQLite's own wait would stop the whole server.
 *
 * @returns runs a task in its turn, and throws the error of its last try: SQLITE_BUSY when no task
 * of the queue has had the lock for two seconds.
 */
function lockQueue(): <Value>(task: () => Value) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  let freeAt = 0;

  const untilFree = async <Value>(task: () => Value, since: number): Promise<Value> => {
    for (;;) {
      try {
        const value = task();
        freeAt = performance.now();
        return value;
      } catch (error) {
        const waited = performance.now() - Math.max(since, freeAt);
        if (!isLocked(error) || waited > LOCK_TIMEOUT_MS) throw error;
      }
      await Bun.sleep(RETRY_MS);
    }
  };
  return (task) => {
    const since = performance.now();
    const turn = last.then(() => untilFree(task, since));
    // Other work of the server runs between two tasks, however long the queue is.
    last = turn.catch(() => undefined).then(() => setImmediate());
    return turn;
  };
}

const storeOf = (
  db: BunSQLiteDatabase & { readonly $client: Database },
  guard: ReturnType<typeof guardFiles>,
  inTurn: ReturnType<typeof lockQueue>,
): SignupStore => ({
  record: (signup, use, now) =>
    inTurn(() =>
      db.transaction(
        (tx) => {
          if (use && !consumeNonce(tx, use, now)) return "replayed";
          const row = tx
            .insert(signups)
            .values(newRow(signup, now))
            // Changes nothing, but returns the existing row.
            .onConflictDoUpdate({ target: signups.email, set: { email: sql`excluded.email` } })
            .returning({ syncState: signups.syncState, listmonkId: signups.listmonkId })
            .get();
          return syncStateOf(row);
        },
        // Takes the lock at once: SQLite cannot wait for one that is taken later.
        { behavior: "immediate" },
      ),
    ),

  // Not in turn: a reader waits for no writer in WAL mode.
  isUsed: async (nonce) =>
    db.select().from(usedNonces).where(eq(usedNonces.nonce, nonce)).all().length > 0,

  lease: (email, ms, now) =>
    inTurn(() => {
      const its = eq(signups.email, email);
      const until = new Date(now.getTime() + ms);
      const free = or(isNull(signups.leasedUntil), lt(signups.leasedUntil, now));
      const row = db
        .update(signups)
        .set({ leasedUntil: until })
        .where(and(its, free))
        .returning()
        .get();
      if (row) return { state: syncStateOf(row), until };
      return db.select({ email: signups.email }).from(signups).where(its).get() && "taken";
    }),

  endSync: (email, lease, result, now) =>
    inTurn(() =>
      db.transaction(
        (tx) => {
          const its = eq(signups.email, email);
          const end = endOfSync(lease, result, now);
          if (Object.keys(end).length > 0) tx.update(signups).set(end).where(its).run();
          const leased = and(its, eq(signups.leasedUntil, lease.until));
          tx.update(signups).set({ leasedUntil: null }).where(leased).run();
        },
        { behavior: "immediate" },
      ),
    ),

  count: () => inTurn(() => db.select({ rows: count() }).from(signups).get()?.rows ?? 0),

  countWaiting: () =>
    inTurn(() => {
      const some = db.select({ email: signups.email }).from(signups).where(isPending);
      const counted = db.select({ rows: count() }).from(some.limit(COUNTED_WAITING).as("some"));
      return counted.get()?.rows ?? 0;
    }),

  find: (email) =>
    inTurn(() => {
      const row = db.select().from(signups).where(eq(signups.email, email)).get();
      return row && storedSignupOf(row);
    }),

  list: ({ after, limit, waiting }) =>
    inTurn(() => {
      const later = gt(signups.email, after);
      const rows = db
        .select()
        .from(signups)
        .where(waiting ? and(later, isPending) : later)
        .orderBy(signups.email)
        .limit(limit);
      return rows.all().map(storedSignupOf);
    }),

  add: (rows) =>
    inTurn(() => {
      const added = db.insert(signups).values(rows.map(rowOf)).onConflictDoNothing();
      return added.returning({ email: signups.email }).all().length;
    }),

  remove: async (email) => {
    const its = eq(signups.email, email);
    const removed = await inTurn(() =>
      db.delete(signups).where(its).returning({ email: signups.email }).all(),
    );
    // The log still holds the row as it was written. While another process reads, it stays.
    for (let tries = 0; tries < EMPTY_TRIES && !emptyLog(db.$client); tries += 1) {
      await Bun.sleep(RETRY_MS);
    }
    return removed.length > 0;
  },

  // Not in turn either.
  ping: async () => {
    guard.require();
    db.select({ email: signups.email }).from(signups).limit(1).all();
  },

  // Not in turn either: while another process writes, the disk takes writes.
  tryWrite: async () => {
    guard.require();
    try {
      db.transaction(
        (tx) => {
          tx.insert(usedNonces).values(TRIAL_ROW).run();
          tx.delete(usedNonces).where(eq(usedNonces.nonce, TRIAL_ROW.nonce)).run();
        },
        { behavior: "immediate" },
      );
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
  },

  watch: guard.watch,
  close: async () => guard.close(),
  warnings: [],
});

/** Larger than a page of the file, so that it needs one of its own. */
const TRIAL_ROW = { nonce: "trial".repeat(1_000), expiresAt: new Date(0) };

/** @returns false for a nonce that was used before. */
function consumeNonce(
  tx: Pick<BunSQLiteDatabase, "insert" | "delete" | "select">,
  use: SingleUse,
  now: Date,
): boolean {
  const inserted = tx.insert(usedNonces).values(use).onConflictDoNothing().returning().all();
  const old = tx
    .select({ nonce: usedNonces.nonce })
    .from(usedNonces)
    .where(lt(usedNonces.expiresAt, purgeBefore(now)))
    .limit(PURGED_AT_ONCE);
  tx.delete(usedNonces).where(inArray(usedNonces.nonce, old)).run();
  return inserted.length === 1;
}
