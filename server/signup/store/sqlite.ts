import type { Database } from "bun:sqlite";
import { count, eq, inArray, lt, sql } from "drizzle-orm";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import type { SignupStore, SingleUse } from "../ports.ts";
import { isLocked } from "./is-locked.ts";
import { lockQueue } from "./lock-queue.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { guardAgainstMove } from "./moved-file.ts";
import { PURGED_AT_ONCE, purgeBefore } from "./purge.ts";
import { newRow, storedSignupOf, syncStateOf } from "./row.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";

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
