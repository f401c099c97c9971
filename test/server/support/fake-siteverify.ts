import {
  createTurnstileChallenge,
  type TurnstileOptions,
} from "../../../server/signup/challenge/turnstile-challenge.ts";
import { type Fault, json } from "./faults.ts";

export const SECRET = "0x4AAAAAAASecretOfTheOperator";

/** The challenge of the site https://tools.test, which asks this siteverify. */
export const turnstileAt = (
  verifyUrl: string,
  options: Partial<TurnstileOptions> = {},
  origin = "https://tools.test",
) => {
  const own = { secret: SECRET, verifyUrl, siteKey: "site-key", allowTestKeys: false };
  return createTurnstileChallenge({ ...own, ...options }, () => origin);
};

/** The fake's answer to one request. */
export type Reply = Fault<URLSearchParams>;

/** A good token's answer, for the site https://tools.test, or what a test makes of it. */
export const passing = (change: object = {}, status = 200): Reply =>
  json({ ...passingAnswer(), ...change }, status);

export const passingAnswer = () => ({
  success: true,
  "error-codes": [],
  challenge_ts: new Date().toISOString(),
  hostname: "tools.test",
  action: "beta_signup",
  cdata: "",
  metadata: { interactive: false },
});

export const failing = (...codes: unknown[]): Reply =>
  json({ success: false, "error-codes": codes, messages: [] });

/**
 * Turnstile's siteverify on this machine. It gives the replies in their order; more requests than
 * replies are answered with 418.
 */
export function fakeSiteverify(...replies: readonly Reply[]) {
  const forms: URLSearchParams[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const form = new URLSearchParams(await request.text());
      const reply = replies[forms.push(form) - 1];
      return reply ? reply(form) : new Response(null, { status: 418 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/turnstile/v0/siteverify`,
    /** The questions so far. */
    forms,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
