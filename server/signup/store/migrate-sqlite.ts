import { sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrationsFolder } from "./migrations-folder.ts";

/**
 * Applies the migrations that the file lacks, all or none of them. Processes that start together
 * take turns; drizzle's own migrator looks what is missing before it takes the lock. How many
 * are applied is kept in SQLite's `user_version`.
 */
export function migrateSqlite(db: BunSQLiteDatabase): void {
  const migrations = readMigrationFiles({ migrationsFolder: migrationsFolder("sqlite") });
  db.transaction(
    (tx) => {
      const [row] = tx.all<{ user_version: number }>(sql`PRAGMA user_version`);
      const applied = row?.user_version ?? 0;
      const missing = migrations.slice(applied);
      for (const statement of missing.flatMap((migration) => migration.sql)) {
        tx.run(sql.raw(statement));
      }
      // Also when it stays as it is: a file that can only be read must stop the start here, not
      // every signup later.
      tx.run(sql.raw(`PRAGMA user_version = ${applied + missing.length}`));
    },
    { behavior: "immediate" },
  );
}
