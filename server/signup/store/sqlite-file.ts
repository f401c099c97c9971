import { Database } from "bun:sqlite";
import {
  accessSync,
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { getDatabaseErrorCode } from "../signup-errors.ts";

/**
 * Opens a SQLite file after checks. One whose last user did not close it is searched for damage.
 *
 * @param create whether a missing one is made, and one of the server closed to other users.
 * @returns the database, and warnings for the operator.
 * @throws {Error} in words for the operator.
 */
export function openSqliteFile(path: string, create: boolean) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found && !create) throw new Error("there is no such file");
  // A pipe would wait for its writer when it is opened.
  if (found && !found.isFile()) throw new Error("it is not a file");
  // SQLite gives the mode of this file to the two that it puts beside it.
  if (!found) appendFileSync(path, "", { mode: OWNER_ONLY });
  const parts = create ? [path, `${path}-wal`, `${path}-shm`] : [];
  const narrowed = parts.filter(restrictToOwner);
  // SQLite itself would only say that it cannot open a database file.
  for (const place of [path, dirname(path)]) accessSync(place, constants.R_OK | constants.W_OK);
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && !isForWal(path)) {
    throw new Error(
      `it was restored beside ${path}-wal, which belongs to another state: move ${path}-wal and ${path}-shm away`,
    );
  }
  inspectSqliteFile(path, hasLog);
  return {
    database: new Database(path, { create: false, readwrite: true }),
    warnings: narrowed.map(
      (part) => `DATABASE_URL: other users could open ${part}: its mode is 0600 from now on`,
    ),
  };
}

/** The header of a file that the store has opened is for WAL mode, that of a copy by VACUUM INTO is not. */
function isForWal(path: string): boolean {
  const header = Buffer.alloc(19);
  const file = openSync(path, "r");
  readSync(file, header);
  closeSync(file);
  return header[18] === 2;
}

const OWNER_ONLY = 0o600;

/** @returns whether others could open the file. */
function restrictToOwner(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o007) === 0) return false;
  chmodSync(path, OWNER_ONLY);
  return true;
}

/** "hand" in ASCII: the mark of a database of handtools. */
const APPLICATION_ID = 0x68616e64;

/**
 * Looks at a file and changes nothing: a connection that may write moves the log into the file when
 * it is closed, and a wrong log would destroy a file that was well restored.
 *
 * @param isThorough searches it for damage, also in its indexes.
 * @throws {Error} for a database that is not ours, or damaged.
 */
function inspectSqliteFile(path: string, isThorough: boolean): void {
  using database = new Database(path, { readonly: true });
  const [id, version, tables] = retryWhileLocked(() => firstRow(database, IDENTIFY));
  if (id !== APPLICATION_ID && (id !== 0 || tables !== 0)) {
    throw new Error("it is the database of another program");
  }
  if (Number(version) > migrations().length) {
    throw new Error(
      "it was made by a newer version of handtools: start that version, or a newer one",
    );
  }
  const [problem] = isThorough ? firstRow(database, "PRAGMA integrity_check(1)") : ["ok"];
  if (problem !== "ok") throw new Error(`it is damaged: restore a backup (${problem})`);
}

/** In one statement: between two, another process may make the tables of a new file. */
const IDENTIFY =
  "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version";

/** The first row of a query. Its statement is ended: an open one would keep the connection open. */
function firstRow(database: Database, sql: string): readonly unknown[] {
  using statement = database.prepare(sql);
  return statement.values()[0] ?? [];
}

/** drizzle-kit generates them. They are beside this file, also in the package. */
const migrations = () =>
  readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL("./migrations/sqlite", import.meta.url)),
  });

/**
 * Makes a file ready for the store: its journal, its durability, and the missing migrations, all or
 * none of them. Processes that start together take turns; drizzle's own migrator would look for
 * the missing ones before it takes the lock. SQLite's `user_version` holds the number of applied
 * migrations.
 */
export function prepareSqliteFile(database: Database): void {
  retryWhileLocked(() => database.run("PRAGMA journal_mode = WAL"));
  // An acknowledged signup survives a power cut.
  database.run("PRAGMA synchronous = FULL");
  // A deleted row is overwritten, not only forgotten.
  database.run("PRAGMA secure_delete = ON");
  const migrate = database.transaction(() => {
    const all = migrations();
    const [applied] = firstRow(database, "PRAGMA user_version");
    const missing = all.slice(Number(applied));
    for (const statement of missing.flatMap(({ sql }) => sql)) database.run(statement);
    // Written also when they do not change: a read-only file must stop the start here, not every
    // signup later.
    database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.run(`PRAGMA user_version = ${all.length}`);
  });
  retryWhileLocked(migrate.immediate);
}

/**
 * Moves the write-ahead log into the file, and empties it: it holds rows as they were written.
 *
 * @returns false when another connection was in the way.
 */
export const truncateWal = (database: Database): boolean =>
  firstRow(database, "PRAGMA wal_checkpoint(TRUNCATE)")[0] === 0;

/** How long the start waits for the lock, in milliseconds; there are no requests yet. */
const BUSY_MS = 2_000;

const RETRY_PAUSE_MS = 10;

/** SQLite's own wait does not wait where several processes switch a new file to WAL. */
function retryWhileLocked<Value>(task: () => Value): Value {
  const end = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return task();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    Bun.sleepSync(RETRY_PAUSE_MS);
  }
}

/** True if another process has locked the file: SQLITE_BUSY or a kind of it, such as SQLITE_BUSY_RECOVERY. */
export const isLocked = (error: unknown): boolean =>
  getDatabaseErrorCode(error)?.startsWith("SQLITE_BUSY") === true;
