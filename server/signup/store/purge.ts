/**
 * A used nonce is kept this long after its challenge has expired, so that no clock that is set
 * back, or runs late on another machine, makes a challenge good again whose nonce is forgotten.
 */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** So many go with each nonce that comes, which bounds the work and leaves no pile. */
export const PURGED_AT_ONCE = 10;

/** Nonces that expired before this time may be forgotten. */
export const purgeBefore = (now: Date): Date => new Date(now.getTime() - KEPT_MS);
