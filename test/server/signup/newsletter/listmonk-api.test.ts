import { describe, expect, test } from "bun:test";
import { listmonkApi } from "../../../../server/signup/newsletter/listmonk-api.ts";
import { answers, fails } from "../../support/fake-listmonk/faults.ts";
import { startFakeListmonk } from "../../support/fake-listmonk/server.ts";
import { CASES } from "./cases.ts";
import {
  asServer,
  EMAIL,
  NEVER_SYNCED,
  openWorld,
  runScenario,
  SUBSCRIBER,
  setUp,
} from "./world.ts";

test.each(CASES.map((row) => [row.title, row] as const))("%s", async (_, row) => {
  await using listmonk = startFakeListmonk();
  const { actual, expected } = await runScenario(await openWorld(asServer(listmonk)), row);
  expect<unknown>(actual).toEqual(expected);
});

describe("what is sent", () => {
  test("a new subscriber", async () => {
    await using world = setUp();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.seenAt("POST /api/subscribers").map(({ body }) => body)).toEqual([
      {
        email: EMAIL,
        name: "Ada Lovelace",
        status: "enabled",
        lists: [world.listmonk.list.id],
        attribs: { ctaSource: "hero" },
      },
    ]);
  });

  test("someone known: no status that re-subscribes, no name, no mail", async () => {
    await using world = setUp();
    const { id } = world.addKnown();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.seenAt("PUT /api/subscribers/lists").map(({ body }) => body)).toEqual([
      { ids: [id], action: "add", target_list_ids: [world.listmonk.list.id] },
    ]);
    expect(world.seenAt("PATCH /api/subscribers/{id}").map(({ body }) => body)).toEqual([
      { attribs: { ctaSource: "hero" }, status: "", name: "", preconfirm_subscriptions: true },
    ]);
  });

  test("the token in listmonk's own way, and never a cookie", async () => {
    await using world = setUp();
    world.addKnown();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.listmonk.seen.length).toBeGreaterThan(3);
    for (const { headers } of world.listmonk.seen) {
      expect(headers.get("authorization")).toBe("token handtools:a-token-of-listmonk");
      expect(headers.get("cookie")).toBeNull();
    }
  });

  test("below the path of a proxy, with or without a slash at its end", async () => {
    const urls: string[] = [];
    await using world = setUp();
    for (const url of ["http://localhost/news", "http://localhost/news/"]) {
      const fetch = async (asked: string) => {
        urls.push(asked.replace(/\?.*/, ""));
        return Response.json({}, { status: 500 });
      };
      await world.makeNewsletter({ url, fetch }).sync(SUBSCRIBER, NEVER_SYNCED);
    }
    expect(new Set(urls)).toEqual(new Set(["http://localhost/news/api/subscribers"]));
  });

  test("a list that became double opt-in while the server runs asks people to confirm", async () => {
    await using world = setUp();
    await world.newsletter.check?.();
    await world.newsletter.sync({ ...SUBSCRIBER, email: "bob@site.test" }, NEVER_SYNCED);
    world.listmonk.seen.length = 0;
    world.addKnown();
    world.wantConfirmation();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.seenAt("GET /api/lists/{id}")).toHaveLength(1);
    expect(world.listmonk.subscribers.mails).toEqual([EMAIL]);
  });
});

describe("an address whose domain listmonk has in letters outside ASCII", () => {
  const BROWSERS = { ...SUBSCRIBER, email: "info@xn--mller-kva.example" };

  test("is the same person, who has unsubscribed and stays so", async () => {
    await using world = setUp();
    const row = world.addKnown("info@müller.example");
    row.subscriptions.set(world.listmonk.list.id, "unsubscribed");
    expect(await world.newsletter.sync(BROWSERS, NEVER_SYNCED)).toEqual({
      ok: true,
      listmonkId: row.id,
    });
    expect(row.subscriptions.get(world.listmonk.list.id)).toBe("unsubscribed");
    expect(world.listmonk.subscribers.rows.size).toBe(1);
  });

  test("is new where listmonk has neither spelling", async () => {
    await using world = setUp();
    expect(await world.newsletter.sync(BROWSERS, NEVER_SYNCED)).toMatchObject({ ok: true });
    expect(world.listmonk.subscribers.byEmail(BROWSERS.email)).toBeDefined();
  });
});

