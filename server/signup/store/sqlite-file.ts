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
 * Checks and opens a SQLite file. If its last user did not close it, it is checked for damage.
 *
 * @param create whether to create a missing file, and to restrict the file to its owner.
 * @returns the database, and warnings for the operator.
 * @throws {Error} with a message for the operator.
 */
export function openSqliteFile(path: string, create: boolean) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found && !create) throw new Error("there is no such file");
  // Opening a pipe would wait for its writer.
  if (found && !found.isFile()) throw new Error("it is not a file");
  // SQLite copies the mode to the two files that it creates beside it.
  if (!found) appendFileSync(path, "", { mode: OWNER_ONLY });
  const parts = create ? [path, `${path}-wal`, `${path}-shm`] : [];
  const narrowed = parts.filter(restrictToOwner);
  // SQLite's own message would not give the reason.
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

/** Whether the header has WAL mode, which a copy by VACUUM INTO does not have. */
function isForWal(path: string): boolean {
  const header = Buffer.alloc(19);
  const file = openSync(path, "r");
  readSync(file, header);
  closeSync(file);
  return header[18] === 2;
}

const OWNER_ONLY = 0o600;

/** @returns whether other users could open the file. */
function restrictToOwner(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o007) === 0) return false;
  chmodSync(path, OWNER_ONLY);
  return true;
}

/** "hand" in ASCII. */
const APPLICATION_ID = 0x68616e64;

/**
 * Checks a file through a read-only connection: closing a writable one would apply the log, and a
 * stale log would destroy a restored file.
 *
 * @param isThorough whether to check for damage, including the indexes.
 * @throws {Error} for a foreign or damaged database.
 */
function inspectSqliteFile(path: string, isThorough: boolean): void {
  using database = new Database(path, { readonly: true });
  const [id, version, tables] = retryWhileLocked(() => firstRow(database, IDENTIFY_DATABASE));
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

/** One statement, because another process may be creating the tables. */
const IDENTIFY_DATABASE =
  "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version";

/** Returns the first row, and ends the statement: otherwise the connection would stay open. */
function firstRow(database: Database, sql: string): readonly unknown[] {
  using statement = database.prepare(sql);
  return statement.values()[0] ?? [];
}

/** drizzle-kit generates them. The build copies them into the package. */
const migrations = () =>
  readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL("./migrations/sqlite", import.meta.url)),
  });

/**
 * Configures a file, and applies the missing migrations in one transaction, one process at a time.
 * Drizzle's own migrator looks for missing migrations without a lock. `user_version` is the number of
 * applied migrations.
 */
export function prepareSqliteFile(database: Database): void {
  retryWhileLocked(() => database.run("PRAGMA journal_mode = WAL"));
  // An acknowledged signup survives a power cut.
  database.run("PRAGMA synchronous = FULL");
  // Overwrites deleted rows.
  database.run("PRAGMA secure_delete = ON");
  const migrate = database.transaction(() => {
    const all = migrations();
    const [applied] = firstRow(database, "PRAGMA user_version");
    const missing = all.slice(Number(applied));
    for (const statement of missing.flatMap(({ sql }) => sql)) database.run(statement);
    // Always written, so that a read-only file fails at startup, not at the first signup.
    database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.run(`PRAGMA user_version = ${all.length}`);
  });
  retryWhileLocked(migrate.immediate);
}

/**
 * Applies the write-ahead log to the file and empties it, because it contains deleted rows.
 *
 * @returns false if another connection is in the way.
 */
export const truncateWal = (database: Database): boolean =>
  firstRow(database, "PRAGMA wal_checkpoint(TRUNCATE)")[0] === 0;

/** How long startup may block for the lock; there are no requests yet. */
const BUSY_MS = 2_000;

const RETRY_PAUSE_MS = 10;

/** SQLite's own busy timeout does not cover several processes that switch a new file to WAL. */
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

/** Whether another process has locked the file. There are variants such as SQLITE_BUSY_RECOVERY. */
export const isLocked = (error: unknown): boolean =>
  getDatabaseErrorCode(error)?.startsWith("SQLITE_BUSY") === true;
