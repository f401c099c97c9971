import { describe, expect, test } from "bun:test";
import { NEVER_SYNCED, SUBSCRIBER, setUp } from "./newsletter/set-up.ts";

const SEARCH = "GET /api/subscribers";

/** More people than one page of a search has. */
const CROWD = 120;

test("row 37: a row in mixed case, whose clash is reported as a fault", async () => {
  await using world = setUp();
  const { id, subscriptions } = world.addKnown("Ada@Site.Test");
  expect(await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
    ok: true,
    listmonkId: id,
  });
  expect(subscriptions.get(world.listmonk.list.id)).toBe("unconfirmed");
});

test("row 37: whom listmonk has and does not find is not synced", async () => {
  await using world = setUp();
  world.addKnown();
  world.listmonk.faults.set(SEARCH, () => Response.json({ data: { results: [], total: 0 } }));
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expect(world.seenAt("POST /api/subscribers")).toHaveLength(2);
});

test("row 37: behind a crowd with the address for a name, its owner is not found", async () => {
  await using world = setUp();
  for (let index = 0; index < CROWD; index++) {
    world.addKnown(`${index}@crowd.test`, SUBSCRIBER.email);
  }
  const { subscriptions } = world.addKnown();
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expect(subscriptions.size).toBe(0);
  // No SQL is sent to a server that searches.
  expect(world.seenAt(SEARCH)).toHaveLength(1);
});

describe("listmonk 4, which ignores a search", () => {
  test.each(["ada@site.test", "o'hara@site.test", "' or 1=1--@site.test".replaceAll(" ", "")])(
    "finds %s in a crowd by a query",
    async (email) => {
      await using world = setUp({ version: 4.1 });
      for (let index = 0; index < CROWD; index++) world.addKnown(`${index}@crowd.test`);
      const { id, subscriptions } = world.addKnown(email);
      const result = await world.newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED);
      expect(result).toEqual({ ok: true, listmonkId: id });
      expect([...subscriptions.values()]).toEqual(["unconfirmed"]);
    },
  );

  test("needs no query where all fit on a page", async () => {
    await using world = setUp({ version: 4.1 });
    world.addKnown("bob@site.test");
    world.addKnown();
    expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
    expect(world.seenAt(SEARCH)).toHaveLength(1);
  });
});

test("row 38: listmonk 6.0 adds no attributes, and that is fine", async () => {
  await using world = setUp({ version: 6 });
  const { attribs, subscriptions } = world.addKnown();
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expect(attribs).toEqual({});
  expect([...subscriptions.values()]).toEqual(["unconfirmed"]);
});
