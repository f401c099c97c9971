import * as v from "valibot";
import { type BetaSignup, BetaSignupSchema } from "../../schemas/index.ts";
import { Refusal } from "../http/error.ts";
import type { SignupRecord } from "./ports.ts";

/** @throws {Refusal} for what breaks the schema. */
export function validSignup(value: unknown): BetaSignup {
  const parsed = v.safeParse(BetaSignupSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new Refusal("invalid_request");
}

/** What is stored of it. */
export function recordOf({ email, ctaSource, referral, referralOther }: BetaSignup): SignupRecord {
  if (referral === undefined && ctaSource === "footer") {
    return { email, ctaSource, referral: "other", referralOther: "newsletter" };
  }
  const other = referral === "other" ? referralOther : undefined;
  return { email, ctaSource, referral, referralOther: other };
}

/** Claims of who somebody is: believed of our own servers only. */
const IDENTITY = ["subscribedVia", "authProvider", "serviceUserId", "username"];

/** What the newsletter system keeps beside the address and the name. */
export function attributesOf(
  { meta = {} }: BetaSignup,
  { ctaSource, referral, referralOther }: SignupRecord,
  trusted: boolean,
): Record<string, string> {
  const believed = Object.entries(meta).filter(([key]) => trusted || !IDENTITY.includes(key));
  const all = { ...Object.fromEntries(believed), ctaSource, referral, referralOther };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
