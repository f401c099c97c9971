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
      const [version] = tx.all<{ user_version: number }>(sql`PRAGMA user_version`);
      const missing = migrations.slice(version?.user_version);
      if (missing.length === 0) return;
      for (const statement of missing.flatMap((migration) => migration.sql)) {
        tx.run(sql.raw(statement));
      }
      tx.run(sql.raw(`PRAGMA user_version = ${migrations.length}`));
    },
    { behavior: "immediate" },
  );
}
