import { describe, expect, setSystemTime, test } from "bun:test";
import { openNewsletter } from "../../../../server/signup/newsletter/sync-newsletter.ts";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { sqliteStore } from "../../../../server/signup/store/sqlite.ts";
import { expectPending, openTimeMachine } from "../../support/clock.ts";
import { sqlite, temporaryDatabase } from "../../support/databases.ts";
import { expectSoon } from "../../support/expect.ts";
import { listmonkThat, markSynced, NOW, signup } from "../../support/signup.ts";
import { leaseCases } from "./lease-cases.ts";

describe("a newsletter on SQLite", () => leaseCases(sqlite));

const person = (email: string, name = "Ada") => ({ email, name, attributes: {} });

/** A newsletter whose listmonk fails until a test changes it, repeated every few milliseconds. */
function setUp(changes: Partial<SignupStore> = {}) {
  const state = { ok: false, isDatabaseDown: false };
  /** The failures of some addresses, for now or for good. */
  const failing = new Map<string, { readonly rejected: boolean }>();
  const faults: unknown[] = [];
  const warnings: string[] = [];
  const kept: number[] = [];
  const tried: string[] = [];
  const synced: string[] = [];
  const store = { ...sqliteStore(temporaryDatabase()), ...changes };
  const find: typeof store.find = (email) =>
    state.isDatabaseDown ? Promise.reject(new Error("down")) : store.find(email);
  const listmonk = listmonkThat(async ({ email, name }) => {
    tried.push(email);
    const failure = failing.get(email);
    if (!state.ok || failure) return { ok: false, failure: "rejected", ...failure };
    synced.push(`${email} ${name}`);
    return { ok: true };
  });
  const { sync, close } = openNewsletter(listmonk, {
    store: { ...store, find },
    onError: (error) => faults.push(error),
    warn: (problem) => warnings.push(problem),
    onPendingCount: (names) => kept.push(names),
    retryMs: 5,
  });
  return {
    ...{ state, failing, faults, warnings, kept, tried, synced, store },
    signUp: async (email: string, name?: string) => {
      await store.record(signup(email), undefined, NOW);
      return await sync(person(email, name));
    },
    /** Nobody is tried for several rounds. */
    expectRest: async () => {
      const before = tried.length;
      await Bun.sleep(30);
      expect(tried).toHaveLength(before);
    },
    close,
    [Symbol.dispose]: close,
  };
}

test("a failed sync is repeated until it succeeds, and its end is stored", async () => {
  using world = setUp();
  expect((await world.signUp("a@x.test")).ok).toBe(false);
  await expectSoon(() => world.tried.length > 3);
  expect(world.synced).toEqual([]);
  world.state.ok = true;
  await expectSoon(() => world.synced.length === 1);
  await world.expectRest();
  expect(world.synced).toEqual(["a@x.test Ada"]);
  expect(await world.store.find("a@x.test")).toMatchObject({ synced: true });
});

test("a person whom the newsletter rejects for good is not kept", async () => {
  using world = setUp();
  world.failing.set("a@x.test", { rejected: true });
  await world.signUp("a@x.test");
  await world.expectRest();
  expect([world.tried, Math.max(...world.kept)]).toEqual([["a@x.test"], 0]);
});

test("reports the number of kept names, also in the log, and how many a stop loses", async () => {
  const world = setUp();
  await world.signUp("a@x.test");
  await world.signUp("b@x.test");
  const inMemory = "rejected; 2 names in memory for the next attempt";
  await expectSoon(() => world.warnings.includes(inMemory));
  world.close();
  await Bun.sleep(20);
  await world.expectRest();
  expect(world.warnings).toContainEqual(
    expect.stringMatching(/^shutdown loses 2 names of signups/),
  );
  expect(world.kept).toContain(2);
});

test("a person whose sync always fails does not hold up the others", async () => {
  using world = setUp();
  world.failing.set("a@x.test", { rejected: false });
  for (const email of ["a@x.test", "b@x.test", "c@x.test"]) await world.signUp(email);
  world.state.ok = true;
  await expectSoon(() => world.synced.length === 2);
  expect(world.synced.toSorted()).toEqual(["b@x.test Ada", "c@x.test Ada"]);
});

test.each<[string, (store: ReturnType<typeof setUp>["store"]) => unknown]>([
  ["was deleted", (store) => store.remove("a@x.test")],
  ["was synced by others", (store) => markSynced(store, "a@x.test")],
])("an address that %s meanwhile is not tried again", async (_, change) => {
  using world = setUp();
  await world.signUp("a@x.test");
  world.state.isDatabaseDown = true;
  await Bun.sleep(20);
  await change(world.store);
  world.state.ok = true;
  world.state.isDatabaseDown = false;
  await Bun.sleep(30);
  expect(world.synced).toEqual([]);
});

test("while the database fails nobody is tried, and the error is reported; then it goes on", async () => {
  using world = setUp();
  world.state.isDatabaseDown = true;
  await world.signUp("a@x.test");
  world.state.ok = true;
  await expectSoon(() => world.faults.length > 1);
  expect(world.synced).toEqual([]);
  world.state.isDatabaseDown = false;
  await expectSoon(() => world.synced.length === 1);
});

test("a repeat by anybody keeps the first name, and one that succeeds ends it", async () => {
  using world = setUp();
  await world.signUp("a@x.test");
  await world.signUp("a@x.test", "A Stranger");
  world.state.ok = true;
  await expectSoon(() => world.synced.length === 1);
  expect(world.synced).toEqual(["a@x.test Ada"]);
  world.state.ok = false;
  await world.signUp("b@x.test");
  world.state.ok = true;
  await world.signUp("b@x.test");
  await world.expectRest();
  expect(world.synced).toEqual(["a@x.test Ada", "b@x.test Ada"]);
});

test("a name is kept for an hour, whatever the clock says", async () => {
  using time = openTimeMachine();
  using world = setUp();
  world.state.isDatabaseDown = true;
  await world.signUp("a@x.test");
  setSystemTime(new Date(Date.now() + 86_400_000));
  time.skip(3_500_000);
  world.state.isDatabaseDown = false;
  world.state.ok = true;
  await expectSoon(() => world.synced.length === 1).finally(() => setSystemTime());
  world.state.isDatabaseDown = true;
  world.state.ok = false;
  await world.signUp("b@x.test");
  time.skip(3_600_001);
  world.state.isDatabaseDown = false;
  await Bun.sleep(30);
  world.state.ok = true;
  await world.expectRest();
  expect(world.synced).toEqual(["a@x.test Ada"]);
});

test("of very many at a time the last fail at once, and a stop waits for the others", async () => {
  const { promise: database, resolve } = Promise.withResolvers<undefined>();
  const store = sqliteStore(temporaryDatabase());
  const { sync, finish } = openNewsletter(
    listmonkThat(async () => ({ ok: true })),
    {
      store: { ...store, lease: () => database },
      onError: () => {},
      warn: () => {},
      onPendingCount: undefined,
      retryMs: 2 ** 30,
    },
  );
  const ofNumber = (at: number) => sync(person(`ada${at}@site.test`));
  const first = Array.from({ length: 1_000 }, (_, at) => ofNumber(at));
  const { failure } = await ofNumber(1_000);
  expect(failure).toBe("too many signups wait for listmonk");
  const finished = finish();
  await expectPending(Promise.race([...first, finished]));
  resolve(undefined);
  await finished;
  // None of them is stored.
  expect((await Promise.all(first)).filter(({ ok }) => ok)).toEqual([]);
  expect((await ofNumber(1_000)).failure).not.toBe(failure);
});
