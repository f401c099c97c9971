import { afterAll, beforeAll } from "bun:test";
import { startPostgres } from "../server/support/databases.ts";

/** A PostgreSQL server of its own for the tests of a file; it is there once they run. */
export function postgresServer() {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.end());
  return () => server;
}
