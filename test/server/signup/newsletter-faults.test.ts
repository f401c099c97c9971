import { describe, expect, test } from "bun:test";
import { tellable } from "../../../server/signup/errors.ts";
import * as faults from "./fake-listmonk/faults.ts";
import { expectDiscreet, NEVER_SYNCED, SUBSCRIBER, setUp } from "./newsletter/set-up.ts";

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

describe("row 35 and 40: a fault is no sync, and a repeat makes it good", () => {
  test.each(ROWS)("%s: %s", async (at, _, fault) => {
    await using world = setUp();
    const { listmonk, newsletter, warnings, addKnown } = world;
    if (at !== CREATE) addKnown();
    listmonk.faults.set(at, fault);
    expect(await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
      ok: false,
      listmonkId: undefined,
    });
    expectDiscreet(warnings);

    listmonk.faults.clear();
    const again = await newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(again).toEqual({ ok: true, listmonkId: expect.any(Number) });
    const [row] = listmonk.book.rows.values();
    expect(row?.subscriptions.get(listmonk.list.id)).toBe("unconfirmed");
    expect(row?.attribs).toEqual(SUBSCRIBER.attributes);
  });
});

test("row 35: a listmonk that is not there", async () => {
  const { listmonk, newsletter, warnings } = setUp();
  await listmonk[Symbol.asyncDispose]();
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expectDiscreet(warnings);
});

test("row 35: a database that is down, which a search calls a bad request", async () => {
  await using world = setUp();
  const { listmonk, newsletter, addKnown } = world;
  const { id } = addKnown();
  listmonk.faults.set(CREATE, () => {
    listmonk.state.isDatabaseDown = true;
    return Response.json({ message: "E-mail already exists." }, { status: 409 });
  });
  const result = await newsletter.sync(SUBSCRIBER, { synced: false, listmonkId: id });
  expect(result).toEqual({ ok: false, listmonkId: id });
});

test.each([500, 403, 404])("a stored number that is answered with %d", async (status) => {
  await using world = setUp();
  const { listmonk, newsletter, addKnown } = world;
  const state = { synced: true, listmonkId: addKnown().id };
  listmonk.faults.set(BY_ID, faults.fails(status));
  expect((await newsletter.sync(SUBSCRIBER, state)).ok).toBe(false);
});

test.each([404, 405])(
  "row 38: a server without PATCH, which says %d, is no failure",
  async (status) => {
    await using world = setUp();
    const { listmonk, newsletter, warnings, addKnown } = world;
    addKnown();
    listmonk.faults.set(MERGE, faults.fails(status));
    expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
    expect(warnings).toEqual([]);
  },
);

test("an opt-in mail that fails is told of, and no failure", async () => {
  await using world = setUp();
  const { listmonk, newsletter, warnings, addKnown, wantConfirmation } = world;
  addKnown();
  wantConfirmation();
  listmonk.faults.set(OPTIN, faults.fails(500));
  expect((await newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expectDiscreet(warnings);
});

test("row 46: a page in the place of listmonk is told of, with what to check", async () => {
  await using world = setUp();
  world.listmonk.faults.set(CREATE, faults.html);
  await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
  expect(world.warnings).toEqual([
    "listmonk answered with something else than JSON: check LISTMONK_URL",
  ]);
});

test("row 46: of a fault of ours, only the kind is told", () => {
  const fault = new TypeError(`cannot read ${SUBSCRIBER.email}`);
  expect(tellable(fault)).toBe("The sync with listmonk failed: TypeError");
});
