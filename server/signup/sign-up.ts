import * as v from "valibot";
import {
  type BetaSignup,
  type BetaSignupOk,
  BetaSignupSchema,
  MAX_SIGNUP_BYTES,
} from "../../schemas/index.ts";
import { Refusal } from "../http/error.ts";
import { parseJsonBody, readBody, refuseOtherOrigins, requireJson } from "../http/request.ts";
import { withoutData } from "./errors.ts";
import type { Challenge, Newsletter, SignupRecord, SignupStore, SingleUse } from "./model.ts";

/** @throws {Refusal} for what breaks the schema. */
function validSignup(value: unknown): BetaSignup {
  const parsed = v.safeParse(BetaSignupSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new Refusal("invalid_request");
}

/** What is stored of it. */
function recordOf({ email, ctaSource, referral, referralOther }: BetaSignup): SignupRecord {
  if (referral === undefined && ctaSource === "footer") {
    return { email, ctaSource, referral: "other", referralOther: "newsletter" };
  }
  const other = referral === "other" ? referralOther : undefined;
  return { email, ctaSource, referral, referralOther: other };
}

/** Claims of who somebody is: believed of our own servers only. */
const IDENTITY = ["subscribedVia", "authProvider", "serviceUserId", "username"];

/** What the newsletter system keeps beside the address and the name. */
function attributesOf(
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

/** What a signup needs of the world. */
export interface SignupPorts {
  readonly store: SignupStore;
  readonly challenge: Challenge;
  readonly newsletter: Newsletter;
  /** The site's own origin. */
  readonly origin: () => string;
  /** Whether a request carries the shared secret of server callers. */
  readonly isServerCaller: (request: Request) => boolean;
  /** Refuses a caller who comes too often. */
  readonly limit: (request: Request) => void;
  readonly now: () => Date;
  /** Told of what went wrong after the address was recorded. */
  readonly onLateFault: (error: unknown) => void;
}

/** The newsletter was synced, or there was nothing to do. */
const DONE: BetaSignupOk = { ok: true, listmonk: true };

/**
 * Signs an address up, in the order of the interface's rule 5: type, size, JSON and schema, origin,
 * challenge, honeypot, record, newsletter.
 *
 * @throws {Refusal} for a request that is not served; then nothing is recorded.
 */
export async function signUp(request: Request, ports: SignupPorts): Promise<BetaSignupOk> {
  requireJson(request);
  const signup = validSignup(parseJsonBody(await readBody(request, MAX_SIGNUP_BYTES)));
  refuseOtherOrigins(request, ports.origin());

  const trusted = ports.isServerCaller(request);
  if (!trusted) ports.limit(request);
  const use = trusted ? undefined : await passChallenge(signup.turnstileToken, ports.challenge);

  if (signup.honeypot) return DONE;

  const record = recordOf(signup);
  const state = await ports.store
    .record(record, use, ports.now())
    .catch((error: unknown) => Promise.reject(withoutData("recording the signup", error)));
  if (state === "replayed") throw new Refusal("verification_failed");

  const { ok, listmonkId, skipped } = await ports.newsletter.sync(
    { email: record.email, name: signup.name, attributes: attributesOf(signup, record, trusted) },
    state,
  );
  if (ok && !skipped && !(state.synced && state.listmonkId === listmonkId)) {
    // The address is recorded, so from here on nothing may turn the answer into an error.
    await ports.store
      .markSynced(record.email, listmonkId, ports.now())
      .catch((error: unknown) => ports.onLateFault(withoutData("noting the sync", error)));
  }
  return ok ? DONE : { ok: true, listmonk: false };
}

async function passChallenge(
  token: string | undefined,
  challenge: Challenge,
): Promise<SingleUse | undefined> {
  const passed = token === undefined ? undefined : await verify(token, challenge);
  if (!passed) throw new Refusal("verification_failed");
  return passed.use;
}

const verify = (token: string, challenge: Challenge) =>
  challenge
    .verify(token)
    .catch((error: unknown) => Promise.reject(withoutData("checking the challenge", error)));
