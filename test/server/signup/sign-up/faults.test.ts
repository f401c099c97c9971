import { expect, test } from "bun:test";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { altcha, solveAltcha } from "../../support/altcha.ts";
import { expectSoon } from "../../support/expect.ts";
import { openConnection } from "../../support/http.ts";
import {
  expectRejected,
  expectSignedUp,
  GOOD,
  listmonkThat,
  rawSignup,
  signupSite,
} from "../../support/signup.ts";

const site = signupSite();
const embedded = altcha();

const solved = async () => ({ turnstileToken: await solveAltcha(await embedded.issue()) });
const nonces = () => site.database.query("SELECT * FROM used_nonces").all();
const linesOf = (wanted: string) =>
  site.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === wanted);

/** Nothing recorded, no nonce consumed, nobody subscribed. */
function expectNoEffect() {
  expect([site.rows(), nonces(), site.subscribers]).toEqual([[], [], []]);
}

test("a challenge that cannot be checked is rejected, and logged under the request id", async () => {
  site.change({ challenge: { verify: () => Promise.reject(new TypeError("no answer")) } });
  const response = await site.signUp();
  expectRejected(response, "internal_error");
  expectNoEffect();
  expect(linesOf("error")).toMatchObject([
    {
      request_id: response.headers["x-request-id"],
      error: expect.stringContaining("checking the challenge failed: TypeError"),
    },
  ]);
});

test("after a failure of the store the same token is still good, once and for one address", async () => {
  let calls = 0;
  const record: SignupStore["record"] = async (...parameters) => {
    calls += 1;
    if (calls === 1) throw new Error("disk");
    return site.store.record(...parameters);
  };
  site.change({ challenge: embedded, store: { ...site.store, record } });
  const token = await solved();
  expectRejected(await site.signUp(token), "internal_error");
  expectNoEffect();
  expectSignedUp(await site.signUp(token));
  expectRejected(await site.signUp({ ...token, email: "eve@x.test" }), "verification_failed");
});

test("on a full disk a signup fails, what was answered with 200 is stored, and then all goes on", async () => {
  site.database.run("PRAGMA max_page_count = 1");
  const signedUp: string[] = [];
  let status = 200;
  for (let at = 0; status === 200 && at < 500; at += 1) {
    const email = `ada${at}@site.test`;
    ({ status } = await site.signUp({ email, ctaSource: "x".repeat(500) }));
    if (status === 200) signedUp.push(email);
  }
  expect(status).toBe(500);
  expect(site.rows().map((row) => Object(row).email)).toEqual(signedUp);
  site.database.run("PRAGMA max_page_count = 1000000");
  expectSignedUp(await site.signUp());
});

test("a sync that cannot be noted is still a success, and logged without a person", async () => {
  const endSync = () => Promise.reject(new Error("no row for ada@site.test"));
  site.change({ store: { ...site.store, endSync } });
  expectSignedUp(await site.signUp());
  expect(site.rows()).toMatchObject([{ sync_state: "pending" }]);
  expect(site.faults).toEqual([new Error("storing the result of the sync failed: Error")]);
});

test("a client that goes away after the record is signed up to the end", async () => {
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  const sync = async () => {
    await answer;
    return { ok: true };
  };
  site.change({ listmonk: listmonkThat(sync) });
  const connection = await openConnection(site.port);
  connection.send(rawSignup(JSON.stringify(GOOD)));
  await expectSoon(() => site.rows().length === 1);
  connection.end();
  expect(site.rows()).toMatchObject([{ sync_state: "pending" }]);
  await Bun.sleep(50);
  resolve();
  await expectSoon(() => site.lines.length > 0);
  expect(site.rows()).toMatchObject([{ sync_state: "synced" }]);
  expect([linesOf("error"), site.faults]).toEqual([[], []]);
});
