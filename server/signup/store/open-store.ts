import type { Database } from "bun:sqlite";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemReason } from "../../../src/text.ts";
import { OperatorError } from "../../operator-error.ts";
import { codeOf, StoreError } from "../errors.ts";
import { openPostgres } from "./postgres.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import type { SignupStore } from "./signup-store.ts";
import { sqliteStore } from "./sqlite.ts";
import { closeToOthers, openSqliteFile } from "./sqlite-file.ts";

/**
 * Opens the database of addresses, and brings its tables up to date.
 *
 * @param databaseUrl `file:PATH` for SQLite, relative to the working directory, or `postgres://…`
 * @param create whether a missing database is made.
 * @throws {OperatorError} for a URL or a database that cannot be used.
 */
export async function openStore(databaseUrl: string, create = true): Promise<SignupStore> {
  const path = filePath(databaseUrl);
  if (path !== undefined) return openFile(path, create);
  const address = parsePostgresUrl(databaseUrl);
  if (typeof address === "string") throw failure(2, address);
  try {
    return await openPostgres(address, create);
  } catch (error) {
    throw failure(1, `PostgreSQL at ${address.title} cannot be used: ${reason(error)}`);
  }
}

/**
 * The path of a SQLite file, undefined for a URL of another database.
 *
 * @throws {OperatorError} for a path that cannot be used.
 */
function filePath(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith("file:")) return undefined;
  const given = databaseUrl.slice("file:".length);
  if (given === "") throw failure(2, "must name a file, such as file:handtools.sqlite");
  if (given.includes("?")) throw failure(2, "file:PATH takes no options; leave out what follows ?");
  return resolve(given);
}

function openFile(path: string, create: boolean): SignupStore {
  const folder = dirname(path);
  if (!existsSync(folder)) throw failure(1, `${folder}: there is no such folder; make it first`);
  let database: Database | undefined;
  try {
    // A command of the operator's leaves the modes to the server.
    const warnings = create ? closeToOthers(path) : [];
    database = openSqliteFile(path, create);
    return { ...sqliteStore(database), warnings };
  } catch (error) {
    database?.close();
    throw failure(1, fileProblem(path, error));
  }
}

/** An error of a SQLite file, in words for the operator. */
function fileProblem(path: string, error: unknown): string {
  if (error instanceof StoreError) return error.message;
  const denial = codeOf(error) === "SQLITE_CANTOPEN" ? findDenial(path) : undefined;
  const owner = codeOf(denial) === "EACCES" ? ": chown it to the user of the server" : "";
  return `${path} cannot be used as a SQLite database: ${reason(denial ?? error)}${owner}`;
}

/** Why the system denies a file that SQLite only says it cannot open. */
function findDenial(path: string): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return undefined;
  } catch (denial) {
    return denial;
  }
}

const failure = (exitCode: 1 | 2, problem: string): OperatorError =>
  new OperatorError(exitCode, [`DATABASE_URL: ${problem}`]);

/** The database's own message; drizzle's holds a whole query. */
function reason(error: unknown): string {
  const ofSystem = systemReason(error);
  if (ofSystem !== undefined) return ofSystem;
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reason(error.cause);
}
