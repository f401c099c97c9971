import { expect, test } from "bun:test";
import type { FailureCode } from "../../../schemas/index.ts";
import { Refusal } from "../../../server/http/error.ts";
import { exchange } from "../connection.ts";
import { expectRejected, expectSignedUp } from "./expect-signup.ts";
import { signupPorts } from "./signup-ports.ts";
import { GOOD, SIGNUP, signupSite } from "./signup-site.ts";

const site = signupSite();

const FOREIGN = "https://evil.test";
const LARGE = "x".repeat(8_193);
const INVALID = "{}";
const NO_TOKEN = JSON.stringify({ ...GOOD, turnstileToken: undefined, honeypot: "x" });

const { store } = signupPorts();
const brokenStore = { ...store, record: () => Promise.reject(new Error("disk full")) };
const brokenChallenge = { verify: () => Promise.reject(new Error("no answer")) };
const limited = () => {
  throw new Refusal("rate_limited");
};

/** Each request breaks the rule it is answered with, and rules that are checked later. */
test.each<[string, string, string, string, FailureCode | "rate_limited"]>([
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
  const head = `${method} ${SIGNUP} HTTP/1.1\r\nHost: a\r\nOrigin: ${FOREIGN}\r\nContent-Type: ${type}`;
  const request = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expectRejected(await exchange(site.port, request), code);
});

test("the rate limit before the challenge, which it spares", async () => {
  site.change({ challenge: brokenChallenge, limit: limited });
  expectRejected(await site.signUp(), "rate_limited");
});

test("the challenge before the honeypot", async () => {
  site.change({ store: brokenStore });
  expectRejected(
    await site.signUp({ turnstileToken: "bad", honeypot: "x" }),
    "verification_failed",
  );
});

test("a challenge that cannot be checked before the honeypot", async () => {
  site.change({ challenge: brokenChallenge, store: brokenStore });
  expectRejected(await site.signUp({ honeypot: "x" }), "internal_error");
});

test("the honeypot before the store", async () => {
  site.change({ store: brokenStore });
  expectSignedUp(await site.signUp({ honeypot: "x" }));
});

test("the store before the newsletter", async () => {
  site.change({ store: brokenStore });
  expectRejected(await site.signUp(), "internal_error");
  expect(site.subscribers).toEqual([]);
});
