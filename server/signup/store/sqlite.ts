import { Database } from "bun:sqlite";
import { setImmediate } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { guardFiles } from "./file-guard.ts";
import type { SignupStore } from "./signup-store.ts";
import { isLocked, prepareSqliteFile, truncateWal } from "./sqlite-file.ts";
import { signups, usedNonces } from "./sqlite-tables.ts";
import { type Backend, type Queries, storeQueries } from "./store-queries.ts";

/**
 * The store in a SQLite file, whose tables it brings up to date.
 *
 * @param database belongs to the store from now on, which closes it.
 */
export function sqliteStore(database: Database): SignupStore {
  prepareSqliteFile(database);
  // From here on the queue waits, and the server can do other work meanwhile.
  database.run("PRAGMA busy_timeout = 0");
  // In WAL mode this connection reads while the other writes, and sees no unfinished transaction.
  const readConnection = new Database(database.filename, { create: false, readwrite: true });
  const guard = guardFiles(database, readConnection);
  const inTurn = lockQueue();
  const [writer, reader] = [asQueries(database), asQueries(readConnection)];

  const queries = storeQueries({
    tables: TABLES,
    transaction: (work) =>
      inTurn(async () => {
        guard.require();
        // Takes the lock at once: SQLite cannot wait for one that is taken later.
        database.run("BEGIN IMMEDIATE");
        try {
          const value = await work(writer);
          database.run("COMMIT");
          return value;
        } catch (error) {
          // A full disk has ended it already.
          if (database.inTransaction) database.run("ROLLBACK");
          throw error;
        }
      }),
    read: async (work) => {
      guard.require();
      return work(reader);
    },
    later: (ms, now) => sql`${now.getTime() + ms}`,
    skipLocked: sql``,
  });
  return {
    ...queries,

    remove: async (email) => {
      const isRemoved = await queries.remove(email);
      // The write-ahead log still holds the row. It cannot be emptied while another process reads.
      for (let tries = 0; tries < EMPTY_TRIES && !truncateWal(database); tries += 1) {
        await Bun.sleep(RETRY_MS);
      }
      return isRemoved;
    },

    // It does not queue: while another transaction writes, the disk takes writes.
    tryWrite: async () => {
      guard.require();
      if (database.inTransaction) return;
      try {
        drizzle(database).transaction(
          (tx) => {
            tx.insert(usedNonces).values(PROBE_ROW).run();
            tx.delete(usedNonces).where(eq(usedNonces.nonce, PROBE_ROW.nonce)).run();
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
  };
}

/** SQLite's builders and tables have the methods and columns of PostgreSQL's, in other types. */
const asQueries = (database: Database): Queries => drizzle(database) as unknown as Queries;
const TABLES = { signups, usedNonces } as unknown as Backend["tables"];

const LOCK_TIMEOUT_MS = 2_000;

const RETRY_MS = 5;

/** How often a deletion tries to empty the log. */
const EMPTY_TRIES = 400;

/**
 * A queue of tasks that need the lock of a SQLite file, which another process may hold. The first
 * task in the queue tries again and again; SQLite's own wait would stop the whole server.
 *
 * @returns runs a task in its turn, and throws the error of its last try: SQLITE_BUSY when no task
 * of the queue has had the lock for two seconds.
 */
function lockQueue(): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  let freeAt = 0;

  const untilFree = async <Value>(task: () => Promise<Value>, since: number): Promise<Value> => {
    for (;;) {
      try {
        const value = await task();
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

/** A row for `tryWrite`, larger than a page of the file, so that it needs one of its own. */
const PROBE_ROW = { nonce: "trial".repeat(1_000), expiresAt: new Date(0) };
