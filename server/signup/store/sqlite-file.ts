import { Database } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { codeOf, StoreError } from "../errors.ts";
import { migrationsFolder, TABLES } from "./rows.ts";

/**
 * Opens a SQLite file after checks. One whose last user did not close it is searched for damage.
 *
 * @param create whether a missing one is made.
 * @throws {StoreError} in words for the operator.
 */
export function openSqliteFile(path: string, create: boolean): Database {
  if (!existsSync(path)) {
    if (!create) throw new StoreError("sqlite-missing", `there is no database at ${path}`);
    // SQLite gives the mode of this file to the two that it puts beside it.
    closeSync(openSync(path, "w", OWNER_ONLY));
  }
  // A pipe would wait for its writer when it is opened.
  if (!statSync(path).isFile()) throw new StoreError("sqlite-no-file", `${path} is not a file`);
  const hasLog = fileSize(`${path}-wal`) > 0;
  if (hasLog && !isInWalMode(path)) {
    throw new StoreError(
      "sqlite-stale-log",
      `${path} was restored beside ${path}-wal, which belongs to another state: move ${path}-wal and ${path}-shm away`,
    );
  }
  inspectSqliteFile(path, hasLog);
  return new Database(path, { create: false, readwrite: true });
}

/**
 * Looks at a file and changes nothing: a connection that may write moves the log into the file when
 * it is closed, and a wrong log would destroy a file that was well restored.
 *
 * @param isThorough searches it for damage, also in its indexes.
 * @throws {StoreError} for a database that is not ours, not whole, or damaged.
 */
function inspectSqliteFile(path: string, isThorough: boolean): void {
  using database = new Database(path, { readonly: true });
  database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  // In one transaction: between two reads another process may make the tables of a new file.
  whenUnlocked(database.transaction(() => identify(database, path)));
  const found = isThorough ? singleValue(database, "PRAGMA integrity_check(1)") : "ok";
  if (found === "ok") return;
  throw new StoreError("sqlite-damaged", `${path} is damaged: restore a backup (${found})`);
}

const OWNER_ONLY = 0o600;

/** How long the start waits for the lock, in milliseconds; there are no requests yet. */
const BUSY_MS = 2_000;

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** True if the header says so. A file that the store has opened is in WAL mode, a copy by VACUUM INTO is not. */
function isInWalMode(path: string): boolean {
  const header = Buffer.alloc(20);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header[18] === 2;
}

/** "hand" in ASCII: the mark of a database of handtools. */
const APPLICATION_ID = 0x68616e64;

/**
 * @returns how many migrations are applied.
 * @throws {StoreError} for a database that is not ours, or not whole.
 */
function identify(database: Database, path: string): number {
  const id = singleValue(database, "PRAGMA application_id");
  const version = Number(singleValue(database, "PRAGMA user_version"));
  const list = "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'";
  const tables = String(singleValue(database, list) ?? "")
    .split(",")
    .filter(Boolean);
  const missing = TABLES.find((table) => !tables.includes(table));
  if (id === 0 && tables.length === 0) return 0;
  if (id !== APPLICATION_ID)
    throw new StoreError("sqlite-foreign", `${path} is the database of another program`);
  if (version > migrations().length) {
    throw new StoreError(
      "sqlite-newer",
      `${path} was made by a newer version of handtools: start that version, or a newer one`,
    );
  }
  if (missing === undefined) return version;
  throw new StoreError(
    "sqlite-incomplete",
    `${path} is incomplete: the table ${missing} is missing; restore a backup`,
  );
}

/** The one value of a query. Its statement is ended: an open one would keep the connection open. */
function singleValue(database: Database, sql: string): unknown {
  using statement = database.prepare(sql);
  return statement.values()[0]?.[0];
}

const migrations = () => readMigrationFiles({ migrationsFolder: migrationsFolder("sqlite") });

/**
 * Makes a file ready for the store: its journal, its durability, and the missing migrations, all or
 * none of them. Processes that start together take turns; drizzle's own migrator would look for
 * the missing ones before it takes the lock. SQLite's `user_version` holds the number of applied
 * migrations.
 */
export function prepareSqliteFile(database: Database): void {
  const path = database.filename;
  database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  // When several processes switch a new file to WAL, SQLite fails all but one at once, ignoring the
  // busy timeout.
  whenUnlocked(() => database.run("PRAGMA journal_mode = WAL"));
  // An acknowledged signup survives a power cut.
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA foreign_keys = ON");
  // A deleted row is overwritten, not only forgotten.
  database.run("PRAGMA secure_delete = ON");
  database
    .transaction(() => {
      const applied = identify(database, path);
      const missing = migrations().slice(applied);
      for (const statement of missing.flatMap(({ sql }) => sql)) database.run(statement);
      // Written also when they do not change: a read-only file must stop the start here, not every
      // signup later.
      database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.run(`PRAGMA user_version = ${applied + missing.length}`);
    })
    .immediate();
}

/** The rights of all but the owner and the group. */
const OTHERS = 0o007;

/**
 * Closes a file to other users, with the two that SQLite puts beside it.
 *
 * @returns warnings for the operator.
 * @throws {StoreError} when it stays open to them.
 */
export function closeToOthers(path: string): string[] {
  const isOpen = (part: string): boolean => (fileMode(part) & OTHERS) !== 0;
  // Windows has no such modes.
  if (process.platform === "win32") return [];
  const open = [path, `${path}-wal`, `${path}-shm`].filter(isOpen);
  return open.map((part) => {
    const mode = fileMode(part).toString(8);
    try {
      chmodSync(part, OWNER_ONLY);
    } catch {
      // Only the owner of the file may change its mode.
    }
    if (!isOpen(part)) return `${part} was open to other users (mode ${mode}): its mode is 600 now`;
    throw new StoreError(
      "sqlite-open-to-others",
      `${part} is open to other users (mode ${mode}) and belongs to another: chown it to the user of the server`,
    );
  });
}

/** The mode of a file; 0 for a device, which is nobody's to close. */
function fileMode(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() ? status.mode & 0o777 : 0;
}

/**
 * Moves the write-ahead log into the file, and empties it: it holds rows as they were written.
 *
 * @returns false when another connection was in the way.
 */
export const truncateWal = (database: Database): boolean =>
  singleValue(database, "PRAGMA wal_checkpoint(TRUNCATE)") === 0;

const PAUSE_MS = 10;

function whenUnlocked<Value>(task: () => Value): Value {
  const end = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return task();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    Bun.sleepSync(PAUSE_MS);
  }
}

/** True if another process has locked the file: SQLITE_BUSY or a kind of it, such as SQLITE_BUSY_RECOVERY. */
export const isLocked = (error: unknown): boolean =>
  codeOf(error)?.startsWith("SQLITE_BUSY") === true;
