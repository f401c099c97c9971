import { describe, expect, test } from "bun:test";
import { listmonkPublic } from "../../../../server/signup/newsletter/listmonk-public.ts";
import * as faults from "../../support/fake-listmonk/public-form.ts";
import { EMAIL, expectDiscreet, NEVER_SYNCED, SUBSCRIBER, setUp, withNotes } from "./world.ts";

const FORM = "POST /api/public/subscription";
const SYNCED = { synced: true, listmonkId: undefined };
const OK = { ok: true, listmonkId: undefined };
const NOT_OK = { ok: false, listmonkId: undefined, failure: expect.any(String) };

function setUpForm(change: { readonly listUuid?: string } = {}) {
  const world = setUp();
  const { url, list } = world.listmonk;
  const warnings: string[] = [];
  const makeForm = () =>
    withNotes(warnings, listmonkPublic({ url, listUuid: list.uuid, ...change }));
  return { ...world, warnings, makeForm, form: makeForm() };
}

test("a new address is put on the list, without attributes or credentials", async () => {
  await using world = setUpForm();
  expect(await world.form.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual(OK);
  const [row] = world.listmonk.subscribers.rows.values();
  expect(row).toMatchObject({ email: EMAIL, name: "Ada Lovelace", attribs: {} });
  expect([...(row?.subscriptions.values() ?? [])]).toEqual(["unconfirmed"]);
  const [asked] = world.seenAt(FORM);
  expect(asked?.body).toEqual({
    email: EMAIL,
    name: "Ada Lovelace",
    list_uuids: [world.listmonk.list.uuid],
  });
  expect(asked?.headers.get("authorization")).toBeNull();
});

test("a synced person is not sent again, so not re-subscribed: an empty form is, in its place", async () => {
  await using world = setUpForm();
  const row = world.addKnown();
  row.subscriptions.set(world.listmonk.list.id, "unsubscribed");
  expect(await world.form.sync(SUBSCRIBER, SYNCED)).toEqual(OK);
  expect(world.seenAt(FORM).map(({ status, body }) => [status, body])).toEqual([
    [400, { email: "", name: "", list_uuids: [] }],
  ]);
  expect([...row.subscriptions.values()]).toEqual(["unsubscribed"]);
  // The effect of the call.
  await world.form.sync(SUBSCRIBER, NEVER_SYNCED);
  expect([...row.subscriptions.values()]).toEqual(["unconfirmed"]);
});

describe("a failed request leaves the person unsynced, and a repeat syncs", () => {
  test.each([
    ["400", faults.fails(400)],
    ["403", faults.fails(403)],
    ["500", faults.fails(500)],
    ["a page", faults.html],
    ["a redirect", faults.redirects],
    ["a huge body", faults.huge],
  ])("%s", async (_, fault) => {
    await using world = setUpForm();
    world.listmonk.faults.set(FORM, fault);
    expect(await world.form.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual(NOT_OK);
    expectDiscreet(world.warnings);
    world.listmonk.faults.clear();
    expect(await world.form.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual(OK);
  });
});

const MISSING = "11111111-2222-4333-8444-555555555555";

test.each([
  ["unknown", async () => setUpForm({ listUuid: MISSING })],
  [
    "deleted later",
    async () => {
      const world = setUpForm();
      await world.form.sync({ ...SUBSCRIBER, email: "first@site.test" }, NEVER_SYNCED);
      world.listmonk.subscribers.lists.clear();
      return { ...world, form: world.makeForm() };
    },
  ],
])("a list that is %s is not a sync, and nobody is sent there", async (_, make) => {
  await using world = await make();
  const sent = world.seenAt(FORM).length;
  expect(await world.form.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual(NOT_OK);
  expect(world.seenAt(FORM)).toHaveLength(sent);
  expect(world.warnings).toEqual([expect.stringMatching(/^listmonk has no public list /)]);
});

describe.each([
  ["is down", () => faults.fails(500)],
  ["answers with a page", () => faults.html],
])("while listmonk %s", (_, fault) => {
  test.each([
    ["new", NEVER_SYNCED],
    ["known", SYNCED],
  ])("an address that is %s gets the same answer, after the same call", async (_kind, state) => {
    await using world = setUpForm();
    for (const route of [FORM, "GET /api/public/lists"]) {
      world.listmonk.faults.set(route, fault());
    }
    expect(await world.form.sync(SUBSCRIBER, state)).toEqual(NOT_OK);
    expect(world.listmonk.seen.map(({ route }) => route)).toEqual(["GET /api/public/lists"]);
    world.listmonk.faults.clear();
    expect(await world.form.sync(SUBSCRIBER, state)).toEqual(OK);
  });
});

describe("the check at the start", () => {
  test("has nothing to say of a form that works, and subscribes nobody", async () => {
    await using world = setUpForm();
    expect(await world.form.check?.()).toEqual([]);
    expect([...world.listmonk.subscribers.rows]).toEqual([]);
  });

  test("warns of a form that is turned off, in whatever language", async () => {
    await using world = setUpForm();
    const message = "Diese Funktion ist nicht verfügbar.";
    world.listmonk.faults.set(FORM, faults.answers({ message }, 400));
    expect(await world.form.check?.()).toEqual([
      expect.stringMatching(/public form is turned off/),
    ]);
  });

  test("warns of an unknown list, which listmonk would accept", async () => {
    const listUuid = MISSING;
    await using world = setUpForm({ listUuid });
    expect(await world.form.check?.()).toEqual([expect.stringContaining(listUuid)]);
  });

  test("warns of a private list", async () => {
    await using world = setUpForm();
    const { subscribers, list } = world.listmonk;
    subscribers.lists.set(list.id, { ...list, type: "private" });
    expect(await world.form.check?.()).toHaveLength(1);
  });

  test("never throws", async () => {
    await using world = setUpForm();
    world.listmonk.faults.set("GET /api/public/lists", faults.fails(400));
    expect(await world.form.check?.()).toEqual([expect.stringMatching(/answered 400/)]);
  });
});
