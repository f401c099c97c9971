import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../errors.ts";
import { inspectSqliteFile, openSqliteFile, singleValue } from "./sqlite-file.ts";

/**
 * Copies a database that may be in use into a new file, as SQLite's VACUUM INTO does: one state of
 * it, without what was deleted, and not in WAL mode.
 *
 * @throws {StoreError} in words for the operator; then there is no copy.
 */
export function backUpSqlite(path: string, target: string): void {
  using file = openSqliteFile(path, { create: false, check: true });
  if (existsSync(target))
    throw new StoreError("backup-exists", `${target}: exists already; name a new file`);
  const folder = dirname(target);
  if (!existsSync(folder)) {
    throw new StoreError("backup-folder", `${folder}: there is no such folder; make it first`);
  }
  const partial = `${target}.partial`;
  try {
    // SQLite writes into an empty file, and so keeps its mode.
    closeSync(openSync(partial, "w", 0o600));
    file.run("VACUUM INTO ?", [partial]);
    verifySqlite(partial);
    // Windows writes to the disk only what may be changed.
    const descriptor = openSync(partial, "r+");
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Searches a database for damage, also in its indexes.
 *
 * @returns how many signups it holds.
 * @throws {StoreError} in words for the operator.
 */
export function verifySqlite(path: string): number {
  if (!existsSync(path)) throw new StoreError("sqlite-missing", `there is no database at ${path}`);
  const { isEmpty } = inspectSqliteFile(path, true);
  if (isEmpty) throw new StoreError("sqlite-incomplete", `${path} is empty`);
  using file = new Database(path, { readonly: true });
  return Number(singleValue(file, "SELECT count(*) FROM signups"));
}
