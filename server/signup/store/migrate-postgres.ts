import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { codeOf } from "../errors.ts";
import { migrationsFolder, TABLES } from "./rows.ts";

/** How long to wait for another process that migrates. */
const LOCK_SECONDS = 5;

/**
 * Applies the missing migrations in one transaction, so all or none of them. Processes that start
 * together take turns. drizzle's own migrator would ask for the right to create a schema also when
 * nothing is missing, and read what is missing before it has a lock.
 *
 * @param create whether the tables are made when there are none.
 * @throws {Error} in words for the operator.
 */
export async function migratePostgres(config: pg.ClientConfig, create: boolean): Promise<void> {
  const client = new pg.Client(config);
  // A lost connection is reported by the query that fails.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("BEGIN");
    await migrate(client, create);
    await client.query("COMMIT");
  } catch (error) {
    throw inWords(error);
  } finally {
    await client.end();
  }
}

const NEEDS_TRANSACTIONS =
  "the pooler before it gives each statement to another connection, and a signup is one transaction: set pool_mode = transaction in pgbouncer";

/** The error in words, by PostgreSQL's codes. pgbouncer has no code for its mode. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (error.message.includes("statement pooling mode")) return new Error(NEEDS_TRANSACTIONS);
  if (code === "55P03") return new Error(LOCKED);
  if (code === "42501") return new Error(`${error.message}: ${GRANT}`);
  return error;
}

const LOCKED = `another connection has held the lock of the migrations for ${LOCK_SECONDS} seconds: wait for the other start, or end that connection (pg_locks names it, locktype 'advisory')`;

const GRANT =
  "to make the tables, its role needs GRANT CREATE ON DATABASE, or GRANT USAGE, CREATE ON SCHEMA handtools; to use those of another role, GRANT USAGE ON SCHEMA handtools and GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA handtools";

/** The encodings that keep any text; SQL_ASCII keeps the bytes that it is given. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

async function migrate(client: pg.Client, create: boolean): Promise<void> {
  const shown = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = shown.rows[0]?.server_encoding ?? "";
  if (!ENCODINGS.includes(encoding)) {
    throw new Error(
      `its encoding is ${encoding}, which lacks letters that people write: make another one: createdb --template=template0 --encoding=UTF8 --locale=C NAME`,
    );
  }
  const migrations = readMigrationFiles({ migrationsFolder: migrationsFolder("postgres") });
  const newest = migrations.at(-1)?.folderMillis ?? 0;
  let applied = await newestApplied(client);
  if (!create && applied === 0) throw new Error("it has no tables of handtools");
  if (applied < newest) {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
    // The lock ends with the transaction: one that ends with the session stays in a pooler.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('handtools migrations'))");
    applied = await newestApplied(client);
    if (applied === 0) await prepare(client);
    for (const { folderMillis, hash, sql } of migrations) {
      if (folderMillis <= applied) continue;
      for (const statement of sql) await client.query(statement);
      await client.query("INSERT INTO handtools.migrations (hash, created_at) VALUES ($1, $2)", [
        hash,
        folderMillis,
      ]);
    }
  }
  if (applied > newest) {
    throw new Error(
      "its tables were made by a newer version of handtools: start that version, or a newer one",
    );
  }
  const { rows } = await client.query<{ may: boolean }>(MAY_USE_TABLES, [TABLES]);
  if (rows[0]?.may === false) throw new Error(`permission denied for the tables: ${GRANT}`);
}

/** The time of the newest applied migration, 0 without any. */
async function newestApplied(client: pg.Client): Promise<number> {
  // Not to_regclass(), which may answer from a cache that is older than the lock.
  const { rows } = await client.query(
    "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'handtools' AND c.relname = 'migrations'",
  );
  if (rows.length === 0) return 0;
  const newest = await client.query<{ applied: string | null }>(
    "SELECT max(created_at)::text AS applied FROM handtools.migrations",
  );
  return Number(newest.rows[0]?.applied ?? 0);
}

/**
 * Makes the schema and the table that lists the migrations. `CREATE SCHEMA IF NOT EXISTS` would need the
 * right to make a schema even where it is there.
 */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'handtools'");
  if (rows.length === 0) await client.query("CREATE SCHEMA handtools");
  await client.query(
    "CREATE TABLE IF NOT EXISTS handtools.migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)",
  );
}

const MAY_USE_TABLES = `
  SELECT bool_and(has_table_privilege(c.oid, privilege)) AS may
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
  WHERE n.nspname = 'handtools' AND c.relname = ANY ($1)`;
