import { describe, expect, test } from "bun:test";
import { HttpError } from "../../../../server/http/error.ts";
import type { SignupService } from "../../../../server/signup/sign-up.ts";
import { exchange } from "../../support/http.ts";
import {
  expectSignedUp,
  expectUnrecorded,
  newsletterThat,
  type Rejection,
  rawSignup,
  signupPorts,
  signupSite,
  TOKENLESS,
} from "../../support/signup.ts";

const site = signupSite();

const fromServer = { isServerCaller: () => true };
const stored = () => site.database.query("SELECT referral, referral_other FROM signups").values();

test("a signup is recorded without the name, the meta, an address of the network, or a token", async () => {
  const earliest = Date.now();
  const meta = { utmSource: "news" };
  expectSignedUp(await site.signUp({ meta }, { "X-Forwarded-For": "203.0.113.7" }));
  expect(site.rows()).toEqual([
    {
      email: "ada@site.test",
      cta_source: "hero",
      referral: null,
      referral_other: null,
      created_at: expect.any(Number),
      sync_state: "synced",
      synced_at: expect.any(Number),
      listmonk_id: null,
      leased_until: null,
      failed_at: null,
      failure: null,
    },
  ]);
  const { createdAt, syncedAt } = (await site.store.find("ada@site.test")) ?? {};
  expect(createdAt?.getTime()).toBeWithin(earliest, Date.now() + 1);
  expect(syncedAt?.getTime()).toBeWithin(earliest, Date.now() + 1);
});

describe("a filled honeypot", () => {
  test("with a valid token looks like a success, and has no effect", async () => {
    expectSignedUp(await site.signUp({ honeypot: "x" }));
    expect(site.rows()).toEqual([]);
    expect(site.subscribers).toEqual([]);
  });

  test("does nothing for a server either", async () => {
    site.change(fromServer);
    expectSignedUp(await site.signUp({ honeypot: " " }));
    expect(site.rows()).toEqual([]);
    expect(site.subscribers).toEqual([]);
  });

  test.each([[undefined], ["bad"]])("with the token %p is rejected", async (turnstileToken) => {
    const response = await site.signUp({ honeypot: "x", turnstileToken });
    expectUnrecorded(site, response, "verification_failed");
  });

  test("with a token that was used is rejected, and uses none up", async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    site.change({ challenge: { verify: async (nonce) => ({ nonce: { nonce, expiresAt } }) } });
    const tries = ["a", "a", "b", "b"].map((turnstileToken, index) => ({
      turnstileToken,
      ...(index !== 0 && { honeypot: "x" }),
    }));
    const statuses: number[] = [];
    for (const changes of tries) statuses.push((await site.signUp(changes)).status);
    expect(statuses).toEqual([200, 403, 200, 200]);
    expect(site.database.query("SELECT nonce FROM used_nonces").values()).toEqual([["a"]]);
  });

  test("an empty one does not count", async () => {
    expectSignedUp(await site.signUp({ honeypot: "" }));
    expect(site.rows()).toHaveLength(1);
  });
});

describe("the stored referral", () => {
  const NOTHING = [null, null];
  test.each<[object, (string | null)[]]>([
    [{ ctaSource: "footer" }, ["other", "newsletter"]],
    [{ ctaSource: "footer", referralOther: "x" }, ["other", "newsletter"]],
    [{ ctaSource: "footer", referral: "reddit" }, ["reddit", null]],
    [{ ctaSource: "footer", referral: "other", referralOther: "a pub" }, ["other", "a pub"]],
    [{ ctaSource: "Footer" }, NOTHING],
    [{ ctaSource: "hero" }, NOTHING],
    [{ ctaSource: "anything else" }, NOTHING],
    [{ referral: "twitter", referralOther: "a pub" }, ["twitter", null]],
    [{ referral: "twitter", referralOther: "" }, ["twitter", null]],
    [{ referral: "twitter", referralOther: "x".repeat(121) }, ["twitter", null]],
    [{ referralOther: "a pub" }, NOTHING],
    [{ referral: "other", referralOther: "a pub" }, ["other", "a pub"]],
  ])("%j", async (changes, row) => {
    expectSignedUp(await site.signUp(changes));
    expect(stored()).toEqual([row]);
  });

  test.each([
    [{ referral: "other" }],
    [{ referral: "other", ctaSource: "footer" }],
    [{ referral: "facebook" }],
    [{ referral: "" }],
    [{ referral: null }],
    [{ referral: "twitter", referralOther: 1 }],
  ])("%j is rejected", async (changes) => {
    expectUnrecorded(site, await site.signUp(changes), "invalid_request");
  });
});

