import { createChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { altchaChallenge } from "../../../server/signup/challenge/altcha.ts";
import type { AltchaToSolve } from "./solve-altcha.ts";

const SECRET = "the secret of these tests, of 32 characters or more";
export const ORIGIN = "https://tools.test";

interface Issued extends AltchaToSolve {
  readonly parameters: AltchaToSolve["parameters"] & { readonly expiresAt: number };
}

/** The adapter, on a clock that is some milliseconds off the machine's. */
export function altcha({ secret = SECRET, origin = ORIGIN, offset = 0 } = {}) {
  const now = () => new Date(Date.now() + offset);
  const { verify, issue } = altchaChallenge({ secret, origin, now });
  return { verify, issue: async () => (await issue?.()) as Issued };
}

/** A challenge as we make them, but quick to solve, and changed before it is signed. */
export const forge = (change: object = {}) =>
  createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: 1,
    keyPrefix: "0",
    deriveKey,
    data: { action: "beta_signup", origin: ORIGIN },
    expiresAt: inSeconds(200),
    hmacSignatureSecret: SECRET,
    ...change,
  });

/** A time so far from now, in seconds as ALTCHA has them. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** A token of any value, as a browser would send it. */
export const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value) ?? "").toString("base64");

export const decode = (token: string) => JSON.parse(atob(token));
