import { describe, expect, test } from "bun:test";
import { evenTimes } from "../../../../server/signup/even-times.ts";
import { listmonkApi } from "../../../../server/signup/newsletter/listmonk-api.ts";
import {
  type FakeListmonk,
  startFakeListmonk,
  TOKEN,
  USER,
} from "../../support/fake-listmonk/server.ts";
import { exchange, type RawResponse } from "../../support/http.ts";
import { expectSignedUp, GOOD, rawSignup, signupSite } from "../../support/signup.ts";

const site = signupSite();

/** A site whose newsletter is a listmonk, with these people on its list. */
function withListmonk(listmonk: FakeListmonk, people: readonly (readonly [string, string])[] = []) {
  const { url, list, subscribers } = listmonk;
  const preconfirm = false;
  const newsletter = listmonkApi({
    url,
    user: USER,
    token: TOKEN,
    listId: list.id,
    preconfirm,
    maxLookups: 4,
  });
  site.change({ newsletter });
  for (const [email, subscription] of people) {
    const row = { email, name: "Old", status: "enabled", attribs: {}, preconfirm };
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
    const record = async () => "replayed" as const;
    site.change({ store: { ...site.store, record } });
    expect(await answerTo({})).toEqual(rejected);
  });
});

describe("the time of an answer", () => {
  /** A site whose work takes a time, and which notes how long it waits beside that. */
  const withClock = (workMs: number) => {
    let time = 0;
    const waits: number[] = [];
    const sync = async () => {
      time += workMs;
      return { ok: true, listmonkId: undefined };
    };
    site.change({
      newsletter: { sync },
      times: evenTimes(() => new Date(time), Math.random),
      now: () => new Date(time),
      sleep: async (ms) => {
        await Bun.sleep(20);
        waits.push(ms);
      },
    });
    return waits;
  };

  test.each<[string, number, object, readonly number[]]>([
    ["a new address", 40, {}, [360]],
    ["an address that takes longer", 399, {}, [1]],
    ["one that takes as long as the floor", 400, {}, []],
    ["one that takes longer than the floor", 2_000, {}, []],
    ["a clock that is set back", -5_000, {}, [400]],
    ["the honeypot", 40, { honeypot: "x" }, [400]],
  ])("%s: %i ms of work", async (_, workMs, changes, wanted) => {
    const waits = withClock(workMs);
    expectSignedUp(await site.signUp(changes));
    expect(waits).toEqual([...wanted]);
  });

  test("a new and a known address take as long as each other, up to two seconds", async () => {
    let work = 0;
    let time = 0;
    let answered = 0;
    const now = () => new Date(time);
    site.change({
      newsletter: {
        sync: async () => {
          time += work;
          return { ok: true, listmonkId: 7 };
        },
      },
      times: evenTimes(now, () => 0.5),
      now,
      sleep: async (ms) => {
        time += ms;
      },
    });
    const takes = async (ms: number, changes: object): Promise<number> => {
      [work, answered] = [ms, time];
      expectSignedUp(await site.signUp(changes));
      return time - answered;
    };
    expect(await takes(900, { email: "first@site.test" })).toBe(900);
    expect(await takes(0, { email: "first@site.test" })).toBe(900);
    expect(await takes(0, { email: "bot@site.test", honeypot: "x" })).toBe(900);
    expect(await takes(1_500, { email: "first@site.test" })).toBe(1_500);
    expect(await takes(700, { email: "second@site.test" })).toBe(1_500);
    expect(await takes(0, { email: "bot@site.test", honeypot: "x" })).toBe(1_500);
    for (let count = 0; count < 20; count++) await takes(9_000, { email: "first@site.test" });
    expect(await takes(700, { email: "third@site.test" })).toBe(2_000);
    time += 3_600_000;
    expect(await takes(700, { email: "fourth@site.test" })).toBe(700);
  });

  test("a server is answered at once", async () => {
    const waits = withClock(10);
    site.change({ isServerCaller: () => true });
    expectSignedUp(await site.signUp({ turnstileToken: undefined }));
    expect(waits).toEqual([]);
  });

  test("a rejection is not held back", async () => {
    const waits = withClock(10);
    expect((await site.signUp({ turnstileToken: "bad" })).status).toBe(403);
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
