import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import * as v from "valibot";
import type { SignupConfig } from "../signup-config.ts";
import { CHALLENGE_ACTION, isFresh, type SignupChallenge, TOKEN_LIFETIME_MS } from "./challenge.ts";

/** Supported by WebCrypto in every browser. */
const ALGORITHM = "PBKDF2/SHA-256";

/**
 * A prefix of one byte takes 256 keys on average, each with `cost` rounds. Chromium on a busy machine
 * solved a hundred such challenges in 0.16 s on average, the slowest in 1 s.
 */
const PROOF_OF_WORK = { cost: 2_000, keyPrefix: "00" };

/**
 * A proof of work without a third party, in ALTCHA's second format. Issuing a challenge costs one
 * signature, because we do not use ALTCHA's deterministic mode.
 */
export function createAltchaChallenge(
  { secret, oldSecret }: Pick<SignupConfig, "secret" | "oldSecret">,
  origin: () => string,
): SignupChallenge {
  return {
    issue: () =>
      createChallenge({
        ...PROOF_OF_WORK,
        algorithm: ALGORITHM,
        deriveKey,
        data: { action: CHALLENGE_ACTION, origin: origin() },
        expiresAt: new Date(Date.now() + TOKEN_LIFETIME_MS),
        hmacSignatureSecret: secret,
      }),

    async verify(token) {
      const { success, output: payload } = v.safeParse(TokenSchema, token);
      if (!success) return undefined;
      // The signature is checked first, so that a forgery costs the server no work.
      const isSolved = async (hmacSignatureSecret: string) =>
        (await verifySolution({ ...payload, deriveKey, hmacSignatureSecret })).verified;
      if (!(await isSolved(secret)) && !(oldSecret && (await isSolved(oldSecret))))
        return undefined;
      const { data, expiresAt, nonce } = payload.challenge.parameters;
      const end = expiresAt * 1_000;
      return data.origin === origin() && isFresh(end - TOKEN_LIFETIME_MS)
        ? { nonce: { nonce, expiresAt: new Date(end) } }
        : undefined;
    },
  };
}

/** Exactly the parameters that this server signs; anything else is a forgery. */
const ParametersSchema = v.strictObject({
  algorithm: v.literal(ALGORITHM),
  nonce: v.string(),
  salt: v.string(),
  cost: v.number(),
  keyLength: v.number(),
  keyPrefix: v.string(),
  /** In seconds since 1970. */
  expiresAt: v.number(),
  data: v.strictObject({ action: v.literal(CHALLENGE_ACTION), origin: v.string() }),
});

/** ALTCHA's clients send JSON in base64. */
const TokenSchema = v.pipe(
  v.string(),
  v.base64(),
  v.transform(atob),
  v.parseJson(),
  v.object({
    challenge: v.object({ parameters: ParametersSchema, signature: v.string() }),
    solution: v.object({ counter: v.number(), derivedKey: v.string() }),
  }),
);
