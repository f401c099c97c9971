import { describe, expect, test } from "bun:test";
import { listmonkPublic } from "../../../server/signup/newsletter/listmonk-public.ts";
import { hang, stall } from "./fake-listmonk/faults.ts";
import { EMAIL, expectDiscreet, NEVER_SYNCED, SUBSCRIBER, setUp } from "./newsletter/set-up.ts";

/** Above the three seconds of a call, and above the eight of a sync. */
const CALL_MS = 3_900;
const SYNC_MS = 8_900;
const TEST_MS = 12_000;

const SEARCH = "GET /api/subscribers";
const ADD = "PUT /api/subscribers/lists";

const elapsedSince = (start: number): number => performance.now() - start;

const STEPS = [
  "POST /api/subscribers",
  SEARCH,
  ADD,
  "PATCH /api/subscribers/{id}",
  "POST /api/public/subscription",
];

// All at a time, for they do little but wait.
describe("a listmonk without an end", () => {
  test.concurrent.each(
    STEPS.flatMap((at) => [
      [at, "hangs", hang] as const,
      [at, "stalls within its body", stall] as const,
    ]),
  )(
    "row 35 and 40: when %s %s, that is no sync, and a repeat makes it good",
    async (at, _, fault) => {
      await using world = setUp();
      const { url, list } = world.listmonk;
      const newsletter = at.includes("public")
        ? listmonkPublic({ url, listUuid: list.uuid, warn: (said) => world.warnings.push(said) })
        : world.newsletter;
      if (at !== STEPS[0]) world.addKnown();
      world.listmonk.faults.set(at, fault);
      const start = performance.now();
      expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
      expect(elapsedSince(start)).toBeLessThan(CALL_MS);
      expectDiscreet(world.warnings);
      world.listmonk.faults.clear();
      expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
    },
    TEST_MS,
  );

  test.concurrent(
    "calls that are each in time, but not all together, end after eight seconds",
    async () => {
      await using world = setUp({ latencyMs: 2_500 });
      world.addKnown();
      const start = performance.now();
      expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
      expect(elapsedSince(start)).toBeLessThan(SYNC_MS);
      expect(world.listmonk.seen.map(({ route }) => route)).toEqual([
        "POST /api/subscribers",
        SEARCH,
        ADD,
      ]);
    },
    TEST_MS,
  );

  test.concurrent(
    "row 39: a look-up that was given up still counts, for listmonk goes on with it",
    async () => {
      await using world = setUp();
      const newsletter = world.makeNewsletter({ maxLookups: 1 });
      world.addKnown();
      world.addKnown("bob@site.test");
      world.listmonk.faults.set(SEARCH, hang);
      const start = performance.now();
      const both = [EMAIL, "bob@site.test"].map((email) =>
        newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED),
      );
      expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([false, false]);
      expect(elapsedSince(start)).toBeLessThan(SYNC_MS);
      expect(world.listmonk.state.mostLookUps).toBe(1);
      expect(world.warnings).toContain("Too many look-ups wait for listmonk");
    },
    TEST_MS,
  );

  test.concurrent(
    "two addresses do not wait for one another",
    async () => {
      await using world = setUp();
      world.listmonk.faults.set("POST /api/subscribers", (request) =>
        // The first one only.
        world.listmonk.faults.delete("POST /api/subscribers") ? hang(request) : stall(request),
      );
      const waiting = world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
      await Bun.sleep(100);
      const start = performance.now();
      const other = { ...SUBSCRIBER, email: "bob@site.test" };
      expect((await world.newsletter.sync(other, NEVER_SYNCED)).ok).toBe(true);
      expect(elapsedSince(start)).toBeLessThan(1_000);
      expect((await waiting).ok).toBe(false);
    },
    TEST_MS,
  );

  test.concurrent(
    "the check at the start tells of it, and never throws",
    async () => {
      await using world = setUp();
      world.listmonk.faults.set("GET /api/lists/{id}", hang);
      expect(await world.newsletter.check?.()).toEqual([
        "listmonk's GET /api/lists/{id} failed: TimeoutError",
      ]);
    },
    TEST_MS,
  );
});
