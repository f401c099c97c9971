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
  const client = new pg.Client(config);
  // A lost connection is reported by the query that fails.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN");
    await requireEncoding(client);
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

async function requireEncoding(client: pg.Client): Promise<void> {
  const shown = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = shown.rows[0]?.server_encoding ?? "";
  if (ENCODINGS.includes(encoding)) return;
  throw new Error(
    `its encoding is ${encoding}, which lacks letters that people write: make another one: createdb --template=template0 --encoding=UTF8 --locale=C NAME`,
  );
}

async function migrate(client: pg.Client, create: boolean): Promise<void> {
  const migrations = readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL("./migrations/postgres", import.meta.url)),
  });
  // Not to_regclass(), which may answer from a cache that is older than the lock.
  const { rowCount } = await client.query(
    "SELECT FROM pg_tables WHERE schemaname = 'handtools' AND tablename = 'migrations'",
  );
  const { rows } = rowCount
    ? await client.query<{ applied: number | null }>(
        "SELECT max(created_at)::float8 AS applied FROM handtools.migrations",
      )
    : { rows: [] };
  const applied = rows[0]?.applied ?? 0;
  if (applied === 0 && !create) throw new Error("it has no tables of handtools");
  if (applied > (migrations.at(-1)?.folderMillis ?? 0)) {
    throw new Error(
      "its tables were made by a newer version of handtools: start that version, or a newer one",
    );
  }
  if (applied === 0) await client.query(PREPARE);
  for (const { folderMillis, hash, sql } of migrations) {
    if (folderMillis <= applied) continue;
    for (const statement of sql) await client.query(statement);
    await client.query("INSERT INTO handtools.migrations (hash, created_at) VALUES ($1, $2)", [
      hash,
      folderMillis,
    ]);
  }
}

/** `CREATE SCHEMA IF NOT EXISTS` would need the right to make a schema even where it is there. */
const PREPARE = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'handtools') THEN
      CREATE SCHEMA handtools;
    END IF;
  END $$;
  CREATE TABLE IF NOT EXISTS handtools.migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`;
