import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { Challenge, SingleUse } from "../ports.ts";
import { CHALLENGE_ACTION } from "./action.ts";
import { ALGORITHM, type AltchaPayload, readAltchaToken } from "./altcha-token.ts";
import { CLOCK_SKEW_MS, isFresh, TOKEN_LIFETIME_MS } from "./fresh.ts";

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
