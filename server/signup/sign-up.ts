import * as v from "valibot";
import { type BetaSignup, type BetaSignupOk, BetaSignupSchema } from "../../schemas/index.ts";
import { formatPath } from "../../src/issues.ts";
import { HttpError } from "../http/error.ts";
import { idOf, parseJsonBody, readBody, rejectOtherOrigins, requireJson } from "../http/request.ts";
import { redacted } from "./errors.ts";
import type { EvenTimes, SignupKind } from "./even-times.ts";
import {
  type Challenge,
  type Newsletter,
  nameForMail,
  type SignupRecord,
  type SignupStore,
  type SingleUse,
  storableText,
} from "./model.ts";
import type { Limit } from "./rate-limit.ts";

export interface SignupDeps {
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
  readonly limit: Limit;
  /** Hides by the time of an answer whether the newsletter had the address. */
  readonly times: EvenTimes;
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
 * A browser's signup is answered no earlier, in milliseconds: the time of the work would show
 * whether the honeypot was seen, and with a quick newsletter whether it had the address.
 */
const FLOOR_MS = 400;

/**
 * Signs an address up. The checks run in this order: type, size, JSON and schema, origin,
 * challenge, honeypot; then the address is recorded and brought to the newsletter.
 *
 * @param limit the size of a body, in bytes.
 * @throws {HttpError} for a rejected request; then nothing is recorded.
 */
export async function signUp(
  request: Request,
  deps: SignupDeps,
  limit: number,
): Promise<BetaSignupOk> {
  const started = deps.now().getTime();
  const trusted = deps.isServerCaller(request);
  const recorded = recordSignup(request, deps, trusted, limit);
  const { listmonk, kind } = await recorded.catch((error: unknown) => {
    deps.onOutcome?.(error instanceof HttpError ? error.code : "internal_error");
    throw error;
  });
  if (!trusted) {
    // Below zero when the clock was set back.
    const elapsed = Math.max(0, deps.now().getTime() - started);
    if (listmonk && kind !== "honeypot") deps.times.note(kind, elapsed);
    const missing = Math.max(FLOOR_MS, deps.times.least(kind)) - elapsed;
    if (missing > 0) await deps.sleep(missing);
  }
  return { ok: true, listmonk };
}

interface Recorded {
  /** True when the newsletter was synced, or there was nothing to do. */
  readonly listmonk: boolean;
  readonly kind: SignupKind | "honeypot";
}

async function recordSignup(
  request: Request,
  deps: SignupDeps,
  trusted: boolean,
  limit: number,
): Promise<Recorded> {
  requireJson(request);
  const signup = validSignup(parseJsonBody(await readBody(request, limit)));
  rejectOtherOrigins(request, deps.origin());

  if (!trusted) await deps.limit(request, "signup");
  const use = trusted ? undefined : await passChallenge(signup.turnstileToken, deps.challenge);

  if (signup.honeypot) {
    if (use && (await deps.store.isUsed(use.nonce).catch(storeFailed))) {
      throw new HttpError("verification_failed");
    }
    deps.onOutcome?.("honeypot");
    return { listmonk: true, kind: "honeypot" };
  }

  const record = recordOf(signup);
  const state = await deps.store.record(record, use, deps.now()).catch(storeFailed);
  if (state === "replayed") throw new HttpError("verification_failed");
  deps.onOutcome?.("recorded");

  const { ok, failure } = await deps.newsletter.sync(
    {
      email: record.email,
      name: nameForMail(signup.name),
      attributes: attributesOf(signup, record, trusted),
    },
    state,
  );
  if (!ok) {
    deps.onNewsletterFailure?.();
    deps.warn(failure ?? "The sync with listmonk failed", idOf(request));
  }
  return { listmonk: ok, kind: state.synced ? "known" : "new" };
}

const storeFailed = (error: unknown): never => {
  throw redacted("recording the signup", error);
};

/** @throws {HttpError} for a value that breaks the schema. */
function validSignup(value: unknown): BetaSignup {
  const parsed = v.safeParse(BetaSignupSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new HttpError("invalid_request", "", {}, pathOf(parsed.issues[0]));
}

const pathOf = ({ path }: v.BaseIssue<unknown>): string =>
  formatPath((path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key))));

async function passChallenge(
  token: string | undefined,
  challenge: Challenge,
): Promise<SingleUse | undefined> {
  const passed = token === undefined ? undefined : await verify(token, challenge);
  if (!passed) throw new HttpError("verification_failed");
  return passed.use;
}

const verify = (token: string, challenge: Challenge) =>
  challenge
    .verify(token)
    .catch((error: unknown) => Promise.reject(redacted("checking the challenge", error)));

/** The part of a signup that is stored. */
function recordOf({ email, ctaSource, referral, referralOther }: BetaSignup): SignupRecord {
  if (referral === undefined && ctaSource === "footer") {
    return { email, ctaSource, referral: "other", referralOther: "newsletter" };
  }
  const other = referral === "other" ? referralOther : undefined;
  return { email, ctaSource, referral, referralOther: other };
}

/** Claims of an identity, believed of server callers only. */
const IDENTITY = ["subscribedVia", "authProvider", "serviceUserId", "username"];

function attributesOf(
  { meta = {} }: BetaSignup,
  { ctaSource, referral, referralOther }: SignupRecord,
  trusted: boolean,
): Record<string, string> {
  const believed = Object.entries(meta).filter(([key]) => trusted || !IDENTITY.includes(key));
  const all = { ...Object.fromEntries(believed), ctaSource, referral, referralOther };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, storableText(value)]],
    ),
  );
}
