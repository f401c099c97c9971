import { createHash, timingSafeEqual } from "node:crypto";
import type { serveMetrics } from "../process/metrics.ts";
import { createAltchaChallenge } from "./challenge/altcha-challenge.ts";
import { createTurnstileChallenge } from "./challenge/turnstile-challenge.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { openNewsletter } from "./newsletter/sync-newsletter.ts";
import { createRateLimiter } from "./rate-limit.ts";
import type { SignupConfig } from "./signup-config.ts";
import type { SignupStore } from "./store/signup-store.ts";

/** The parts of the running server that the signup needs. */
interface SignupContext {
  readonly store: SignupStore;
  /** The site's origin, known once the port is. */
  readonly origin: () => string;
  /** The IP address of the caller, or of a proxy. */
  readonly getPeer: (request: Request) => string | undefined;
  readonly warn: (problem: string, requestId?: string) => void;
  readonly onLateError: (error: unknown) => void;
  readonly metrics:
    | Pick<ReturnType<typeof serveMetrics>, "onOutcome" | "onNewsletterFailure" | "onNamesKept">
    | undefined;
}

export type SignupService = ReturnType<typeof openSignup>;

export function openSignup(config: SignupConfig, context: SignupContext) {
  const { store, origin, getPeer, warn, onLateError, metrics } = context;
  const { turnstile, perMinute, ingestSecrets, privacyUrl } = config;
  return {
    store,
    challenge: turnstile
      ? createTurnstileChallenge(turnstile, origin)
      : createAltchaChallenge(config, origin),
    newsletter:
      config.newsletter &&
      openNewsletter(listmonkApi(config.newsletter), {
        store,
        onError: onLateError,
        warn,
        onPendingCount: metrics?.onNamesKept,
      }),
    privacyUrl,
    origin,
    isServerCaller: serverCallerTest(ingestSecrets),
    limit:
      perMinute === "off"
        ? undefined
        : createRateLimiter({ ...config, perMinute, getPeer, counter: store.counter }),
    sleep: (ms: number) => Bun.sleep(ms),
    metrics,
    warn,
  };
}

/**
 * Creates the test for the operator's own servers, which send `Authorization: Bearer <secret>`. It
 * compares digests, so that timing reveals neither a secret nor its length.
 *
 * @param secrets none if no server may call; two during a rotation.
 */
export function serverCallerTest(secrets: readonly string[]): (request: Request) => boolean {
  const digests = secrets.map(digest);
  return (request) => {
    const [, sent] = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (sent === undefined) return false;
    const sentDigest = digest(sent);
    // No early exit: timing must not reveal which secret matched.
    return digests.map((known) => timingSafeEqual(known, sentDigest)).includes(true);
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
