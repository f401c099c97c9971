import { describe, expect, test } from "bun:test";
import type { TurnstileOptions } from "../../../../server/signup/challenge/turnstile-challenge.ts";
import { expectPending, stopClock, watched } from "../../support/clock.ts";
import {
  failing,
  fakeSiteverify,
  passing,
  passingAnswer,
  type Reply,
  SECRET,
  turnstileAt,
} from "../../support/fake-siteverify.ts";
import { hang, json, stall, text } from "../../support/faults.ts";

const TOKEN = "0.Token-Of-A-Visitor";

const ask = async (
  replies: readonly Reply[],
  options: Partial<TurnstileOptions> = {},
  origin?: string,
) => {
  using siteverify = fakeSiteverify(...replies);
  const challenge = turnstileAt(siteverify.url, options, origin);
  const [outcome] = await Promise.allSettled([challenge.verify(TOKEN)]);
  return { outcome, forms: siteverify.forms };
};

const accepted = { status: "fulfilled", value: { nonce: undefined } } as const;
const rejected = { status: "fulfilled", value: undefined } as const;

const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe("turnstileChallenge() accepts", () => {
  test("a good token, asking once and with what Turnstile wants", async () => {
    const { outcome, forms } = await ask([passing()]);
    expect(outcome).toEqual(accepted);
    expect(forms.map((form) => Object.fromEntries(form))).toEqual([
      { secret: SECRET, response: TOKEN, idempotency_key: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
  });

  test.each<[string, object]>([
    ["fields that we do not know", { score: 1, metadata: { ephemeral_id: "x:1" } }],
    ["a token 290 s old", { challenge_ts: at(-290_000) }],
    ["a clock that is 20 s ahead", { challenge_ts: at(20_000) }],
  ])("an answer with %s", async (_, change) => {
    expect((await ask([passing(change)])).outcome).toEqual(accepted);
  });

  test("a token for a site on a port of this machine", async () => {
    const local = passing({ hostname: "localhost" });
    const { outcome } = await ask([local], {}, "http://localhost:3000");
    expect(outcome).toEqual(accepted);
  });

  test("the second answer after internal-error, asked for with the same key", async () => {
    const { outcome, forms } = await ask([failing("internal-error"), passing()]);
    expect(outcome).toEqual(accepted);
    expect(forms).toHaveLength(2);
    expect(forms[1]?.toString()).toBe(forms[0]?.toString() ?? "");
  });
});

describe("turnstileChallenge() rejects", () => {
  test.each<[string, Reply]>([
    ["a token that was used or is stale", failing("timeout-or-duplicate")],
  ])("%s", async (_, reply) => {
    const { outcome, forms } = await ask([reply]);
    expect(outcome).toEqual(rejected);
    expect(forms).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["another action", { action: "login" }],
    ["the host as a prefix", { hostname: "tools.test.evil" }],
    ["a time 310 s ago", { challenge_ts: at(-310_000) }],
    ["a time in the future", { challenge_ts: at(40_000) }],
    ["a test key", { metadata: { result_with_testing_key: true } }],
  ])("a good token with %s", async (_, change) => {
    expect((await ask([passing(change)])).outcome).toEqual(rejected);
  });
});

describe("turnstileChallenge() with Cloudflare's test keys", () => {
  /** As several projects saw it: neither our host nor our action. */
  const answer = passing({
    hostname: "example.com",
    action: "",
    metadata: { interactive: false, result_with_testing_key: true },
  });

  test.each([
    [true, accepted],
    [false, rejected],
  ])("allowed: %p", async (allowTestKeys, expected) => {
    expect((await ask([answer], { allowTestKeys })).outcome).toEqual(expected);
  });
});

describe("turnstileChallenge() throws, and verifies nothing", () => {
  test.each<[string, Reply]>([
    ["HTML", text("<html>")],
    ...[[], null, "success", { ...passingAnswer(), success: undefined }].map(
      (body): [string, Reply] => [JSON.stringify(body), json(body)],
    ),
    ...[
      ...[{ success: "true" }, { "error-codes": "internal-error" }, { challenge_ts: undefined }],
      { metadata: { result_with_testing_key: "true" } },
    ].map((change): [string, Reply] => [`success, but ${JSON.stringify(change)}`, passing(change)]),
  ])("at an answer that is not documented: %s", async (_, reply) => {
    await expectFailure(reply, "response-malformed 200");
  });

  test.each<[string, Reply, string]>([
    ["no reason", failing(), "no-reason-given"],
    ["invalid-input-secret", failing("invalid-input-secret"), "invalid-input-secret"],
    ["an answer over 64 KiB", passing({ cdata: "x".repeat(65_536) }), "response-too-long"],
  ])("at %s", async (_, reply, code) => await expectFailure(reply, code));

  test("at internal-error twice, without asking a third time", async () => {
    const again = failing("internal-error");
    await expectFailure(again, "internal-error", again);
  });

  /** Expects these replies to end in an error, and no further question. */
  async function expectFailure(reply: Reply, code: string, ...more: readonly Reply[]) {
    const replies = [...more, reply];
    const { outcome, forms } = await ask([...replies, passing()]);
    expect(outcome).toMatchObject({ status: "rejected", reason: { name: "TurnstileError", code } });
    expect(forms).toHaveLength(replies.length);
  }
});

/** The error that asking ends with. */
async function failure(verifyUrl: string): Promise<unknown> {
  const [outcome] = await Promise.allSettled([turnstileAt(verifyUrl).verify(TOKEN)]);
  return outcome.status === "rejected" ? outcome.reason : undefined;
}

describe("turnstileChallenge() gives up after three seconds", () => {
  test.each<[string, Reply, number]>([
    ["without an answer", hang, 0],
    ["when the body stops half-way", stall, 0],
    ["without an answer to its retry", hang, 2_000],
  ])("%s", async (_, fault, retryAfterMs) => {
    using clock = stopClock();
    const { reached, handler } = watched(fault);
    const first: Reply = (form) => {
      clock.pass(retryAfterMs);
      return failing("internal-error")(form);
    };
    const replies = [...(retryAfterMs > 0 ? [first] : []), handler, passing()];
    using siteverify = fakeSiteverify(...replies);
    const error = failure(siteverify.url);
    await reached;
    clock.pass(2_999);
    await expectPending(error);
    clock.pass(1);
    expect(await error).toMatchObject({ name: "TimeoutError" });
    expect(siteverify.forms).toHaveLength(replies.length - 1);
  });
});

describe("turnstileChallenge() throws, and verifies nothing, without an answer", () => {
  test("when the connection is refused", async () => {
    const { url } = closed();
    expect(await failure(url)).toMatchObject({ code: "ECONNREFUSED" });
  });

  test.each([301, 302, 307, 308])("at a redirect, which it does not follow: %d", async (status) => {
    using elsewhere = fakeSiteverify(passing());
    const redirect = text("", { status, headers: { Location: elsewhere.url } });
    using siteverify = fakeSiteverify(redirect);
    expect(await failure(siteverify.url)).toMatchObject({ code: "UnexpectedRedirect" });
    expect(elsewhere.forms).toHaveLength(0);
  });
});

function closed() {
  using gone = fakeSiteverify();
  return gone;
}
