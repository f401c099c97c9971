import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { startPostgres } from "./postgres-server.ts";

/** A new and empty database, for one test. */
export interface TestDatabase {
  readonly url: string;
  /** Runs SQL past the store, on a connection of its own. */
  query(sql: string): Promise<readonly unknown[]>;
  drop(): Promise<void>;
}

/** What differs between the databases, for the cases that run on both. */
export interface TestEngine {
  readonly create: () => Promise<TestDatabase>;
  /** Makes every new row of signups fail, and takes that back. */
  readonly breakRows: string;
  readonly mendRows: string;
  readonly nonces: string;
}

export const sqlite: TestEngine = {
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-sqlite-"));
    const path = join(folder, "signups.sqlite");
    return {
      url: `file:${path}`,
      query: async (sql) => {
        using file = new Database(path);
        return file.query(sql).all();
      },
      drop: async () => rmSync(folder, { recursive: true }),
    };
  },
  breakRows: `CREATE TRIGGER broken BEFORE INSERT ON signups BEGIN SELECT raise(ABORT, 'broken'); END`,
  mendRows: "DROP TRIGGER broken",
  nonces: "SELECT nonce FROM used_nonces",
};

type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** @param server is asked for when a test begins, because it starts after the tests are listed. */
export const postgres = (server: () => PostgresServer): TestEngine => ({
  create: async () => {
    const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
    const run = async (database: string, sql: string): Promise<readonly unknown[]> => {
      const client = new Bun.SQL({ url: server().url(database), max: 1 });
      try {
        return await client.unsafe(sql);
      } finally {
        await client.close();
      }
    };
    await run("postgres", `CREATE DATABASE ${name}`);
    return {
      url: server().url(name),
      query: (sql) => run(name, sql),
      drop: async () => {
        await run("postgres", `DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  },
  breakRows: "ALTER TABLE handtools.signups ADD CONSTRAINT broken CHECK (false) NOT VALID",
  mendRows: "ALTER TABLE handtools.signups DROP CONSTRAINT broken",
  nonces: "SELECT nonce FROM handtools.used_nonces",
});
