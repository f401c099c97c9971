import * as v from "valibot";
import { type BetaSignup, type BetaSignupOk, BetaSignupSchema } from "../../schemas/index.ts";
import { HttpError } from "../http/error.ts";
import { idOf, rejectOtherOrigins } from "../http/request.ts";
import type { Challenge, ChallengeNonce } from "./challenge/challenge.ts";
import { redacted } from "./errors.ts";
import type { Newsletter } from "./newsletter/newsletter.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { SignupRecord, SignupStore } from "./store/signup-store.ts";
import { nameForMail, storableText } from "./text.ts";

/** The signup of a running server: what checks, stores and sends on an address. */
export interface SignupService {
  readonly store: SignupStore;
  readonly challenge: Challenge;
  readonly newsletter: Newsletter;
  /** True when a newsletter is configured, which may send a mail to confirm the address. */
  readonly hasNewsletter: boolean;
  /** The page about the site's use of addresses. */
  readonly privacyUrl: string | undefined;
  readonly origin: () => string;
  /** True when a request carries the shared secret of server callers. */
  readonly isServerCaller: (request: Request) => boolean;
  /** Throws for a caller that comes too often. */
  readonly limit: RateLimiter;
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onOutcome: ((outcome: SignupOutcome) => void) | undefined;
  readonly onNewsletterFailure: (() => void) | undefined;
  /** Tells the operator why the newsletter does not have an address, with the request's id. */
  readonly warn: (problem: string, requestId: string) => void;
}

/** The end of a signup: recorded, dropped as a bot's, or rejected. */
export type SignupOutcome = "recorded" | "honeypot" | HttpError["code"];

/**
 * A browser's signup is answered this long after its request was read, in milliseconds, or as soon
 * as it is checked and recorded where that takes longer: the time of a sync would show whom the
 * newsletter has, and the time of no sync that the honeypot was seen.
 */
const ANSWER_MS = { withNewsletter: 1_000, without: 400 };

/**
 * Signs an address up. The checks run in this order, after type, size and JSON: schema, origin,
 * challenge, honeypot; then the address is recorded and brought to the newsletter. A server waits
 * for that. A browser is answered at a fixed time with what is known then, and the sync goes on.
 *
 * @param input the body of the request, which has been read to its end.
 * @throws {HttpError} for a rejected request; then nothing is recorded.
 */
export async function signUp(
  request: Request,
  input: unknown,
  service: SignupService,
): Promise<BetaSignupOk> {
  const readAt = service.now().getTime();
  const isServerCaller = service.isServerCaller(request);
  const { sync } = await recordSignup(request, input, service, isServerCaller);
  if (isServerCaller) return { ok: true, listmonk: await sync };
  let listmonk = false;
  void sync.then((isSynced) => {
    listmonk = isSynced;
  });
  // Not below zero, when the clock was set back.
  const elapsed = Math.max(0, service.now().getTime() - readAt);
  const answerMs = service.hasNewsletter ? ANSWER_MS.withNewsletter : ANSWER_MS.without;
  await service.sleep(Math.max(0, answerMs - elapsed));
  return { ok: true, listmonk };
}

/** A signup that was accepted. */
interface Recorded {
  /** True when the newsletter has the address, or there was nothing to do. It never rejects. */
  readonly sync: Promise<boolean>;
}

async function recordSignup(
  request: Request,
  input: unknown,
  service: SignupService,
  isServerCaller: boolean,
): Promise<Recorded> {
  const signup = validSignup(input);
  rejectOtherOrigins(request, service.origin());

  if (!isServerCaller) await service.limit(request, "signup");
  const nonce = isServerCaller
    ? undefined
    : await passChallenge(signup.turnstileToken, service.challenge);

  if (signup.honeypot) {
    if (nonce && (await service.store.isUsed(nonce.nonce).catch(storeFailed))) {
      throw new HttpError("verification_failed");
    }
    service.onOutcome?.("honeypot");
    return { sync: Promise.resolve(true) };
  }

  const record = toRecord(signup);
  const state = await service.store.record(record, nonce, service.now()).catch(storeFailed);
  if (state === "replayed") throw new HttpError("verification_failed");
  service.onOutcome?.("recorded");

  const subscriber = {
    email: record.email,
    name: nameForMail(signup.name),
    attributes: chooseAttributes(signup, record, isServerCaller),
  };
  const sync = service.newsletter.sync(subscriber, state).then(({ ok, failure }) => {
    if (ok) return true;
    service.onNewsletterFailure?.();
    service.warn(failure ?? "The sync with listmonk failed", idOf(request));
    return false;
  });
  return { sync };
}

const storeFailed = (error: unknown): never => {
  throw redacted("recording the signup", error);
};

/** @throws {HttpError} for a value that breaks the schema. */
function validSignup(value: unknown): BetaSignup {
  const parsed = v.safeParse(BetaSignupSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new HttpError("invalid_request");
}

async function passChallenge(
  token: string | undefined,
  challenge: Challenge,
): Promise<ChallengeNonce | undefined> {
  const passed = token === undefined ? undefined : await verify(token, challenge);
  if (!passed) throw new HttpError("verification_failed");
  return passed.nonce;
}

const verify = (token: string, challenge: Challenge) =>
  challenge
    .verify(token)
    .catch((error: unknown) => Promise.reject(redacted("checking the challenge", error)));

/** The part of a signup that is stored. */
function toRecord({ email, ctaSource, referral, referralOther }: BetaSignup): SignupRecord {
  if (referral === undefined && ctaSource === "footer") {
    return { email, ctaSource, referral: "other", referralOther: "newsletter" };
  }
  const other = referral === "other" ? referralOther : undefined;
  return { email, ctaSource, referral, referralOther: other };
}

/** Claims of an identity, believed of server callers only. */
const IDENTITY = ["subscribedVia", "authProvider", "serviceUserId", "username"];

function chooseAttributes(
  { meta = {} }: BetaSignup,
  { ctaSource, referral, referralOther }: SignupRecord,
  isServerCaller: boolean,
): Record<string, string> {
  const believed = Object.entries(meta).filter(
    ([key]) => isServerCaller || !IDENTITY.includes(key),
  );
  const all = { ...Object.fromEntries(believed), ctaSource, referral, referralOther };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, storableText(value)]],
    ),
  );
}
