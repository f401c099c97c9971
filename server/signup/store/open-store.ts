import { resolve } from "node:path";
import { OperatorError } from "../../operator-error.ts";
import { openPostgres } from "./postgres.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import type { SignupStore } from "./signup-store.ts";
import { sqliteStore } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";

/**
 * Opens the database of addresses, and brings its tables up to date.
 *
 * @param databaseUrl `file:PATH` for SQLite, relative to the working directory, or `postgres://…`
 * @param create whether a missing database is made.
 * @throws {OperatorError} for a URL or a database that cannot be used.
 */
export async function openStore(databaseUrl: string, create = true): Promise<SignupStore> {
  if (databaseUrl.startsWith("file:")) {
    const path = resolve(databaseUrl.slice("file:".length));
    return await inWords(path, async () => sqliteStore(openSqliteFile(path, create)));
  }
  const address = parsePostgresUrl(databaseUrl);
  return await inWords(`PostgreSQL at ${address.title}`, () => openPostgres(address, create));
}

async function inWords<Value>(title: string, open: () => Promise<Value>): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new OperatorError(1, [`DATABASE_URL: ${title} cannot be used: ${reason}`]);
  }
}
