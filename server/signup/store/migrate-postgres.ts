import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import type { PostgresAddress } from "./postgres-url.ts";

/**
 * Applies the missing migrations in one transaction, so all or none of them. Processes that start
 * together take turns. drizzle's own migrator would ask for the right to create a schema also when
 * nothing is missing, and read what is missing before it has a lock.
 *
 * @param create whether the tables are made when there are none.
 * @returns how to connect. TLS is decided here once, so that no later connection falls back to none.
 * @throws {Error} in words for the operator.
 */
export async function migratePostgres(
  { config, mayBePlain }: Pick<PostgresAddress, "config" | "mayBePlain">,
  create: boolean,
): Promise<pg.ClientConfig> {
  // The driver warns that it will not read ~/.pgpass for ever, which is no news for an operator.
  process.noDeprecation = true;
  const client = new pg.Client(config);
  // A lost connection is reported by the query that fails.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN; SET LOCAL row_security = off");
    // It ends with the transaction: a lock that ends with the session stays in a pooler.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('handtools migrations'))");
    await migrate(client, create);
    await client.query("COMMIT");
    return config;
  } catch (error) {
    if (!mayBePlain || !/does not support SSL/.test(String(error))) throw error;
  } finally {
    await client.end();
  }
  return await migratePostgres({ config: { ...config, ssl: false }, mayBePlain: false }, create);
}

/** The encodings that keep any text; SQL_ASCII keeps the bytes that it is given. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

// Not to_regclass(), which may answer from a cache that is older than the lock.
const STATE =
  "SELECT current_setting('server_encoding') AS encoding, EXISTS (SELECT FROM pg_tables WHERE schemaname = 'handtools' AND tablename = 'migrations') AS is_made";

async function migrate(client: pg.Client, create: boolean): Promise<void> {
  const migrations = readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL("./migrations/postgres", import.meta.url)),
  });
  const [state] = (await client.query<{ encoding: string; is_made: boolean }>(STATE)).rows;
  if (!ENCODINGS.includes(state?.encoding ?? "")) {
    throw new Error(
      `its encoding is ${state?.encoding}, which lacks letters that people write: make another one: createdb --template=template0 --encoding=UTF8 --locale=C NAME`,
    );
  }
  if (!state?.is_made) {
    if (!create) throw new Error("it has no tables of handtools");
    await client.query(
      "CREATE SCHEMA IF NOT EXISTS handtools; CREATE TABLE handtools.migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)",
    );
  }
  const { rows } = await client.query<{ applied: number | null }>(
    "SELECT max(created_at)::float8 AS applied FROM handtools.migrations",
  );
  const applied = rows[0]?.applied ?? 0;
  if (applied > (migrations.at(-1)?.folderMillis ?? 0)) {
    throw new Error(
      "its tables were made by a newer version of handtools: start that version, or a newer one",
    );
  }
  for (const { folderMillis, hash, sql } of migrations) {
    if (folderMillis <= applied) continue;
    for (const statement of sql) await client.query(statement);
    await client.query("INSERT INTO handtools.migrations (hash, created_at) VALUES ($1, $2)", [
      hash,
      folderMillis,
    ]);
  }
}