describe("what the newsletter is given", () => {
  const IDENTITY = {
    subscribedVia: "app",
    authProvider: "mail",
    serviceUserId: "u1",
    username: "ada",
  };
  const CAMPAIGN = {
    campaignRef: "r",
    campaignId: "c",
    campaignSubscriberId: "s",
    utmSource: "a",
    utmMedium: "b",
    utmCampaign: "c",
    utmContent: "d",
    promoCode: "P",
    landingPath: "/x",
  };
  const meta = { ...IDENTITY, ...CAMPAIGN };
  const rest = { referral: "other", referralOther: "a pub" };

  test("of a browser: no claims of who somebody is", async () => {
    await site.signUp({ meta, ...rest, email: " Ada@Site.test", name: " Ada " });
    const attributes = { ...CAMPAIGN, ...rest, ctaSource: "hero" };
    expect(site.subscribers).toEqual([{ email: "ada@site.test", name: "Ada", attributes }]);
  });

  test("of a server: all of it", async () => {
    site.change(fromServer);
    await site.signUp({ meta, ...rest });
    const attributes = { ...IDENTITY, ...CAMPAIGN, ...rest, ctaSource: "hero" };
    expect(site.subscribers).toMatchObject([{ attributes }]);
    expect(Object.keys(site.subscribers[0]?.attributes ?? {})).toHaveLength(16);
  });

  test("of a footer's form: the referral that is stored", async () => {
    await site.signUp({ ctaSource: "footer" });
    const attributes = { ctaSource: "footer", referral: "other", referralOther: "newsletter" };
    expect(site.subscribers).toMatchObject([{ attributes }]);
  });

  test("of a signup without more: no empty attributes", async () => {
    await site.signUp();
    expect(site.subscribers.map(({ attributes }) => attributes)).toEqual([{ ctaSource: "hero" }]);
  });
});

test("a repeat in another case and with blanks gets the same answer, and one row", async () => {
  const first = await site.signUp({ referral: "reddit" });
  const before = site.rows();
  const second = await site.signUp({ email: "  ADA@site.TEST ", name: "Eve", ctaSource: "nav" });
  expectSignedUp(first);
  expect(second.body).toBe(first.body);
  expect(site.rows()).toMatchObject([
    { email: "ada@site.test", cta_source: "hero", referral: "reddit" },
  ]);
  expect(site.rows()).toHaveLength(before.length);
});

