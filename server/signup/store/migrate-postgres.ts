import { SQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import { migrate } from "drizzle-orm/bun-sql/migrator";
import { migrationsFolder } from "./migrations-folder.ts";

/**
 * Applies the migrations that the database lacks, all or none of them. Processes that start
 * together take turns.
 */
export async function migratePostgres(options: SQL.Options): Promise<void> {
  // The lock belongs to a connection, so there is only this one, and it ends with it.
  const client = new SQL({ ...options, max: 1 });
  try {
    await client`SELECT pg_advisory_lock(hashtext('handtools migrations'))`;
    await migrate(drizzle(client), {
      migrationsFolder: migrationsFolder("postgres"),
      migrationsSchema: "handtools",
      migrationsTable: "migrations",
    });
  } finally {
    await client.close();
  }
}
