import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StartupError } from "../../config.ts";
import type { SignupStore } from "../model.ts";
import { openPostgres } from "./postgres.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import { sqliteStore } from "./sqlite.ts";

/**
 * Opens the database of addresses, and brings its tables up to date.
 *
 * @param databaseUrl `file:PATH` for SQLite, relative to the working directory, or `postgres://…`
 * @throws {StartupError} for a URL or a database that cannot be used.
 */
export async function openStore(databaseUrl: string): Promise<SignupStore> {
  if (databaseUrl.startsWith("file:")) return openFile(databaseUrl.slice("file:".length));
  const address = parsePostgresUrl(databaseUrl);
  if (typeof address === "string") throw failure(2, address);
  try {
    return await openPostgres(address);
  } catch (error) {
    throw failure(1, `PostgreSQL at ${address.title} cannot be used: ${reason(error)}`);
  }
}

function openFile(given: string): SignupStore {
  if (given === "") throw failure(2, "must name a file, such as file:handtools.sqlite");
  if (given.includes("?")) throw failure(2, "file:PATH takes no options; leave out what follows ?");
  const path = resolve(given);
  const folder = dirname(path);
  if (!existsSync(folder)) throw failure(1, `${folder}: there is no such folder; make it first`);
  let file: Database | undefined;
  try {
    file = new Database(path);
    return sqliteStore(file);
  } catch (error) {
    file?.close();
    throw failure(1, `${path} cannot be used as a SQLite database: ${reason(error)}`);
  }
}

const failure = (exitCode: 1 | 2, problem: string): StartupError =>
  new StartupError(exitCode, [`DATABASE_URL: ${problem}`]);

/** The database's own message; drizzle's holds a whole query. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reason(error.cause);
}
