import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { count, eq, inArray, lt, sql } from "drizzle-orm";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { codeOf, StoreError } from "../errors.ts";
import type { SignupStore, SingleUse } from "../model.ts";
import {
  migrationsFolder,
  newRow,
  PURGED_AT_ONCE,
  purgeBefore,
  storedSignupOf,
  syncStateOf,
} from "./rows.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";

/** How long the start waits for the lock; no request waits then. */
const START_BUSY_MS = 2_000;

/**
 * The store in a SQLite file, whose tables it brings up to date.
 *
 * @param file belongs to the store from now on, which closes it.
 */
export function sqliteStore(file: Database): SignupStore {
  file.run(`PRAGMA busy_timeout = ${START_BUSY_MS}`);
  switchToWal(file);
  // An acknowledged signup survives a power cut.
  file.run("PRAGMA synchronous = FULL");
  file.run("PRAGMA foreign_keys = ON");
  const db = drizzle(file);
  migrateSqlite(db);
  // From here on the queue waits, and the server can do other work meanwhile.
  file.run("PRAGMA busy_timeout = 0");
  return storeOf(db, assertSameFile(file.filename), lockQueue());
}

const PAUSE_MS = 10;

/** When several processes switch a new file to WAL, SQLite fails all but one at once, ignoring the busy timeout. */
function switchToWal(file: Database): void {
  const end = performance.now() + START_BUSY_MS;
  for (;;) {
    try {
      file.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    Bun.sleepSync(PAUSE_MS);
  }
}

/** Whether another process has locked the file: SQLITE_BUSY or a kind of it, such as SQLITE_BUSY_RECOVERY. */
const isLocked = (error: unknown): boolean => codeOf(error)?.startsWith("SQLITE_BUSY") === true;

/**
 * Applies the missing migrations, all or none of them. Processes that start together take turns;
 * drizzle's own migrator would look for the missing ones before it takes the lock. SQLite's
 * `user_version` holds the number of applied migrations.
 */
function migrateSqlite(db: BunSQLiteDatabase): void {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsFolder("sqlite") });
  db.transaction(
    (tx) => {
      const [row] = tx.all<{ user_version: number }>(sql`PRAGMA user_version`);
      const applied = row?.user_version ?? 0;
      const missing = migrations.slice(applied);
      for (const statement of missing.flatMap((migration) => migration.sql)) {
        tx.run(sql.raw(statement));
      }
      // Written also when it does not change: a read-only file must stop the start here, not every
      // signup later.
      tx.run(sql.raw(`PRAGMA user_version = ${applied + missing.length}`));
    },
    { behavior: "immediate" },
  );
}

/**
 * SQLite goes on writing to a file that was removed or replaced meanwhile, so signups would be
 * acknowledged and lost.
 *
 * @returns throws when the path no longer names the file that it names now.
 */
function assertSameFile(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === ino && found.dev === dev) return;
    throw new StoreError(
      "sqlite-file-replaced",
      "the SQLite file was removed or replaced; start the server again",
    );
  };
}

/** A task gives up after waiting this long for the lock. */
const PATIENCE_MS = 2_000;

const RETRY_MS = 5;

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
        if (!isLocked(error) || waited > PATIENCE_MS) throw error;
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
  requireFile: () => void,
  inTurn: ReturnType<typeof lockQueue>,
): SignupStore => ({
  record: (signup, use, now) =>
    inTurn(() =>
      db.transaction(
        (tx) => {
          requireFile();
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

  markSynced: (email, listmonkId, now) =>
    inTurn(() => {
      db.update(signups)
        .set({ syncState: "synced", syncedAt: now, listmonkId })
        .where(eq(signups.email, email))
        .run();
    }),

  count: () => inTurn(() => db.select({ rows: count() }).from(signups).get()?.rows ?? 0),

  find: (email) =>
    inTurn(() => {
      const row = db.select().from(signups).where(eq(signups.email, email)).get();
      return row && storedSignupOf(row);
    }),

  remove: (email) =>
    inTurn(() => {
      const its = eq(signups.email, email);
      return db.delete(signups).where(its).returning({ email: signups.email }).all().length > 0;
    }),

  close: async () => db.$client.close(),
  warnings: [],
});

/** @returns whether the nonce had not been used before. */
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
