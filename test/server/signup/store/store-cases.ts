import { afterEach, beforeEach, expect, test } from "bun:test";
import type { SyncResult } from "../../../../server/signup/newsletter/listmonk-api.ts";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import type { TestDatabase, TestEngine } from "../../support/databases.ts";
import { hoursLater, markSynced, NOW, signup, use } from "../../support/signup.ts";

const parallel = <Value>(count: number, run: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** Cases for every store, on any database. */
export function storeCases(engine: TestEngine): void {
  let database: TestDatabase;
  let store: SignupStore;
  beforeEach(async () => {
    database = await engine.create();
    store = await openStore(database.url);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  test("record() keeps a new address with all that comes with it", async () => {
    const given = signup("a@x.test", { referral: "other", referralOther: "a friend" });
    expect(await store.record(given, use("n"), NOW)).toBe(true);
    expect(await store.find("a@x.test")).toStrictEqual({
      ...given,
      createdAt: NOW,
      synced: false,
      syncedAt: undefined,
      failedAt: undefined,
      failure: undefined,
      rejected: false,
    });
    expect(await store.count()).toBe(1);
  });

  test("record() leaves the first row of an address as it is", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    const first = await store.find("a@x.test");
    const again = signup("a@x.test", { ctaSource: "nav", referral: "reddit" });
    expect(await store.record(again, use("n"), hoursLater(1))).toBe(true);
    expect(await store.find("a@x.test")).toStrictEqual(first);
    expect(await store.count()).toBe(1);
  });

  test("record() does not undo an earlier sync", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    await markSynced(store, "a@x.test", hoursLater(1));
    expect(await store.record(signup("a@x.test"), undefined, hoursLater(2))).toBe(true);
    const synced = { synced: true, syncedAt: hoursLater(1) };
    expect(await store.find("a@x.test")).toMatchObject(synced);
  });

  test.each([
    ["each U+0000", "a\0b\0", "a\uFFFDb\uFFFD"],
    ["a lone high surrogate", "a\uD800b", "a\uFFFDb"],
    ["quotes and statements", `'"\`; DROP TABLE signups; -- $1 ?`, undefined],
  ])("record() keeps %s", async (_, given, kept = given) => {
    const texts = { ctaSource: given, referralOther: given };
    await store.record(signup("a@x.test", texts), undefined, NOW);
    expect(await store.find("a@x.test")).toMatchObject({ ctaSource: kept, referralOther: kept });
  });

  test("record() takes a nonce once, whatever the address", async () => {
    expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
    for (const email of ["a@x.test", "b@x.test"]) {
      expect(await store.record(signup(email), use("n"), NOW)).toBe(false);
    }
    expect(await store.count()).toBe(1);
    await store.remove("a@x.test");
    expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(false);
    expect(await store.count()).toBe(0);
  });

  test("isUsed() tells a nonce that was used, and uses none", async () => {
    for (const used of [false, false]) expect(await store.isUsed("n")).toBe(used);
    await store.record(signup("a@x.test"), use("n"), NOW);
    expect([await store.isUsed("n"), await store.isUsed("m")]).toEqual([true, false]);
  });

  test("record() gives the nonce back when the row fails", async () => {
    await database.query(engine.breakRows);
    await expect(store.record(signup("a@x.test"), use("n"), NOW)).rejects.toThrow();
    await expect(store.tryWrite()).rejects.toThrow();
    expect(await database.query(engine.nonces)).toEqual([]);
    expect(await store.count()).toBe(0);
    await database.query(engine.repairRows);
    expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
  });

  /** Records with a nonce that is fresh by the clock of this machine. */
  const recordNow = (nonce: string) => {
    const now = new Date();
    const used = { nonce, expiresAt: new Date(now.getTime() + 300_000) };
    return store.record(signup("a@x.test"), used, now);
  };

  test("record() forgets a nonce a day after its challenge expired, and no sooner", async () => {
    await recordNow("n");
    await database.query(engine.ageNonces(24));
    await recordNow("m");
    expect(await recordNow("n")).toBe(false);
    await database.query(engine.ageNonces(1));
    await recordNow("o");
    expect(await database.query(engine.nonces)).toEqual([{ nonce: "m" }, { nonce: "o" }]);
  });

  test("record() forgets a few nonces at a time, more than come in", async () => {
    await parallel(35, (index) => recordNow(`${index}`));
    await database.query(engine.ageNonces(25));
    const left = [];
    for (const nonce of ["a", "b", "c", "d"]) {
      await recordNow(nonce);
      left.push((await database.query(engine.nonces)).length);
    }
    expect(left).toEqual([26, 17, 8, 4]);
  });

  test("a hundred parallel records of one address make one row", async () => {
    const states = await parallel(100, (index) =>
      store.record(signup("a@x.test"), use(`${index}`), NOW),
    );
    expect(states).toEqual(Array(100).fill(true));
    expect(await store.count()).toBe(1);
  });

  test("a hundred parallel uses of one nonce record one address", async () => {
    const states = await parallel(100, (index) =>
      store.record(signup(`${index}@x.test`), use("n"), NOW),
    );
    expect(states.filter(Boolean)).toEqual([true]);
    expect(await store.count()).toBe(1);
  });

  test("endSync() keeps the time of the first sync", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    await markSynced(store, "a@x.test");
    await markSynced(store, "a@x.test", hoursLater(1));
    expect(await store.find("a@x.test")).toMatchObject({ synced: true, syncedAt: NOW });
  });

  test("endSync() notes when and why a sync failed, until one succeeds", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    const end = async (result: SyncResult) => {
      const lease = await store.lease("a@x.test", 1_000, NOW);
      if (lease) await store.endSync("a@x.test", lease, result, NOW);
      return await store.find("a@x.test");
    };
    const failed = { ok: false, failure: "no answer" };
    const rejected = { ...failed, failure: "never", rejected: true };
    expect(await end(rejected)).toMatchObject({ synced: false, rejected: true, failure: "never" });
    expect(await store.countWaiting()).toBe(0);
    expect(await end(failed)).toMatchObject({ synced: false, failedAt: NOW, failure: "no answer" });
    expect(await store.countWaiting()).toBe(1);
    const synced = { synced: true, failedAt: undefined, failure: undefined, rejected: false };
    expect(await end({ ok: true })).toMatchObject(synced);
    for (const result of [failed, rejected]) expect(await end(result)).toMatchObject(synced);
  });

  test("lease() gives an address to one at a time, of a hundred, and knows no other", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    expect(await store.lease("b@x.test", 60_000, NOW)).toBeUndefined();
    const leases = await parallel(100, () => store.lease("a@x.test", 60_000, NOW));
    const [lease, ...others] = leases.filter((one) => one !== undefined);
    expect([lease?.synced, others]).toEqual([false, []]);
    if (lease) await store.endSync("a@x.test", lease, { ok: true }, NOW);
    expect(await store.lease("a@x.test", 60_000, NOW)).toMatchObject({ synced: true });
  });

  test("lease() ends by itself, and is then not given back for another", async () => {
    await store.record(signup("a@x.test"), undefined, NOW);
    const first = await store.lease("a@x.test", 0, NOW);
    await Bun.sleep(2);
    const later = new Date(NOW.getTime() + 2);
    const second = await store.lease("a@x.test", 60_000, later);
    expect(second).toMatchObject({ synced: false });
    if (first) await store.endSync("a@x.test", first, { ok: false }, later);
    expect(await store.lease("a@x.test", 60_000, later)).toBeUndefined();
  });

  test("add() keeps whole rows, but of addresses that are stored", async () => {
    const row = {
      ...signup("a@x.test", { referral: "other", referralOther: "a friend" }),
      ...{ createdAt: NOW, synced: true, syncedAt: hoursLater(1) },
      ...{ failedAt: hoursLater(2), failure: "no answer", rejected: false },
    };
    await store.record(signup("b@x.test"), undefined, NOW);
    const first = await store.find("b@x.test");
    expect(await store.add([row, { ...row, email: "b@x.test" }])).toBe(1);
    expect(await store.find("a@x.test")).toStrictEqual(row);
    expect(await store.find("b@x.test")).toStrictEqual(first);
  });

  test("find() and remove() take the address as it is, and no other", async () => {
    await store.record(signup("a_b@x.test"), undefined, NOW);
    await store.record(signup("axb@x.test"), undefined, NOW);
    for (const email of ["", "%", "a%b@x.test", "A_B@X.TEST", "a_b@x.test ", "b@x.test"]) {
      expect(await store.find(email)).toBeUndefined();
      expect(await store.remove(email)).toBe(false);
    }
    expect(await store.remove("a_b@x.test")).toBe(true);
    expect(await store.remove("a_b@x.test")).toBe(false);
    expect(await store.find("axb@x.test")).toBeDefined();
    expect(await store.record(signup("a_b@x.test"), undefined, NOW)).toBe(true);
    expect(await store.count()).toBe(2);
  });

  test("openStore() finds again what was recorded", async () => {
    await store.record(signup("a@x.test"), use("n"), NOW);
    const found = await store.find("a@x.test");
    await store.close();
    store = await openStore(database.url);
    expect(await store.find("a@x.test")).toStrictEqual(found);
    expect(await store.record(signup("b@x.test"), use("n"), NOW)).toBe(false);
  });

  test("tryWrite() leaves nothing behind, however often", async () => {
    for (let times = 0; times < 3; times += 1) await store.tryWrite();
    expect(await store.count()).toBe(0);
    expect(await database.query(engine.nonces)).toEqual([]);
  });
}
