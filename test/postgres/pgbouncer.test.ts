import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openStore } from "../../server/signup/store/open-store.ts";
import type { SignupStore } from "../../server/signup/store/signup-store.ts";
import { postgres, type TestDatabase } from "../server/support/databases.ts";
import { startPgbouncer } from "../server/support/pgbouncer.ts";
import { markSynced, NOW, signup, use } from "../server/support/signup.ts";
import { postgresServer } from "./server.ts";

describe("the PostgreSQL store behind pgbouncer", () => {
  const server = postgresServer();

  describe.each(["session", "transaction"] as const)("in %s mode", (mode) => {
    let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
    let database: TestDatabase;
    let url: string;
    beforeAll(async () => {
      pooler = await startPgbouncer(server().url("postgres"), mode);
    }, 30_000);
    afterAll(() => pooler.end());
    beforeEach(async () => {
      database = await postgres(server).create();
      url = pooler.url(new URL(database.url).pathname.slice(1));
    });
    afterEach(() => database.drop());

    test("a hundred signups at a time from two processes are recorded", async () => {
      const stores = [await openStore(url), await openStore(url)];
      const record = (store: SignupStore, at: number) =>
        store.record(signup(`a${at}@x.test`), use(`${at}`), NOW);
      const states = await Promise.all(
        stores.flatMap((store, nth) =>
          Array.from({ length: 50 }, (_, at) => record(store, nth * 50 + at)),
        ),
      );
      expect(states).toEqual(Array.from({ length: 100 }, () => true));
      const [store] = stores;
      if (store) await markSynced(store, "a7@x.test");
      expect(await store?.find("a7@x.test")).toMatchObject({ synced: true });
      expect(await store?.remove("a8@x.test")).toBe(true);
      expect(await store?.count()).toBe(99);
      for (const open of stores) await open.close();
    }, 20_000);

    test.if(mode === "transaction")(
      "a statement that waits too long is given up, and the connection works again",
      async () => {
        const store = await openStore(url);
        const client = new Bun.SQL({ url: database.url, max: 1 });
        await client.unsafe("BEGIN; LOCK TABLE handtools.signups");
        const waiting = store.record(signup("a@x.test"), use("n"), NOW);
        await expect(waiting).rejects.toMatchObject({
          cause: { message: expect.stringContaining("statement timeout") },
        });
        await client.close();
        expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
        await store.close();
      },
      20_000,
    );
  });

  test("in statement mode the start is rejected", async () => {
    const pooler = await startPgbouncer(server().url("postgres"), "statement");
    await expect(openStore(pooler.url("postgres"))).rejects.toThrow("statement pooling mode");
    await pooler.end();
  });
});
