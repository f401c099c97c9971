import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactPattern } from "../../../../server/signup/newsletter/listmonk-api.ts";
import type { NewsletterConfig } from "../../../../server/signup/signup-config.ts";
import { tries } from "../../../support/runs.ts";
import { startFakeListmonk } from "../../support/fake-listmonk.ts";
import { type Fault, fails } from "../../support/faults.ts";
import { interceptFetch } from "../../support/intercept-fetch.ts";
import { address, SIGNS } from "./addresses.ts";
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
    const urls = new Set<string>();
    await using world = setUp();
    using _ = interceptFetch("http://localhost", async (_go, _init, url) => {
      urls.add(url.replace(/\?.*/, ""));
      return Response.json({}, { status: 500 });
    });
    for (const url of ["http://localhost/news", "http://localhost/news/"]) {
      await world.makeNewsletter({ url }).sync(SUBSCRIBER, NEVER_SYNCED);
    }
    expect([...urls]).toEqual(["http://localhost/news/api/subscribers"]);
  });

  test("a list that became double opt-in while the server runs asks people to confirm", async () => {
    await using world = setUp();
    await world.newsletter.check();
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
    expect(await world.newsletter.sync(BROWSERS, NEVER_SYNCED)).toEqual({ ok: true });
    expect(row.subscriptions.get(world.listmonk.list.id)).toBe("unsubscribed");
    expect(world.listmonk.subscribers.rows.size).toBe(1);
  });

  test.each([[["info@müller.example", BROWSERS.email]], [[BROWSERS.email, "info@müller.example"]]])(
    "stays off the list where one of %j has unsubscribed",
    async (emails) => {
      await using world = setUp();
      const [other, gone] = emails.map((email) => world.addKnown(email));
      gone?.subscriptions.set(world.listmonk.list.id, "unsubscribed");
      expect((await world.newsletter.sync(BROWSERS, NEVER_SYNCED)).ok).toBe(true);
      expect(gone?.subscriptions.get(world.listmonk.list.id)).toBe("unsubscribed");
      expect(other?.subscriptions.size).toBe(0);
    },
  );
});

test("among too many people whose name is the address nobody is taken for new", async () => {
  await using world = setUp();
  for (let at = 0; at < 60; at += 1) world.addKnown(`other${at}@site.test`, EMAIL);
  const sync = () => world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
  expect((await sync()).failure).toBe("listmonk has too many subscribers named like the address");
  expect(world.seenAt("POST /api/subscribers")).toEqual([]);
});

test("a role that may not manage the list is a failure that says so", async () => {
  await using world = setUp();
  world.listmonk.state.mayManage = false;
  await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED);
  expect(world.warnings).toEqual([
    expect.stringMatching(
      /^listmonk's POST \/api\/subscribers is forbidden: .*manage on the list$/,
    ),
  ]);
});

test.each<[string, Partial<NewsletterConfig>, Readonly<Record<string, Fault>>, readonly RegExp[]]>([
  ["nothing of a list that is set up correctly", {}, {}, []],
  ["of an unknown list", { listId: 77 }, {}, [/^listmonk has no list 77: check LISTMONK_LIST_ID$/]],
  ["of a wrong token", { token: "wrong" }, {}, [/^listmonk's GET .* is forbidden: (?!.*wrong)/]],
  ["of a role", {}, { "GET /api/subscribers": fails(403) }, [/^listmonk's GET \S+ is forbidden/]],
  ["of a failure", {}, { "GET /api/lists/{id}": fails(500) }, [/ an unexpected response, 500$/]],
])("the check at the start warns %s", async (_, changes, faults, warnings) => {
  await using world = setUp();
  for (const [route, fault] of Object.entries(faults)) world.listmonk.faults.set(route, fault);
  expect(await world.makeNewsletter(changes).check()).toEqual(
    warnings.map((warning) => expect.stringMatching(warning)),
  );
});

test("whether people confirm is known of a list, unless the site confirms them itself", async () => {
  await using world = setUp();
  world.wantConfirmation();
  for (const preconfirm of [false, true]) {
    const newsletter = world.makeNewsletter({ preconfirm });
    expect(newsletter.asksToConfirm()).toBeUndefined();
    await newsletter.check();
    expect(newsletter.asksToConfirm()).toBe(!preconfirm);
  }
});

test("a person whom listmonk has but does not find stays unsynced", async () => {
  await using world = setUp();
  world.addKnown();
  world.listmonk.faults.set("GET /api/subscribers", () =>
    Response.json({ data: { results: [], total: 0 } }),
  );
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(false);
  expect(world.seenAt("GET /api/subscribers")).toHaveLength(2);
});

test.each([[EMAIL], ["new@site.test"]])(
  "listmonk 4, which ignores a search, fails a sync of %s, and changes nothing",
  async (email) => {
    const ignored =
      "listmonk ignores searches, as versions before 5 do: update it to subscribe people";
    await using world = setUp({ version: 4.1 });
    const rows = [world.addKnown(), world.addKnown("bob@site.test")];
    const { ok } = await world.newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED);
    expect([ok, world.warnings]).toEqual([false, [ignored]]);
    expect([...world.listmonk.subscribers.rows.values()]).toEqual(rows);
    expect(world.listmonk.seen.map(({ route }) => route)).toEqual(["GET /api/subscribers"]);
    expect(await world.newsletter.check()).toEqual([ignored]);
  },
);

const TRIES = tries(200);

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
