import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openStore } from "../../server/signup/store/open-store.ts";
import type { SignupStore } from "../../server/signup/store/signup-store.ts";
import { leaseCases } from "../server/signup/newsletter/lease-cases.ts";
import { storeCases } from "../server/signup/store/store-cases.ts";
import { postgres, type TestDatabase } from "../server/support/databases.ts";
import { hoursLater, markSynced, NOW, signup, use } from "../server/support/signup.ts";
import { postgresServer } from "./server.ts";

const TABLES =
  "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 2";

/** Cuts the connections of the store that wait for a lock. */
const CUT_WAITING =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'handtools' AND wait_event_type = 'Lock'";

/** Begins a transaction that is in the store's way until it is rolled back. */
async function inTheWay(url: string, statement: string) {
  const client = new Bun.SQL({ url, max: 1 });
  await client.unsafe(`BEGIN; ${statement}`);
  return { rollBack: () => client.close() };
}

describe("the PostgreSQL store", () => {
  const server = postgresServer();

  const engine = postgres(server);
  storeCases(engine);
  describe("and a newsletter with a lease", () => leaseCases(engine));

  describe("and its server", () => {
    let database: TestDatabase;
    let store: SignupStore;
    beforeEach(async () => {
      database = await engine.create();
      store = await openStore(database.url);
      await store.record(signup("first@x.test"), use("old"), NOW);
    });
    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    const record = () => store.record(signup("a@x.test"), use("n"), NOW);

    /** The same signup, with the same nonce, is accepted after the failure. */
    const expectUnharmed = async () => {
      expect(await store.count()).toBe(1);
      expect(await record()).toBe(true);
      expect(await record()).toBe(false);
      expect(await store.count()).toBe(2);
    };

    test("everything is in a schema of its own", async () => {
      const names = ["migrations", "rate_counts", "signups", "used_nonces"];
      expect(await database.query(TABLES)).toEqual(
        names.map((table_name) => ({ table_schema: "handtools", table_name })),
      );
    });

    test.each([
      ["DateStyle = 'German'"],
      ["DateStyle = 'SQL, DMY'"],
      ["TimeZone = 'Asia/Kathmandu'"],
      ["client_encoding = 'LATIN1'"],
      ["standard_conforming_strings = off"],
    ])("a database with %s keeps times and texts, and ends a sync", async (setting) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET ${setting}`);
      const other = await openStore(database.url);
      const given = signup("a@x.test", { ctaSource: "日本 \\' é" });
      expect(await other.record(given, use("n"), NOW)).toBe(true);
      await markSynced(other, given.email, hoursLater(1));
      const kept = { createdAt: NOW, syncedAt: hoursLater(1), synced: true };
      expect(await other.find(given.email)).toMatchObject({ ...given, ...kept });
      expect(await other.lease(given.email, 1_000, NOW)).toBeDefined();
      await other.close();
    });

    test("record() gives up when it waits too long for another transaction", async () => {
      const other = await inTheWay(database.url, "LOCK TABLE handtools.signups");
      await expect(record()).rejects.toThrow();
      await other.rollBack();
      await expectUnharmed();
    }, 15_000);

    test("record() does not wait for old nonces that another is about to forget", async () => {
      await database.query(engine.ageNonces(25));
      const rows = "SELECT 1 FROM handtools.used_nonces FOR UPDATE";
      const other = await inTheWay(database.url, rows);
      expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
      await other.rollBack();
    });

    test("record() throws when its connection is cut, and records nothing", async () => {
      const other = await inTheWay(database.url, "LOCK TABLE handtools.signups");
      const inFlight = Promise.allSettled([record()]);
      let cut = 0;
      for (let tries = 0; cut === 0 && tries < 100; tries += 1) {
        cut = (await database.query(CUT_WAITING)).length;
      }
      expect(cut).toBe(1);
      expect(await inFlight).toMatchObject([{ status: "rejected" }]);
      await other.rollBack();
      await expectUnharmed();
    }, 15_000);

    test("tryWrite() throws while the database takes no writes, and reading works", async () => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      const readOnly = await openStore(database.url);
      expect(await readOnly.count()).toBe(1);
      await expect(readOnly.tryWrite()).rejects.toThrow();
      await readOnly.close();
    });

    test("record() throws while it is stopped, and works again when it is back", async () => {
      await server().halt();
      for (let times = 0; times < 3; times += 1) await expect(record()).rejects.toThrow();
      await expect(openStore(database.url)).rejects.toThrow(
        "DATABASE_URL: PostgreSQL at 127.0.0.1:",
      );
      await server().resume();
      await expectUnharmed();
    }, 60_000);
  });
});
