/** Tells people from bots. */
export interface SignupChallenge {
  /**
   * @returns undefined for a token that is stale, replayed, or issued elsewhere; else the nonce to
   * consume with the row, if the challenge has one.
   * @throws if the check itself fails; the signup is then rejected.
   */
  verify(token: string): Promise<{ readonly nonce: ChallengeNonce | undefined } | undefined>;
  /** Undefined if a third party (Turnstile) issues the challenges. */
  readonly issue?: () => Promise<object>;
  /** The public key of the third party's widget. */
  readonly siteKey?: string;
}

/** Valid for one signup. */
export interface ChallengeNonce {
  readonly nonce: string;
  readonly expiresAt: Date;
}

export const CHALLENGE_ACTION = "beta_signup";

export const TOKEN_LIFETIME_MS = 300_000;

/** The largest difference that we expect between the clocks of a site's machines. */
const CLOCK_SKEW_MS = 30_000;

/**
 * Whether a token is not too old, and not from the future.
 *
 * @param mintedAt in milliseconds since 1970.
 */
export function isFresh(mintedAt: number): boolean {
  const age = Date.now() - mintedAt;
  return age >= -CLOCK_SKEW_MS && age <= TOKEN_LIFETIME_MS;
}
