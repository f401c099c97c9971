import { expect, test } from "bun:test";
import type { Newsletter } from "../../../../server/signup/model.ts";
import { withRetry } from "../../../../server/signup/newsletter/retry.ts";
import { NEVER_SYNCED } from "./world.ts";

const person = (email: string) => ({ email, name: "Ada", attributes: { ctaSource: "hero" } });

/** A newsletter that fails until it is told otherwise, repeated every few milliseconds. */
function setUp() {
  const state = { ok: false, time: 0 };
  const tried: string[] = [];
  const synced: string[] = [];
  const inner: Newsletter = {
    sync: async ({ email }) => {
      tried.push(email);
      return { ok: state.ok, listmonkId: state.ok ? 7 : undefined };
    },
  };
  const newsletter = withRetry(inner, {
    onSynced: async (email, id) => void synced.push(`${email} ${id}`),
    now: () => new Date(state.time),
    everyMs: 5,
  });
  const until = async (isDone: () => boolean) => {
    for (let tries = 0; tries < 200 && !isDone(); tries += 1) await Bun.sleep(5);
    expect(isDone()).toBe(true);
  };
  return {
    ...{ state, tried, synced, newsletter, until },
    fail: (email: string) => newsletter.sync(person(email), NEVER_SYNCED),
    [Symbol.dispose]: () => newsletter.close?.(),
  };
}

test("a failed sync is repeated until it succeeds, and its number is noted", async () => {
  using world = setUp();
  expect((await world.fail("a@x.test")).ok).toBe(false);
  await world.until(() => world.tried.length > 3);
  expect(world.synced).toEqual([]);
  world.state.ok = true;
  await world.until(() => world.synced.length === 1);
  const tried = world.tried.length;
  await Bun.sleep(30);
  expect(world.tried).toHaveLength(tried);
  expect(world.synced).toEqual(["a@x.test 7"]);
});

test("while it fails, one person of a round is tried", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  await world.fail("b@x.test");
  await world.until(() => world.tried.length > 6);
  expect(new Set(world.tried.slice(2))).toEqual(new Set(["a@x.test"]));
});

test("a repeat by the person ends it", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.state.ok = true;
  await world.fail("a@x.test");
  const tried = world.tried.length;
  await Bun.sleep(30);
  expect(world.tried).toHaveLength(tried);
  expect(world.synced).toEqual([]);
});

test("after an hour it is given up", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.state.time = 3_600_001;
  await Bun.sleep(30);
  const tried = world.tried.length;
  world.state.ok = true;
  await Bun.sleep(30);
  expect(world.tried).toHaveLength(tried);
  expect(world.synced).toEqual([]);
});

test("of more than a thousand people the oldest are forgotten", async () => {
  using world = setUp();
  for (let at = 0; at < 1_001; at += 1) await world.fail(`${at}@x.test`);
  world.state.ok = true;
  await world.until(() => world.synced.length === 1_000);
  expect(world.synced).not.toContain("0@x.test 7");
});

test("nothing is tried after the end", async () => {
  using world = setUp();
  await world.fail("a@x.test");
  world.newsletter.close?.();
  const tried = world.tried.length;
  await Bun.sleep(30);
  expect(world.tried).toHaveLength(tried);
});
