import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createRateLimiter } from "../../server/signup/rate-limit.ts";
import { openStore } from "../../server/signup/store/open-store.ts";
import type { SignupStore } from "../../server/signup/store/signup-store.ts";
import { setClock } from "../server/support/clock.ts";
import { postgres, type TestDatabase } from "../server/support/databases.ts";
import { signup } from "../server/support/signup.ts";
import { postgresServer } from "./server.ts";

const HOUR_MS = 3_600_000;

/** Servers of one site whose clocks differ from that of the database, by so many milliseconds. */
const CLOCKS: readonly [string, number, number][] = [
  ["of both servers are an hour late", -HOUR_MS, -HOUR_MS],
  ["of both servers are two days ahead", 48 * HOUR_MS, 48 * HOUR_MS],
  ["of one server is two days ahead", 0, 48 * HOUR_MS],
  ["of one server is two days late", 0, -48 * HOUR_MS],
];

describe("with PostgreSQL, while the clocks", () => {
  const server = postgresServer();
  let database: TestDatabase;
  /** Of two servers. */
  let stores: SignupStore[];
  beforeEach(async () => {
    database = await postgres(server).create();
    stores = [await openStore(database.url), await openStore(database.url)];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  /** Does some work on each server in turn, with the clock of that server. */
  async function onEach(clocks: readonly number[], work: (store: SignupStore) => Promise<unknown>) {
    const results = [];
    const start = Date.now();
    for (const [at, store] of stores.entries()) {
      using _ = setClock(start + (clocks[at] ?? 0));
      results.push(await work(store));
    }
    return results;
  }

  test.each(CLOCKS)("%s, a caller has one limit on both", async (_, first, second) => {
    const options = {
      exemptsPrivateNetworks: false,
      proxies: undefined,
      secret: "secret",
      perMinute: 4,
    };
    const request = new Request("http://localhost/");
    const passed = await onEach([first, second], async ({ counter }) => {
      const limit = createRateLimiter({ ...options, getPeer: () => "203.0.113.7", counter });
      let passes = 0;
      for (let tries = 0; tries < 6; tries += 1) {
        await limit(request, "signup").then(
          () => (passes += 1),
          () => {},
        );
      }
      return passes;
    });
    expect(passed).toEqual([4, 0]);
  });

  test("a count begins again after its minute, by the clock of the database", async () => {
    const [store] = stores;
    expect(await store?.counter?.(["a", "b"], 60_000)).toEqual([1, 1]);
    expect(await store?.counter?.(["b", "a"], 60_000)).toEqual([2, 2]);
    await database.query("UPDATE handtools.rate_counts SET expires_at = now() - interval '1 ms'");
    expect(await store?.counter?.(["a", "b"], 60_000)).toEqual([1, 1]);
  });

  test.each(CLOCKS)("%s, a nonce is remembered on both", async (_, first, second) => {
    const record = (nonce: string) => (store: SignupStore) => {
      const now = new Date();
      const used = { nonce, expiresAt: new Date(now.getTime() + 300_000) };
      return store.record(signup("a@x.test"), used, now);
    };
    const ownNonces = () => onEach([first, second], (store) => record(crypto.randomUUID())(store));
    expect(await onEach([first, second], record("shared"))).toEqual([true, false]);
    for (let times = 0; times < 3; times += 1) expect(await ownNonces()).toEqual([true, true]);
    expect(await onEach([first, second], record("shared"))).toEqual([false, false]);
  });

  test.each(CLOCKS)("%s, a lease keeps the other server away", async (_, first, second) => {
    await stores[0]?.record(signup("a@x.test"), undefined, new Date());
    const leases = await onEach([first, second], (store) =>
      store.lease("a@x.test", 20_000, new Date()),
    );
    expect(leases).toEqual([expect.objectContaining({ synced: false }), undefined]);
  });
});
