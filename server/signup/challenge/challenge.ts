/** Tells people from bots. */
export interface SignupChallenge {
  /**
   * @returns undefined for a token that is stale, replayed, or issued elsewhere; else the nonce to
   * consume with the row, if the challenge has one.
   * @throws when the check itself fails; the signup is then rejected.
   */
  verify(token: string): Promise<{ readonly nonce: ChallengeNonce | undefined } | undefined>;
  /** Issues a challenge; undefined when a third party (Turnstile) does. */
  readonly issue?: () => Promise<object>;
  /** The public key of the third party's widget. */
  readonly siteKey?: string;
}

/** The nonce of a challenge, which one signup alone may use. */
export interface ChallengeNonce {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** The action that a token must have been minted for. */
export const CHALLENGE_ACTION = "beta_signup";

/** How long a token can be redeemed after it was minted. */
export const TOKEN_LIFETIME_MS = 300_000;

/** The largest difference expected between the clocks of the machines of one site. */
const CLOCK_SKEW_MS = 30_000;

/**
 * True when a token can still be redeemed. One from the future never can.
 *
 * @param mintedAt in milliseconds since 1970.
 */
export function isFresh(mintedAt: number): boolean {
  const age = Date.now() - mintedAt;
  return age >= -CLOCK_SKEW_MS && age <= TOKEN_LIFETIME_MS;
}
