import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import type { PostgresAddress } from "./postgres-url.ts";

/**
 * Applies the missing migrations in one transaction, one process at a time. Drizzle's own migrator
 * always needs the privilege to create a schema, and looks for missing migrations without a lock.
 *
 * @param create whether to create missing tables.
 * @returns how to connect. It settles TLS, so that no later connection falls back to plain text.
 * @throws {Error} with a message for the operator.
 */
export async function migratePostgres(
  { config, mayBePlain }: Pick<PostgresAddress, "config" | "mayBePlain">,
  create: boolean,
): Promise<pg.ClientConfig> {
  // The driver warns that it will stop reading ~/.pgpass, which operators cannot act on.
  process.noDeprecation = true;
  const client = new pg.Client(config);
  // The failing query reports a lost connection.
  client.on("error", () => undefined);
  // The driver throws in an event handler if PostgreSQL asks for a login such as GSSAPI.
  const { promise: thrown, reject } = Promise.withResolvers<never>();
  process.once("uncaughtException", reject);
  try {
    await Promise.race([client.connect(), thrown]);
    await client.query("BEGIN; SET LOCAL row_security = off");
    // Not a session lock: a pooler would keep it.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('handtools migrations'))");
    await migrate(client, create);
    await client.query("COMMIT");
    return config;
  } catch (error) {
    if (!mayBePlain || !/does not support SSL/.test(String(error))) throw error;
  } finally {
    process.off("uncaughtException", reject);
    await client.end();
  }
  return await migratePostgres({ config: { ...config, ssl: false }, mayBePlain: false }, create);
}

/** The encodings that store any character; SQL_ASCII keeps bytes as they are. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

// Not to_regclass(), whose cache may be older than the lock.
const DATABASE_STATE =
  "SELECT current_setting('server_encoding') AS encoding, EXISTS (SELECT FROM pg_tables WHERE schemaname = 'handtools' AND tablename = 'migrations') AS is_made";

async function migrate(client: pg.Client, create: boolean): Promise<void> {
  const migrations = readMigrationFiles({
    migrationsFolder: fileURLToPath(new URL("./migrations/postgres", import.meta.url)),
  });
  const [state] = (await client.query<{ encoding: string; is_made: boolean }>(DATABASE_STATE)).rows;
  if (!ENCODINGS.includes(state?.encoding ?? "")) {
    throw new Error(
      `its encoding, ${state?.encoding}, lacks letters that people use; create another database: createdb --template=template0 --encoding=UTF8 --locale=C NAME`,
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
