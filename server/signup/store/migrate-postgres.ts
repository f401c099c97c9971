import { SQL } from "bun";
import { readMigrationFiles } from "drizzle-orm/migrator";
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
export async function migratePostgres(options: SQL.Options, create: boolean): Promise<void> {
  const client = new SQL({ ...options, max: 1 });
  try {
    await client.begin((tx) => migrate(tx, create));
  } catch (error) {
    if (codeOf(error)?.endsWith(LOCK_NOT_AVAILABLE)) throw new Error(LOCKED);
    throw isStatementPooling(error) ? new Error(NEEDS_TRANSACTIONS) : error;
  } finally {
    await client.close();
  }
}

/** PostgreSQL's code for a lock that did not come in time. */
const LOCK_NOT_AVAILABLE = "55P03";

const LOCKED = `another connection has held the lock of the migrations for ${LOCK_SECONDS} seconds: wait for the other start, or end that connection (pg_locks names it, locktype 'advisory')`;

/** pgbouncer has no code of its own for it. */
const isStatementPooling = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("statement pooling mode");

const NEEDS_TRANSACTIONS =
  "the pooler before it gives each statement to another connection, and a signup is one transaction: set pool_mode = transaction in pgbouncer";

async function migrate(tx: SQL, create: boolean): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsFolder("postgres") });
  const newest = migrations.at(-1)?.folderMillis ?? 0;
  const before = await readState(tx);
  requireKnown(before, newest);
  if (!create && before.applied === 0) throw new Error("it has no tables of handtools");
  if (before.applied < newest) {
    // The lock ends with the transaction: one that ends with the session stays in a pooler.
    await tx.unsafe(`SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
    await tx.unsafe("SELECT pg_advisory_xact_lock(hashtext('handtools migrations'))");
    const state = await readState(tx);
    requireKnown(state, newest);
    await prepare(tx, state);
    for (const { folderMillis, hash, sql } of migrations) {
      if (folderMillis <= state.applied) continue;
      for (const statement of sql) await tx.unsafe(statement);
      await tx`INSERT INTO handtools.migrations (hash, created_at) VALUES (${hash}, ${folderMillis})`;
    }
  }
  await requireTables(tx);
}

interface State {
  readonly role: string;
  readonly database: string;
  readonly mayCreateSchema: boolean;
  readonly hasSchema: boolean;
  readonly mayUseSchema: boolean;
  readonly mayCreateTables: boolean;
  readonly hasMigrations: boolean;
  /** The time of the newest applied migration, 0 without any. */
  readonly applied: number;
}

async function readState(tx: SQL): Promise<State> {
  const [state] = await tx<Omit<State, "applied">[]>`
    SELECT current_user AS role, current_database() AS database,
      has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchema",
      n.oid IS NOT NULL AS "hasSchema",
      coalesce(has_schema_privilege(n.oid, 'USAGE'), false) AS "mayUseSchema",
      coalesce(has_schema_privilege(n.oid, 'CREATE'), false) AS "mayCreateTables",
      c.oid IS NOT NULL AS "hasMigrations"
    FROM (SELECT 1) AS one
      LEFT JOIN pg_namespace n ON n.nspname = 'handtools'
      LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'migrations'`;
  if (!state) throw new Error("PostgreSQL described no database");
  if (state.hasSchema && !state.mayUseSchema) throw lacks(state, USE_SCHEMA);
  if (!state.hasMigrations) return { ...state, applied: 0 };
  const [may] = await tx<{ select: boolean }[]>`
    SELECT has_table_privilege('handtools.migrations', 'SELECT') AS select`;
  if (!may?.select) throw lacks(state, USE_TABLES);
  const [row] = await tx<{ applied: string | null }[]>`
    SELECT max(created_at)::text AS applied FROM handtools.migrations`;
  return { ...state, applied: Number(row?.applied ?? 0) };
}

function requireKnown({ applied }: State, newest: number): void {
  if (applied > newest) {
    throw new Error(
      "its tables were made by a newer version of handtools: start that version, or a newer one",
    );
  }
}

/** Makes what the migrations need: the schema, and the table that lists them. */
async function prepare(tx: SQL, state: State): Promise<void> {
  if (!state.hasSchema) {
    if (!state.mayCreateSchema) throw lacks(state, `CREATE ON DATABASE "${state.database}"`);
    await tx.unsafe("CREATE SCHEMA handtools");
  } else if (!state.mayCreateTables) throw lacks(state, USE_SCHEMA);
  if (!state.hasMigrations) {
    await tx.unsafe(
      "CREATE TABLE handtools.migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)",
    );
  }
}

async function requireTables(tx: SQL): Promise<void> {
  const [row] = await tx<{ role: string; database: string; may: boolean }[]>`
    SELECT current_user AS role, current_database() AS database, bool_and(
      has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
      AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')) AS may
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'handtools' AND c.relname = ANY (string_to_array(${TABLES.join(",")}, ','))`;
  if (row && !row.may) throw lacks(row, USE_TABLES);
}

const USE_SCHEMA = "USAGE, CREATE ON SCHEMA handtools";
const USE_TABLES = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA handtools";

const lacks = ({ role }: { readonly role: string }, privilege: string): Error =>
  new Error(`the role "${role}" lacks a privilege: GRANT ${privilege} TO "${role}"`);
