import { afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import { listmonkApi } from "../../../../server/signup/newsletter/listmonk-api.ts";
import { expectPending } from "../../support/clock.ts";
import { type FakeListmonk, startFakeListmonk, TOKEN, USER } from "../../support/fake-listmonk.ts";
import { exchange, type RawResponse } from "../../support/http.ts";
import { interceptFetch } from "../../support/intercept-fetch.ts";
import {
  expectRejected,
  expectSignedUp,
  GOOD,
  listmonkThat,
  rawSignup,
  signupSite,
} from "../../support/signup.ts";

const site = signupSite();

/** A site whose newsletter is a listmonk, with these people on its list. */
function withListmonk(
  { url, list, subscribers }: FakeListmonk,
  people: readonly (readonly [string, string])[] = [],
) {
  const target = { listId: list.id, preconfirm: false, maxSearches: 4 };
  site.change({ listmonk: listmonkApi({ url, user: USER, token: TOKEN, ...target }) });
  for (const [email, subscription] of people) {
    const row = { email, name: "Old", status: "enabled", attribs: {}, preconfirm: false };
    subscribers.add({ ...row, lists: [list.id] }).subscriptions.set(list.id, subscription);
  }
}

/** Everything of an answer but when it was made, and its id if it was rejected. */
async function answerTo(changes: object): Promise<RawResponse> {
  const request = rawSignup(JSON.stringify({ ...GOOD, ...changes }));
  const { headers, ...rest } = await exchange(site.port, request);
  expect(Object.keys(headers)).toContain("date");
  const { "x-request-id": id, ...others } = headers;
  expect(id === undefined).toBe(rest.status === 200);
  return { ...rest, headers: { ...others, date: "" } };
}

describe("the answer does not reveal whether", () => {
  test.each<[string, object]>([
    ["an address was there", {}],
    ["the honeypot was seen", { email: "bot@site.test", honeypot: "x" }],
    ["somebody has unsubscribed", { email: "gone@site.test" }],
    ["somebody is on the list", { email: "confirmed@site.test" }],
    ["a server asked", { email: "new@site.test", turnstileToken: undefined }],
  ])("%s", async (_, changes) => {
    await using listmonk = startFakeListmonk();
    withListmonk(listmonk, [
      ["gone@site.test", "unsubscribed"],
      ["confirmed@site.test", "confirmed"],
    ]);
    const first = await answerTo({});
    expectSignedUp(first);
    site.change({ isServerCaller: () => "turnstileToken" in changes });
    expect(await answerTo(changes)).toEqual(first);
    expect(
      listmonk.subscribers.byEmail("gone@site.test")?.subscriptions.get(listmonk.list.id),
    ).toBe("unsubscribed");
  });

  test("why an address was rejected", async () => {
    const rejected = await answerTo({ email: "x" });
    expect(await answerTo({ name: "x" })).toEqual(rejected);
    expect(await answerTo({ extra: 1 })).toEqual(rejected);
  });

  test("a token was missing, stale, or used before", async () => {
    const rejected = await answerTo({ turnstileToken: undefined });
    expect(rejected.status).toBe(403);
    expect(await answerTo({ turnstileToken: "bad" })).toEqual(rejected);
    const record = async () => false;
    site.change({ store: { ...site.store, record } });
    expect(await answerTo({})).toEqual(rejected);
  });

  test("an address was there, while the database cannot be written", async () => {
    expectSignedUp(await answerTo({}));
    site.database.run("PRAGMA query_only = ON");
    const [stored, fresh] = [await answerTo({}), await answerTo({ email: "new@site.test" })];
    site.database.run("PRAGMA query_only = OFF");
    expect(fresh.status).toBe(500);
    expect(stored).toEqual(fresh);
  });
});

/** Somebody on the list, and what is stored of them here. */
const KNOWN = "known@site.test";

test.each<[string, string, string | undefined]>([
  ["new", "new@site.test", undefined],
  ["stored here", KNOWN, "stored"],
  ["on the list only", KNOWN, "confirmed"],
  ["unsubscribed", KNOWN, "unsubscribed"],
  ["blocklisted", KNOWN, "blocklisted"],
  ["on another list only", KNOWN, "elsewhere"],
  ["of a domain that has two spellings", "ada@xn--mller-kva.example", undefined],
])(
  "a signup of somebody %s takes listmonk two steps at most, with and without new attributes",
  async (__, email, kind) => {
    await using listmonk = startFakeListmonk();
    let underWay = 0;
    let steps = 0;
    const people = kind === undefined ? [] : [[email, "confirmed"] as const];
    withListmonk(listmonk, people);
    using _ = interceptFetch(listmonk.url, async (go) => {
      if (underWay === 0) steps += 1;
      underWay += 1;
      return await go().finally(() => {
        underWay -= 1;
      });
    });
    const row = listmonk.subscribers.byEmail(email);
    if (kind === "elsewhere") row?.subscriptions.clear();
    if (kind === "unsubscribed") row?.subscriptions.set(listmonk.list.id, kind);
    if (kind === "blocklisted") Object.assign(row ?? {}, { status: kind });
    if (kind === "stored") expectSignedUp(await site.signUp({ email }));
    for (const changes of [{ meta: { utmSource: "a" } }, {}]) {
      steps = 0;
      expectSignedUp(await site.signUp({ email, ...changes }));
      expect([1, 2]).toContain(steps);
    }
  },
);

describe("the time of an answer", () => {
  afterEach(() => void mock.restore());

  /**
   * A site on a clock of its own, which notes how long each answer waits.
   *
   * @param checkMs how long it takes to check and record a signup.
   * @param syncMs how long its sync goes on after that.
   */
  const withClock = (checkMs: number, syncMs = 0, ok = true) => {
    let time = 0;
    spyOn(performance, "now").mockImplementation(() => time);
    const waits: number[] = [];
    const sync = Promise.withResolvers<void>();
    site.change({
      listmonk: listmonkThat(async () => {
        await sync.promise;
        return { ok };
      }),
      store: {
        ...site.store,
        record: (...given) => {
          time += checkMs;
          return site.store.record(...given);
        },
      },
      sleep: async (ms) => {
        waits.push(ms);
        if (syncMs > ms) return;
        sync.resolve();
        await site.settled();
      },
    });
    return { waits, end: sync.resolve };
  };

  const BOT = { honeypot: "x" };

  test.each<[string, readonly [number, number?, boolean?], object, boolean, boolean, number]>([
    ["a quick sync", [40], {}, true, true, 960],
    ["a sync that fails", [40, 0, false], {}, true, false, 960],
    ["a sync that ends in time", [40, 960], {}, true, true, 960],
    ["a sync that does not", [40, 961], {}, true, false, 960],
    ["a check that takes nearly as long", [999], {}, true, true, 1],
    ["a check that takes longer, and is waited for alone", [2_500, 1], {}, true, false, 0],
    ["the honeypot", [0, 0, false], BOT, true, true, 1_000],
    ["no newsletter", [40], {}, false, true, 360],
    ["the honeypot without a newsletter", [0], BOT, false, true, 400],
  ])("%s", async (_, work, changes, hasNewsletter, listmonk, wait) => {
    const { waits, end } = withClock(...work);
    if (!hasNewsletter) site.change({ newsletter: undefined });
    expectSignedUp(await site.signUp(changes), listmonk);
    expect(waits).toEqual([wait]);
    end();
  });

  test("a server waits for the sync, and gets its outcome", async () => {
    const { waits, end } = withClock(40, 5_000, false);
    site.change({ isServerCaller: () => true });
    const answer = site.signUp({ turnstileToken: undefined });
    await expectPending(answer);
    end();
    expectSignedUp(await answer, false);
    expect(waits).toEqual([]);
  });

  test.each([
    ["verification_failed", { turnstileToken: "bad" }],
    ["invalid_request", { email: "x" }],
    ["internal_error", {}],
  ] as const)("%s is not held back", async (code, changes) => {
    const { waits } = withClock(0);
    if (code === "internal_error") site.database.run("PRAGMA query_only = ON");
    const answer = await site.signUp(changes);
    site.database.run("PRAGMA query_only = OFF");
    expectRejected(answer, code);
    expect(waits).toEqual([]);
  });
});

test("U+0000 in what a browser sends reaches the newsletter as U+FFFD", async () => {
  await using listmonk = startFakeListmonk();
  withListmonk(listmonk);
  const text = { ctaSource: "a\0b", referral: "other", referralOther: "c\0d" };
  expectSignedUp(await site.signUp({ ...text, meta: { utmSource: "e\0f" } }));
  expect(listmonk.subscribers.byEmail(GOOD.email)?.attribs).toEqual({
    ctaSource: "a\uFFFDb",
    referral: "other",
    referralOther: "c\uFFFDd",
    utmSource: "e\uFFFDf",
  });
});
