import { describe, expect, test } from "bun:test";
import { expectSignedUp, listmonkThat, signupSite } from "../../support/signup.ts";

const site = signupSite();

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
    const sync = async () => ({ ok: false, failure });
    const warned: unknown[] = [];
    const warn = (...words: unknown[]) => warned.push(words);
    site.change({ listmonk: listmonkThat(sync), warn });
    await site.signUp();
    const [line] = site.lines.map((text) => JSON.parse(text)).filter(({ status }) => status);
    expect(warned).toEqual([[failure, line.request_id]]);
  });

  test("listmonk: false leaves the row to be synced, and a retry syncs it", async () => {
    site.change({ listmonk: listmonkThat(async () => ({ ok: false })) });
    expectSignedUp(await site.signUp(), false);
    expect(site.rows()).toMatchObject([{ sync_state: "pending", synced_at: null }]);
    site.change({ listmonk: listmonkThat(async () => ({ ok: true })) });
    expectSignedUp(await site.signUp());
    expect(site.rows()).toMatchObject([{ sync_state: "synced" }]);
  });

  test("says whether the address was synced before", async () => {
    const before: boolean[] = [];
    const sync = async (_: unknown, wasSynced: boolean) => ({ ok: before.push(wasSynced) > 1 });
    site.change({ listmonk: listmonkThat(sync) });
    for (let times = 0; times < 3; times += 1) await site.signUp();
    expect(before).toEqual([false, false, true]);
  });
});
