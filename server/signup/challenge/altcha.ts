import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import * as v from "valibot";
import {
  CHALLENGE_ACTION,
  type Challenge,
  CLOCK_SKEW_MS,
  isFresh,
  type SingleUse,
  TOKEN_LIFETIME_MS,
} from "../model.ts";

/** PBKDF2 as every browser's WebCrypto has it. */
const ALGORITHM = "PBKDF2/SHA-256";

/** Exactly what we sign: a parameter more or less is not ours. */
const ParametersSchema = v.strictObject({
  algorithm: v.literal(ALGORITHM),
  nonce: v.string(),
  salt: v.string(),
  cost: v.number(),
  keyLength: v.number(),
  keyPrefix: v.string(),
  /** In seconds. */
  expiresAt: v.number(),
  data: v.strictObject({ action: v.string(), origin: v.string() }),
});

const PayloadSchema = v.object({
  challenge: v.object({ parameters: ParametersSchema, signature: v.string() }),
  solution: v.object({ counter: v.number(), derivedKey: v.string() }),
});
type AltchaPayload = v.InferOutput<typeof PayloadSchema>;

/** The text that ALTCHA's clients send: JSON in base64. */
const TokenSchema = v.pipe(v.string(), v.base64(), v.transform(atob), v.parseJson(), PayloadSchema);

/** Reads a solved challenge; undefined for anything else. Nothing is verified yet. */
function readAltchaToken(token: string): AltchaPayload | undefined {
  const read = v.safeParse(TokenSchema, token);
  return read.success ? read.output : undefined;
}

/**
 * The work to do: on average 256 keys, one byte of prefix, of this many rounds each. Of a hundred
 * such challenges Chromium, on a busy machine, solved one in 0.16 s on average, the slowest in 1 s.
 */
const WORK = { cost: 2_000, keyPrefix: "00" };

export interface AltchaOptions {
  /** Signs the challenges; the same in every process that serves the site. */
  readonly secret: string;
  /** The site's own origin. */
  readonly origin: string;
  /** The library looks at the machine's clock besides, so this one may not differ much. */
  readonly now: () => Date;
}

/**
 * A proof of work that needs no third party, ALTCHA's second format. Without a known answer (its
 * deterministic mode) a new challenge costs one signature, so that asking for many is no lever.
 */
export function altchaChallenge({
  secret,
  origin,
  now,
}: AltchaOptions): Challenge & Required<Pick<Challenge, "issue">> {
  return {
    issue: () =>
      createChallenge({
        ...WORK,
        algorithm: ALGORITHM,
        deriveKey,
        data: { action: CHALLENGE_ACTION, origin },
        expiresAt: new Date(now().getTime() + TOKEN_LIFETIME_MS),
        hmacSignatureSecret: secret,
      }),

    async verify(token) {
      const payload = readAltchaToken(token);
      if (payload === undefined || !(await isSolved(payload, secret))) return undefined;
      const { data, expiresAt, nonce } = payload.challenge.parameters;
      const isOurs = data.action === CHALLENGE_ACTION && data.origin === origin;
      const mintedAt = expiresAt * 1_000 - TOKEN_LIFETIME_MS;
      return isOurs && isFresh(mintedAt, now()) ? { use: singleUse(nonce, expiresAt) } : undefined;
    },
  };
}

/** Signed with our secret, and the work done. The signature comes first, so a forgery costs no work. */
async function isSolved(payload: AltchaPayload, secret: string): Promise<boolean> {
  const { verified } = await verifySolution({ ...payload, deriveKey, hmacSignatureSecret: secret });
  return verified;
}

/** To be remembered a little longer than it lives: another machine's clock may be ahead. */
const singleUse = (nonce: string, expiresAt: number): SingleUse => ({
  nonce,
  expiresAt: new Date(expiresAt * 1_000 + CLOCK_SKEW_MS),
});
