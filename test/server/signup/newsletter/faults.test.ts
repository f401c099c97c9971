import { describe, expect, test } from "bun:test";
import { redactedMessage } from "../../../../server/signup/signup-errors.ts";
import { expectPending, stopClock, watched } from "../../support/clock.ts";
import * as faults from "../../support/faults.ts";
import { hang, stall } from "../../support/faults.ts";
import { EMAIL, expectDiscreet, NEVER_SYNCED, SUBSCRIBER, setUp } from "./world.ts";

const CREATE = "POST /api/subscribers";
const SEARCH = "GET /api/subscribers";
const ADD = "PUT /api/subscribers/lists";
const MERGE = "PATCH /api/subscribers/{id}";
const OPTIN = "POST /api/subscribers/{id}/optin";

const ANYWHERE = [
  ["500", faults.fails(500)],
  ["400", faults.fails(400)],
  ["a page", faults.page(200)],
  ["JSON cut off", faults.truncated],
  ["a redirect", faults.redirects],
  ["a huge body", faults.huge],
] as const;

/** Calls whose body matters: another body is not an answer. */
const READ = [
  ["null", faults.json(null)],
  ["an id that is none", faults.json({ data: { id: "1", lists: [{ id: 1 }] } })],
  ["201", faults.json({ data: { id: 1, lists: [{ id: 1 }] } }, 201)],
] as const;

const ROWS = [
  ...[CREATE, SEARCH, ADD, MERGE].flatMap((at) => ANYWHERE.map((row) => [at, ...row] as const)),
  ...[CREATE, SEARCH].flatMap((at) => READ.map((row) => [at, ...row] as const)),
];

describe("a failed request leaves the person unsynced, and a repeat syncs", () => {
  test.each(ROWS)("%s: %s", async (at, name, fault) => {
    await using world = setUp();
    const { listmonk, newsletter, warnings, addKnown } = world;
    if (at !== CREATE) addKnown();
    listmonk.faults.set(at, fault);
    const failed = await newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    const rejected = at === CREATE && name === "400";
    expect(failed).toMatchObject({ ok: false, rejected });
    expectDiscreet(warnings);

    listmonk.faults.clear();
    const again = await newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(again).toEqual({ ok: true });
    const [row] = listmonk.subscribers.rows.values();
    expect(row?.subscriptions.get(listmonk.list.id)).toBe("unconfirmed");
    expect(row?.attribs).toEqual(SUBSCRIBER.attributes);
  });
});

test.each([404, 405])(
  "a server without PATCH, which answers %d, is not an error",
  async (status) => {
    await using world = setUp();
    const { listmonk, newsletter, warnings, addKnown } = world;
    addKnown();
    listmonk.faults.set(MERGE, faults.fails(status));
    expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
    expect(warnings).toEqual([]);
  },
);

test("a failed opt-in mail is logged, and a repeat asks for it again, once", async () => {
  await using world = setUp();
  const { listmonk, newsletter, warnings, addKnown, wantConfirmation } = world;
  addKnown();
  wantConfirmation();
  listmonk.faults.set(OPTIN, faults.fails(500));
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expectDiscreet(warnings);
  listmonk.faults.clear();
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  await newsletter.sync(SUBSCRIBER, true);
  expect(listmonk.subscribers.mails).toEqual([EMAIL]);
});

test.each([
  ...[200, 401, 403, 502, 503].map((status) => [status, faults.page(status)] as const),
  [307, faults.redirects] as const,
])(
  "a proxy's %d instead of listmonk's answer is logged, with what to check",
  async (status, fault) => {
    await using world = setUp();
    world.listmonk.faults.set(CREATE, fault);
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.warnings).toEqual([
      `listmonk's POST /api/subscribers returned ${status} without JSON: check LISTMONK_URL, which must not redirect, and a proxy in front of listmonk`,
    ]);
  },
);

