import { describe, expect, test } from "bun:test";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { altcha, solveAltcha } from "../../support/altcha.ts";
import { expectSoon } from "../../support/expect.ts";
import { openConnection } from "../../support/http.ts";
import {
  expectRejected,
  expectSignedUp,
  GOOD,
  newsletterThat,
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

describe("the challenge", () => {
  test("that cannot be checked is rejected, and logged under the request id", async () => {
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

  test("is accepted once: a replay is rejected", async () => {
    site.change({ challenge: embedded });
    const token = await solved();
    const both = [await site.signUp(token), await site.signUp({ ...token, email: "eve@x.test" })];
    expect(both.map(({ status }) => status)).toEqual([200, 403]);
    expectRejected(await site.signUp(token), "verification_failed");
    expect(site.rows()).toMatchObject([{ email: "ada@site.test" }]);
  });

  test.each([-600_000, 600_000])(
    "from a clock that is %d ms off is rejected, without an internal error",
    async (offset) => {
      site.change({ challenge: altcha({ offset }) });
      expectRejected(await site.signUp(await solved()), "verification_failed");
      expectNoEffect();
    },
  );
});

test("after a failure of the store the same token is still good", async () => {
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
  expectRejected(await site.signUp(token), "verification_failed");
});

test("a sync that cannot be noted is still a success, and logged without a person", async () => {
  const endSync = () => Promise.reject(new Error("no row for ada@site.test"));
  site.change({ store: { ...site.store, endSync } });
  expectSignedUp(await site.signUp());
  expect(site.rows()).toMatchObject([{ sync_state: "pending" }]);
  expect(site.faults).toEqual([new Error("noting the sync failed: Error")]);
});

describe("a client that goes away", () => {
  const body = JSON.stringify(GOOD);
  const leaveAfter = async (bytes: string, isTime: () => boolean) => {
    const connection = await openConnection(site.port);
    connection.send(bytes);
    await expectSoon(isTime);
    connection.end();
  };

  test("after the record is signed up to the end", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const sync = async () => {
      await answer;
      return { ok: true, listmonkId: 7 };
    };
    site.change({ newsletter: newsletterThat(sync) });
    await leaveAfter(rawSignup(body), () => site.rows().length === 1);
    expect(site.rows()).toMatchObject([{ sync_state: "pending" }]);
    await Bun.sleep(50);
    resolve();
    await expectSoon(() => site.lines.length > 0);
    expect(site.rows()).toMatchObject([{ sync_state: "synced", listmonk_id: 7 }]);
    expect([linesOf("error"), site.faults]).toEqual([[], []]);
  });
});
