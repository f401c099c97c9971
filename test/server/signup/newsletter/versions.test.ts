import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactPattern } from "../../../../server/signup/newsletter/listmonk-api.ts";
import { tries } from "../../../support/runs.ts";
import { address, SIGNS } from "./addresses.ts";
import { EMAIL, NEVER_SYNCED, SUBSCRIBER, setUp } from "./world.ts";

const SEARCH = "GET /api/subscribers";

test("a row in mixed case is found", async () => {
  await using world = setUp();
  const { id, subscriptions } = world.addKnown("Ada@Site.Test");
  expect(await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).toEqual({
    ok: true,
    listmonkId: id,
  });
  expect(subscriptions.get(world.listmonk.list.id)).toBe("unconfirmed");
});

test("a person whom listmonk has but does not find stays unsynced", async () => {
  await using world = setUp();
  world.addKnown();
  world.listmonk.faults.set(SEARCH, () => Response.json({ data: { results: [], total: 0 } }));
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expect(world.seenAt(SEARCH)).toHaveLength(2);
});

describe("listmonk 4, which ignores a search", () => {
  const IGNORED =
    "listmonk ignores a search, as versions before 5 do: nobody is subscribed until it is updated";

  test.each([[EMAIL], ["new@site.test"]])(
    "fails a sync of %s, and changes nothing",
    async (email) => {
      await using world = setUp({ version: 4.1 });
      const rows = [world.addKnown(), world.addKnown("bob@site.test")];
      const { ok } = await world.newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED);
      expect([ok, world.warnings]).toEqual([false, [IGNORED]]);
      expect([...world.listmonk.subscribers.rows.values()]).toEqual(rows);
      expect(world.listmonk.seen.map(({ route }) => route)).toEqual([SEARCH]);
      expect(await world.newsletter.check()).toEqual([IGNORED]);
    },
  );
});

test("listmonk 6.0 adds no attributes, and the sync succeeds", async () => {
  await using world = setUp({ version: 6 });
  const { attribs, subscriptions } = world.addKnown();
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expect(attribs).toEqual({});
  expect([...subscriptions.values()]).toEqual(["unconfirmed"]);
});

const TRIES = tries(500);

const finds = (text: string, row: string) => new RegExp(exactPattern(text), "i").test(row);

test("the pattern of an address finds it in any letter case", () => {
  fc.assert(
    fc.property(address, (text) => {
      expect(finds(text, text)).toBe(true);
      expect(finds(text, text.toUpperCase())).toBe(true);
    }),
    TRIES,
  );
});

test("the pattern of an address finds nothing that differs in one character", () => {
  const sign = fc.constantFrom(...SIGNS, "@", "");
  fc.assert(
    fc.property(address, fc.nat(), sign, fc.boolean(), (text, at, other, replaces) => {
      const index = at % (text.length + 1);
      const changed = text.slice(0, index) + other + text.slice(index + (replaces ? 1 : 0));
      fc.pre(changed !== text);
      expect(finds(text, changed)).toBe(false);
    }),
    TRIES,
  );
});
