/** How long a token can be redeemed after it was minted. */
export const TOKEN_LIFETIME_MS = 300_000;

/** By how much the clocks of machines that work together may differ. */
export const CLOCK_SKEW_MS = 30_000;

/** Whether what was minted at a time, in milliseconds, can still be redeemed; one from the future never can. */
export function isFresh(mintedAt: number, now: Date): boolean {
  const age = now.getTime() - mintedAt;
  return age >= -CLOCK_SKEW_MS && age <= TOKEN_LIFETIME_MS;
}
