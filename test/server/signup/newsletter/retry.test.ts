import { expect, setSystemTime, test } from "bun:test";
import type { Newsletter, SyncState } from "../../../../server/signup/newsletter/newsletter.ts";
import { withRetry } from "../../../../server/signup/newsletter/retry.ts";
import { openTimeMachine } from "../../support/clock.ts";
import { NEVER_SYNCED } from "./world.ts";

const person = (email: string) => ({ email, name: "Ada", attributes: { ctaSource: "hero" } });

/** A newsletter that fails until a test changes it, repeated every few milliseconds. */
function setUp() {
  const state = { ok: false };
  const rejected = new Set<string>();
  const forGood = new Set<string>();
  const stored = new Map<string, SyncState>();
  const store = { isDown: false };
  const faults: unknown[] = [];
  const warnings: string[] = [];
  const kept: number[] = [];
  const tried: string[] = [];
  const synced: string[] = [];
  const inner: Newsletter = {
    sync: async ({ email, name }) => {
      tried.push(email);
      const ok = state.ok && !rejected.has(email);
      if (ok) synced.push(`${email} ${name}`);
      if (ok) return { ok, listmonkId: 7 };
      const failed = { ok, listmonkId: undefined, failure: "rejected" };
      return { ...failed, rejected: forGood.has(email) };
    },
  };
  const newsletter = withRetry(inner, {
    stateOf: async (email) => {
      if (store.isDown) throw new Error("the database is down");
      return stored.get(email);
    },
    onError: (error) => faults.push(error),
    warn: (problem) => warnings.push(problem),
    onKept: (names) => kept.push(names),
    everyMs: 5,
  });
  const until = async (isDone: () => boolean) => {
    for (let tries = 0; tries < 200 && !isDone(); tries += 1) await Bun.sleep(5);
    expect(isDone()).toBe(true);
  };
  /** Nobody is tried for several rounds. */
  const expectRest = async () => {
    const before = tried.length;
    await Bun.sleep(30);
    expect(tried).toHaveLength(before);
  };
  return {
    ...{
      state,
      rejected,
      forGood,
      stored,
      store,
      faults,
      warnings,
      kept,
      tried,
      synced,
      newsletter,
      until,
    },
    expectRest,
    fail: (email: string) => {
      stored.set(email, NEVER_SYNCED);
      return newsletter.sync(person(email), NEVER_SYNCED);
    },
    [Symbol.dispose]: () => newsletter.close?.(),
  };
}

test("a person whom the newsletter rejects for good is not kept", async () => {
  using world = setUp();
  world.forGood.add("ada@x.test");
  await world.fail("ada@x.test");
  await world.expectRest();
  expect([world.tried, Math.max(...world.kept)]).toEqual([["ada@x.test"], 0]);
});

test("a failed sync is repeated until it succeeds, and its number is noted", async () => {
  using world = setUp();
  expect((await world.fail("a@x.test")).ok).toBe(false);
  await world.until(() => world.tried.length > 3);
  expect(world.synced).toEqual([]);
  world.state.ok = true;
  await world.until(() => world.synced.length === 1);
  await world.expectRest();
  expect(world.synced).toEqual(["a@x.test Ada"]);
});

test("reports the number of kept names, also in the log, and how many a stop loses", async () => {
  const world = setUp();
  await world.fail("a@x.test");
  await world.fail("b@x.test");
  await world.until(() => world.warnings.length > 0);
  world.newsletter.close?.();
  expect(world.warnings[0]).toBe("rejected; 2 names in memory for people who wait for listmonk");
  expect(world.warnings.at(-1)).toStartWith("the stop loses 2 names of people who wait");
  expect(world.kept.slice(0, 2)).toEqual([1, 2]);
});

test("while it fails, a round tries one person, each in turn", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  await world.fail("b@x.test");
  await world.until(() => world.tried.length >= 6);
  expect(world.tried.slice(2, 6)).toEqual(["a@x.test", "b@x.test", "a@x.test", "b@x.test"]);
});

test("an address that listmonk rejects for good does not hold up the others", async () => {
  using world = setUp();
  world.rejected.add("a@x.test");
  for (const email of ["a@x.test", "b@x.test", "c@x.test"]) await world.fail(email);
  world.state.ok = true;
  await world.until(() => world.synced.length === 2);
  expect(world.synced.toSorted()).toEqual(["b@x.test Ada", "c@x.test Ada"]);
});

test.each<[string, (stored: Map<string, SyncState>) => void]>([
  ["was deleted meanwhile", (stored) => stored.delete("a@x.test")],
  [
    "was synced by others meanwhile",
    (stored) => stored.set("a@x.test", { synced: true, listmonkId: 7 }),
  ],
])("an address that %s is not tried again", async (_, change) => {
  using world = setUp();
  await world.fail("a@x.test");
  change(world.stored);
  world.state.ok = true;
  await world.expectRest();
  expect(world.synced).toEqual([]);
});

test("while the database fails nobody is tried, and the error is reported; then it goes on", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.store.isDown = true;
  world.state.ok = true;
  await world.until(() => world.faults.length > 1);
  expect(world.synced).toEqual([]);
  world.store.isDown = false;
  await world.until(() => world.synced.length === 1);
});

test("a repeat by anybody changes nothing of what is kept", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  await world.newsletter.sync({ ...person("a@x.test"), name: "A Stranger" }, NEVER_SYNCED);
  world.state.ok = true;
  await world.until(() => world.synced.length === 1);
  expect(world.synced).toEqual(["a@x.test Ada"]);
});

test("a repeat by the person ends it", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.state.ok = true;
  await world.fail("a@x.test");
  await world.expectRest();
  expect(world.synced).toEqual(["a@x.test Ada"]);
});

test("after an hour it is given up", async () => {
  using time = openTimeMachine();
  using world = setUp();
  await world.fail("a@x.test");
  time.skip(3_600_001);
  await Bun.sleep(30);
  world.state.ok = true;
  await world.expectRest();
  expect(world.synced).toEqual([]);
});

test("a clock that is set a day ahead gives nobody up", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  setSystemTime(new Date(Date.now() + 86_400_000));
  try {
    await Bun.sleep(30);
    world.state.ok = true;
    await world.until(() => world.synced.length === 1);
  } finally {
    setSystemTime();
  }
});

test("of more than a thousand people the oldest are forgotten", async () => {
  using world = setUp();
  for (let at = 0; at < 1_001; at += 1) await world.fail(`${at}@x.test`);
  world.state.ok = true;
  await world.until(() => world.synced.length === 1_000);
  expect(world.synced).not.toContain("0@x.test Ada");
});

test("nothing is tried after the end", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.newsletter.close?.();
  await world.expectRest();
});
