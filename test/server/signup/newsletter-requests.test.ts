import { describe, expect, test } from "bun:test";
import { newsletterOff } from "../../../server/signup/open.ts";
import { fails } from "./fake-listmonk/faults.ts";
import { EMAIL, NEVER_SYNCED, SUBSCRIBER, setUp } from "./newsletter/set-up.ts";

describe("what is sent", () => {
  test("a new subscriber", async () => {
    await using world = setUp();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.listmonk.seen.map(({ body }) => body)).toEqual([
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
        urls.push(asked);
        return Response.json({}, { status: 500 });
      };
      await world.makeNewsletter({ url, fetch }).sync(SUBSCRIBER, NEVER_SYNCED);
    }
    expect(new Set(urls)).toEqual(new Set(["http://localhost/news/api/subscribers"]));
  });

  test("a list whose opt-in was not seen at the start is asked for", async () => {
    await using world = setUp();
    world.addKnown();
    world.wantConfirmation();
    await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
    expect(world.seenAt("GET /api/lists/{id}")).toHaveLength(1);
    expect(world.listmonk.book.mails).toEqual([EMAIL]);
  });
});

test("row 47: new, repeated, unsubscribed and blocklisted have one answer", async () => {
  await using world = setUp();
  const answers = [];
  for (const change of ["new", "repeated", "unsubscribed", "blocklisted"]) {
    const [row] = world.listmonk.book.rows.values();
    if (row && change === "unsubscribed") row.subscriptions.set(world.listmonk.list.id, change);
    if (row && change === "blocklisted") row.status = change;
    answers.push(await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED));
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ ok: true });
});

describe("the check at the start", () => {
  test("says nothing of a list that is right", async () => {
    await using world = setUp();
    expect(await world.newsletter.check?.()).toEqual([]);
  });

  test.each([
    ["private", { type: "private" }, /is private/],
    ["archived", { status: "archived" }, /is archived/],
  ])("tells of a list that is %s", async (_, change, said) => {
    await using world = setUp();
    const { book, list } = world.listmonk;
    book.lists.set(list.id, { ...list, ...change });
    expect(await world.newsletter.check?.()).toEqual([expect.stringMatching(said)]);
  });

  test("tells of a list that there is not", async () => {
    await using world = setUp();
    const warnings = await world.makeNewsletter({ listId: 77 }).check?.();
    expect(warnings).toEqual(["listmonk has no list 77: check LISTMONK_LIST_ID"]);
  });

  test("tells of a wrong token, and not which", async () => {
    await using world = setUp();
    const warnings = await world.makeNewsletter({ token: "wrong-token" }).check?.();
    expect(warnings).toEqual([expect.stringMatching(/^listmonk refuses the API user and token/)]);
  });

  test("tells of a listmonk that fails, and never throws", async () => {
    await using world = setUp();
    world.listmonk.faults.set("GET /api/lists/{id}", fails(500));
    expect(await world.newsletter.check?.()).toEqual([
      "listmonk's GET /api/lists/{id} answered 500 in an unexpected way",
    ]);
  });
});

test("without a newsletter all is well, and there is nothing to check", async () => {
  expect(await newsletterOff.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
    ok: true,
    listmonkId: undefined,
    skipped: true,
  });
  expect(newsletterOff.check).toBeUndefined();
});
