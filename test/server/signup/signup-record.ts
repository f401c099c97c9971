import type { SignupRecord, SingleUse } from "../../../server/signup/model.ts";

export const NOW = new Date("2026-11-21T10:20:30.456Z");

export const hoursLater = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

export const signup = (email: string, rest: Partial<SignupRecord> = {}): SignupRecord => ({
  email,
  ctaSource: "hero",
  referral: undefined,
  referralOther: undefined,
  ...rest,
});

export const use = (nonce: string): SingleUse => ({ nonce, expiresAt: NOW });

/** The state of an address that was recorded for the first time. */
export const NEW = { synced: false, listmonkId: undefined };
