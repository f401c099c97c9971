import { describe, expect, test } from "bun:test";
import { redactedMessage } from "../../../../server/signup/errors.ts";
import { listmonkPublic } from "../../../../server/signup/newsletter/listmonk-public.ts";
import * as faults from "../../support/fake-listmonk/public-form.ts";
import { hang, stall } from "../../support/fake-listmonk/public-form.ts";
import { EMAIL, expectDiscreet, NEVER_SYNCED, SUBSCRIBER, setUp } from "./world.ts";

const CREATE = "POST /api/subscribers";
const SEARCH = "GET /api/subscribers";
const BY_ID = "GET /api/subscribers/{id}";
const ADD = "PUT /api/subscribers/lists";
const MERGE = "PATCH /api/subscribers/{id}";
const OPTIN = "POST /api/subscribers/{id}/optin";

const ANYWHERE = [
  ["500", faults.fails(500)],
  ["502", faults.fails(502)],
  ["403", faults.fails(403)],
  ["400", faults.fails(400)],
  ["415", faults.fails(415)],
  ["429", faults.fails(429)],
  ["a page", faults.html],
  ["JSON that is called a page", faults.mistyped],
  ["JSON cut off", faults.truncated],
  ["nothing", faults.empty],
  ["a redirect", faults.redirects],
  ["a huge body", faults.huge],
] as const;

/** Where the body says something, another one is no answer. */
const READ = [
  ["null", faults.answers(null)],
  ["a list", faults.answers([])],
  ["no data", faults.answers({ data: null })],
  ["an id that is none", faults.answers({ data: { id: "1", lists: [{ id: 1 }] } })],
  ["201", faults.answers({ data: { id: 1, lists: [{ id: 1 }] } }, 201)],
] as const;

const ROWS = [
  ...[CREATE, SEARCH, ADD, MERGE].flatMap((at) => ANYWHERE.map((row) => [at, ...row] as const)),
  ...[CREATE, SEARCH].flatMap((at) => READ.map((row) => [at, ...row] as const)),
];

describe("a failed request leaves the person unsynced, and a repeat syncs", () => {
  test.each(ROWS)("%s: %s", async (at, _, fault) => {
    await using world = setUp();
    const { listmonk, newsletter, warnings, addKnown } = world;
    if (at !== CREATE) addKnown();
    listmonk.faults.set(at, fault);
    expect(await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
      ok: false,
      listmonkId: undefined,
      failure: expect.any(String),
    });
    expectDiscreet(warnings);

    listmonk.faults.clear();
    const again = await newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(again).toEqual({ ok: true, listmonkId: expect.any(Number) });
    const [row] = listmonk.subscribers.rows.values();
    expect(row?.subscriptions.get(listmonk.list.id)).toBe("unconfirmed");
    expect(row?.attribs).toEqual(SUBSCRIBER.attributes);
  });
});

test("listmonk does not answer", async () => {
  const { listmonk, newsletter, warnings } = setUp();
  await listmonk[Symbol.asyncDispose]();
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expectDiscreet(warnings);
});

test("the database of listmonk is down, which its search reports as a bad request", async () => {
  await using world = setUp();
  const { listmonk, newsletter, addKnown } = world;
  const { id } = addKnown();
  listmonk.faults.set(CREATE, () => {
    listmonk.state.isDatabaseDown = true;
    return Response.json({ message: "E-mail already exists." }, { status: 409 });
  });
  const result = await newsletter.sync(SUBSCRIBER, { synced: false, listmonkId: id });
  expect(result).toMatchObject({ ok: false, listmonkId: id });
});

test.each([500, 403, 404])("a stored number that is answered with %d", async (status) => {
  await using world = setUp();
  const { listmonk, newsletter, addKnown } = world;
  const state = { synced: true, listmonkId: addKnown().id };
  listmonk.faults.set(BY_ID, faults.fails(status));
  expect((await newsletter.sync(SUBSCRIBER, state)).ok).toBe(false);
});

test.each([404, 405])("a server without PATCH, which answers %d, is no error", async (status) => {
  await using world = setUp();
  const { listmonk, newsletter, warnings, addKnown } = world;
  addKnown();
  listmonk.faults.set(MERGE, faults.fails(status));
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expect(warnings).toEqual([]);
});

test("a failed opt-in mail is logged, and a repeat asks for it again, once", async () => {
  await using world = setUp();
  const { listmonk, newsletter, warnings, addKnown, wantConfirmation } = world;
  addKnown();
  wantConfirmation();
  listmonk.faults.set(OPTIN, faults.fails(500));
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expectDiscreet(warnings);
  listmonk.faults.clear();
  const repeat = await newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
  expect(repeat).toMatchObject({ ok: true });
  await newsletter.sync(SUBSCRIBER, { ...repeat, synced: true });
  expect(listmonk.subscribers.mails).toEqual([EMAIL]);
});

test("an HTML page instead of listmonk is logged, with what to check", async () => {
  await using world = setUp();
  world.listmonk.faults.set(CREATE, faults.html);
  await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
  expect(world.warnings).toEqual([
    "listmonk answered with something else than JSON: check LISTMONK_URL",
  ]);
});

test("of an internal error only the kind is logged", () => {
  const fault = new TypeError(`cannot read ${SUBSCRIBER.email}`);
  expect(redactedMessage(fault)).toBe("The sync with listmonk failed: TypeError");
});

/** Above the three seconds of a call, and above the eight of a sync; a busy machine takes its time. */
const CALL_MS = 6_000;
const SYNC_MS = 11_000;
const TEST_MS = 20_000;

const elapsedSince = (start: number): number => performance.now() - start;

const STEPS = [
  "POST /api/subscribers",
  SEARCH,
  ADD,
  "PATCH /api/subscribers/{id}",
  "POST /api/public/subscription",
];

// All at a time, for they do little but wait.
describe("a listmonk whose answer does not end", () => {
  test.concurrent.each(
    STEPS.flatMap((at) => [
      [at, "hangs", hang] as const,
      [at, "stalls within its body", stall] as const,
    ]),
  )(
    "when %s %s, the person stays unsynced, and a repeat syncs",
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
      // Three of them and no fourth, with time to spare on both sides.
      await using world = setUp({ latencyMs: 2_300 });
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
    "a look-up that timed out still counts, because listmonk continues it",
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
      // The first one takes three seconds.
      expect(elapsedSince(start)).toBeLessThan(2_500);
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
