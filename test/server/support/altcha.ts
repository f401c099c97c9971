import { createChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { createAltchaChallenge } from "../../../server/signup/challenge/altcha-challenge.ts";

/** The answer of GET /api/beta-signup/challenge. */
export interface AltchaToSolve {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
  };
  readonly signature?: string | undefined;
}

/** A thousand times what is needed on average. */
const MAX_TRIES = 256_000;

/**
 * The work of a client for a `turnstileToken`: count up until the key that PBKDF2 derives from
 * the nonce and the counter begins as wanted. It needs WebCrypto and nothing else.
 */
export async function solveAltcha({ parameters, signature }: AltchaToSolve): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const work = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt), iterations: cost };
  for (let counter = 0; counter < MAX_TRIES; counter++) {
    const password = bytesOf(nonce + counter.toString(16).padStart(8, "0"));
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const derivedKey = hexOf(await crypto.subtle.deriveBits(work, key, keyLength * 8));
    if (derivedKey.startsWith(keyPrefix)) {
      const challenge = { parameters, signature };
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  }
  throw new Error("the challenge has no solution within reach");
}

const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

const SECRET = "the secret of these tests, of 32 characters or more";
export const ORIGIN = "https://tools.test";

interface Issued extends AltchaToSolve {
  readonly parameters: AltchaToSolve["parameters"] & { readonly expiresAt: number };
}

export function altcha({
  secret = SECRET,
  origin = ORIGIN,
  oldSecret = undefined as string | undefined,
} = {}) {
  const { verify, issue } = createAltchaChallenge({ secret, oldSecret }, () => origin);
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