describe("the newsletter's answer", () => {
  test("that it failed is a warning with the id of the request", async () => {
    const failure = "listmonk has no list 7";
    const sync = async () => ({ ok: false, listmonkId: undefined, failure });
    const warned: string[][] = [];
    const warn = (...words: string[]) => warned.push(words);
    site.change({ newsletter: newsletterThat(sync), warn });
    await site.signUp();
    const [line] = site.lines.map((text) => JSON.parse(text)).filter(({ status }) => status);
    expect(warned).toEqual([[failure, line.request_id]]);
  });

  test("listmonk: false leaves the row to be synced, and a retry syncs it", async () => {
    site.change({ newsletter: newsletterThat(async () => ({ ok: false, listmonkId: undefined })) });
    expectSignedUp(await site.signUp(), false);
    expect(site.rows()).toMatchObject([{ sync_state: "pending", synced_at: null }]);
    site.change({ newsletter: newsletterThat(async () => ({ ok: true, listmonkId: 7 })) });
    expectSignedUp(await site.signUp());
    expect(site.rows()).toMatchObject([{ sync_state: "synced", listmonk_id: 7 }]);
  });

  test("its number is kept, and given with the next sync", async () => {
    const states: unknown[] = [];
    const answers = [7, 7, undefined, 8, 8];
    const sync = async (_: unknown, state: unknown) => ({
      ok: true,
      listmonkId: answers[states.push(state) - 1],
    });
    site.change({ newsletter: newsletterThat(sync) });
    for (const _ of answers) await site.signUp();
    expect(states).toEqual([
      { synced: false, listmonkId: undefined },
      { synced: true, listmonkId: 7 },
      { synced: true, listmonkId: 7 },
      { synced: true, listmonkId: 7 },
      { synced: true, listmonkId: 8 },
    ]);
  });
});

const FOREIGN = "https://evil.test";
const LARGE = "x".repeat(8_193);
const INVALID = "{}";
const NO_TOKEN = JSON.stringify({ ...TOKENLESS, honeypot: "x" });

const { store } = signupPorts();
const brokenStore = { ...store, record: () => Promise.reject(new Error("disk full")) };
const brokenChallenge = { verify: () => Promise.reject(new Error("no answer")) };
const limited = () => {
  throw new HttpError("rate_limited");
};

/** Each request breaks the rule it is answered with, and rules that are checked later. */
test.each<[string, string, string, string, Rejection]>([
  ["method before type", "PUT", "text/plain", LARGE, "method_not_allowed"],
  ["method before size", "PATCH", "application/json", LARGE, "method_not_allowed"],
  ["type before size", "POST", "text/plain", LARGE, "unsupported_media_type"],
  ["type before JSON", "POST", "text/plain", "{", "unsupported_media_type"],
  ["type before origin", "POST", "text/plain", NO_TOKEN, "unsupported_media_type"],
  ["size before JSON", "POST", "application/json", LARGE, "payload_too_large"],
  ["JSON before origin", "POST", "application/json", "{", "invalid_request"],
  ["schema before origin", "POST", "application/json", INVALID, "invalid_request"],
  ["origin before the rate limit", "POST", "application/json", NO_TOKEN, "origin_rejected"],
])("%s", async (_, method, type, body, code) => {
  site.change({ challenge: brokenChallenge, store: brokenStore, limit: limited });
  const request = rawSignup(body, { Origin: FOREIGN, "Content-Type": type }, { method });
  expectUnrecorded(site, await exchange(site.port, request), code);
});

/** The same of what comes after these: ports and a signup; without a code it is a success. */
test.each<[string, Partial<SignupService>, object, Rejection | undefined]>([
  [
    "the rate limit before the challenge, which it spares",
    { challenge: brokenChallenge, limit: limited },
    {},
    "rate_limited",
  ],
  [
    "the challenge before the honeypot",
    { store: brokenStore },
    { turnstileToken: "bad", honeypot: "x" },
    "verification_failed",
  ],
  [
    "a challenge that cannot be checked before the honeypot",
    { challenge: brokenChallenge, store: brokenStore },
    { honeypot: "x" },
    "internal_error",
  ],
  ["the honeypot before the store", { store: brokenStore }, { honeypot: "x" }, undefined],
  ["the store before the newsletter", { store: brokenStore }, {}, "internal_error"],
])("%s", async (_, ports, changes, code) => {
  site.change(ports);
  const response = await site.signUp(changes);
  if (code === undefined) expectSignedUp(response);
  else expectUnrecorded(site, response, code);
  expect(site.subscribers).toEqual([]);
});
