import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { count, eq, inArray, lt, sql } from "drizzle-orm";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { StoreFault } from "../errors.ts";
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

/** Whether others have a SQLite file: SQLITE_BUSY or one of its kinds, such as SQLITE_BUSY_RECOVERY. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("SQLITE_BUSY");

/** The file may be locked by others for so long before whoever waits for it gives up. */
const PATIENCE_MS = 2_000;

const RETRY_MS = 5;

/**
 * A queue for what needs the lock of a SQLite file, which other processes may have. Only the first
 * in it tries, again and again; the wait that SQLite has built in would stop the whole server.
 *
 * @returns runs a task in its turn, and throws what its last try has thrown: SQLITE_BUSY when
 * nobody in the queue has had the lock for two seconds.
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
    // Between two of them everything else has its turn, however long the queue is.
    last = turn.catch(() => undefined).then(() => setImmediate());
    return turn;
  };
}

/**
 * Applies the migrations that the file lacks, all or none of them. Processes that start together
 * take turns; drizzle's own migrator looks what is missing before it takes the lock. How many
 * are applied is kept in SQLite's `user_version`.
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
      // Also when it stays as it is: a file that can only be read must stop the start here, not
      // every signup later.
      tx.run(sql.raw(`PRAGMA user_version = ${applied + missing.length}`));
    },
    { behavior: "immediate" },
  );
}

/**
 * SQLite goes on writing to a file that was removed or replaced meanwhile: what is acknowledged
 * then would be lost.
 *
 * @returns what throws when the path no longer names the file that it names now.
 */
function guardAgainstMove(path: string): () => void {
  const { dev, ino } = statSync(path);
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === ino && found.dev === dev) return;
    throw new StoreFault(
      "sqlite-file-replaced",
      "the SQLite file was removed or replaced; start the server again",
    );
  };
}

/** At the start nobody is kept waiting but us. */
const START_BUSY_MS = 2_000;
const PAUSE_MS = 10;

/**
 * The store in a SQLite file, whose tables it brings up to date.
 *
 * @param file is the store's from now on, which closes it.
 */
export function sqliteStore(file: Database): SignupStore {
  file.run(`PRAGMA busy_timeout = ${START_BUSY_MS}`);
  switchToWal(file);
  // What was acknowledged outlives a power cut.
  file.run("PRAGMA synchronous = FULL");
  file.run("PRAGMA foreign_keys = ON");
  const db = drizzle(file);
  migrateSqlite(db);
  // From here on the queue waits, which lets the server go on.
  file.run("PRAGMA busy_timeout = 0");
  return storeOf(db, guardAgainstMove(file.filename), lockQueue());
}

/** Of several that switch a new file at once SQLite refuses all but one, without any waiting. */
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
          if (use && !burn(tx, use, now)) return "replayed";
          const row = tx
            .insert(signups)
            .values(newRow(signup, now))
            // Changes nothing, but gives the row that is there.
            .onConflictDoUpdate({ target: signups.email, set: { email: sql`excluded.email` } })
            .returning({ syncState: signups.syncState, listmonkId: signups.listmonkId })
            .get();
          return syncStateOf(row);
        },
        // The lock at once: one that is taken later cannot be waited for.
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
});

/** @returns whether the nonce had not been used before. */
function burn(
  tx: Pick<BunSQLiteDatabase, "insert" | "delete" | "select">,
  use: SingleUse,
  now: Date,
): boolean {
  const burnt = tx.insert(usedNonces).values(use).onConflictDoNothing().returning().all();
  const old = tx
    .select({ nonce: usedNonces.nonce })
    .from(usedNonces)
    .where(lt(usedNonces.expiresAt, purgeBefore(now)))
    .limit(PURGED_AT_ONCE);
  tx.delete(usedNonces).where(inArray(usedNonces.nonce, old)).run();
  return burnt.length === 1;
}