test("150 people whose names contain an address do not hide it", async () => {
  await using world = setUp();
  for (let at = 0; at < 150; at += 1) world.addKnown(`other${at}@site.test`, EMAIL);
  const { id } = world.addKnown();
  expect(await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
    ok: true,
    listmonkId: id,
  });
  expect(world.seenAt("GET /api/subscribers")).toHaveLength(2);
});

test("an unknown address that is in many names is not found", async () => {
  await using world = setUp();
  for (let at = 0; at < 150; at += 1) world.addKnown(`other${at}@site.test`, EMAIL);
  world.listmonk.faults.set("POST /api/subscribers", fails(409));
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expect(world.seenAt("GET /api/subscribers")).toHaveLength(4);
});

describe("the stored number, for an operator's sync", () => {
  test.each([
    ["saves the search", EMAIL, 0],
    ["of somebody else does not", "bob@site.test", 1],
    ["of nobody does not", undefined, 1],
  ])("%s", async (_, owner, searches) => {
    await using world = setUp();
    const { id } = world.addKnown();
    const known = owner === EMAIL ? id : owner === undefined ? 999_999 : world.addKnown(owner).id;
    const api = listmonkApi(world.options);
    expect(await api.syncKnown(SUBSCRIBER, { synced: true, listmonkId: known })).toBe(id);
    expect(world.seenAt("GET /api/subscribers")).toHaveLength(searches);
  });
});

describe("the check at the start", () => {
  test("does not warn of a list that is set up correctly", async () => {
    await using world = setUp();
    expect(await world.newsletter.check?.()).toEqual([]);
  });

  test.each([
    ["private", { type: "private" }, /is private/],
    ["archived", { status: "archived" }, /is archived/],
  ])("tells of a list that is %s", async (_, change, said) => {
    await using world = setUp();
    const { subscribers, list } = world.listmonk;
    subscribers.lists.set(list.id, { ...list, ...change });
    expect(await world.newsletter.check?.()).toEqual([expect.stringMatching(said)]);
  });

  test("warns of a role that may not manage the list", async () => {
    await using world = setUp();
    world.listmonk.state.mayManage = false;
    const { id } = world.listmonk.list;
    expect(await world.newsletter.check?.()).toEqual([
      `The role of listmonk's API user lacks manage on list ${id}: nobody can be subscribed`,
    ]);
    expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
    expect(world.warnings).toEqual([
      expect.stringMatching(
        /^listmonk's POST \/api\/subscribers is forbidden: .*manage on the list$/,
      ),
    ]);
  });

  test.each([
    ["an account that it does not show", fails(404)],
    ["an account in another form", answers({ data: { name: "x" } })],
    ["a super admin", answers({ data: { user_role: { id: 1, permissions: null } } })],
    [
      "a role with all lists",
      answers({ data: { user_role: { id: 2, permissions: ["lists:manage_all"] } } }),
    ],
  ])("says nothing of %s", async (_, fault) => {
    await using world = setUp();
    world.listmonk.faults.set("GET /api/profile", fault);
    expect(await world.newsletter.check?.()).toEqual([]);
  });

  test("warns of an unknown list", async () => {
    await using world = setUp();
    const warnings = await world.makeNewsletter({ listId: 77 }).check?.();
    expect(warnings).toEqual(["listmonk has no list 77: check LISTMONK_LIST_ID"]);
  });

  test("warns of a wrong token, without showing it", async () => {
    await using world = setUp();
    const warnings = await world.makeNewsletter({ token: "wrong-token" }).check?.();
    expect(warnings).toEqual([expect.stringMatching(/^listmonk rejects the API user and token/)]);
  });

  test("warns of a listmonk that fails, and never throws", async () => {
    await using world = setUp();
    world.listmonk.faults.set("GET /api/lists/{id}", fails(500));
    expect(await world.newsletter.check?.()).toEqual([
      "listmonk's GET /api/lists/{id} answered 500 in an unexpected way",
    ]);
  });
});