test.each([
  ["E-mail domain is blocklisted.", ": E-mail domain is blocklisted."],
  ["\u001b[31mno", ": \\u001b[31mno"],
  ["Error: Key (email)=(ada@site.test)", ""],
  ["Ada Lovelace is no name", ""],
  ["ADA LOVELACE is no name", ""],
  [`${"x".repeat(197)}ada@site.test`, ""],
])(
  "a subscriber rejected with %j is not tried again, and the log says why",
  async (said, words) => {
    await using world = setUp();
    world.listmonk.faults.set(CREATE, faults.fails(400, said));
    const failure = `listmonk does not accept the address${words}`;
    expect(await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toMatchObject({
      ok: false,
      rejected: true,
      failure,
    });
  },
);

test("of an internal error only the kind is logged", () => {
  const fault = new TypeError(`cannot read ${SUBSCRIBER.email}`);
  expect(redactedMessage(fault)).toBe("The sync with listmonk failed: TypeError");
});

/** Every call has this long, and all calls of a sync together. */
const CALL_MS = 3_000;
const SYNC_MS = 8_000;

const STEPS = [CREATE, SEARCH, ADD, MERGE];

describe("a listmonk whose answer does not end", () => {
  test.each(
    STEPS.flatMap((at) => [
      [at, "hangs", hang] as const,
      [at, "stalls within its body", stall] as const,
    ]),
  )("when %s %s, the person stays unsynced, and a repeat syncs", async (at, _, fault) => {
    await using world = setUp();
    using clock = stopClock();
    const { newsletter } = world;
    if (at !== CREATE) world.addKnown();
    const { reached, handler } = watched(fault);
    world.listmonk.faults.set(at, handler);
    const result = newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    await reached;
    clock.pass(CALL_MS - 1);
    await expectPending(result);
    clock.pass(1);
    expect((await result).ok).toBe(false);
    expectDiscreet(world.warnings);
    world.listmonk.faults.clear();
    expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  });

  test("a mail that listmonk sends late is asked for once", async () => {
    await using world = setUp();
    using clock = stopClock();
    const { listmonk, newsletter, addKnown, wantConfirmation } = world;
    wantConfirmation();
    const row = addKnown();
    const { reached, handler } = watched((request: Request) => {
      listmonk.subscribers.mail(row);
      return hang(request);
    });
    listmonk.faults.set(OPTIN, handler);
    const first = newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    await reached;
    clock.pass(CALL_MS);
    expect(await first).toEqual({ ok: true });
    expect(listmonk.subscribers.mails).toEqual([EMAIL]);
  });

  test("calls that are each in time, but not all together, end after eight seconds", async () => {
    using clock = stopClock();
    let asked = 0;
    await using world = setUp({
      before: async () => {
        asked += 1;
        // Two of them are in time.
        clock.pass(2_900);
        if (asked === 3) await hang(new Request("http://listmonk.test"));
      },
    });
    const { listmonk } = world;
    listmonk.faults.set(CREATE, faults.fails(409));
    expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
    expect(listmonk.seen.map(({ route }) => route)).toEqual([SEARCH, CREATE]);
  });

  test("a look-up that timed out still counts, because listmonk continues it", async () => {
    await using world = setUp();
    using clock = stopClock();
    const newsletter = world.makeNewsletter({ maxSearches: 1 });
    world.addKnown();
    world.addKnown("bob@site.test");
    const { reached, handler } = watched(hang);
    world.listmonk.faults.set(SEARCH, handler);
    const both = [EMAIL, "bob@site.test"].map((email) =>
      newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED),
    );
    await reached;
    clock.pass(CALL_MS);
    expect((await Promise.race(both)).ok).toBe(false);
    await expectPending(Promise.all(both));
    clock.pass(SYNC_MS - CALL_MS);
    expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([false, false]);
    expect(world.listmonk.state.mostLookUps).toBe(1);
    expect(world.warnings).toContain("Too many searches wait for listmonk");
  });
});
