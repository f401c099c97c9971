import { altchaChallenge } from "./challenge/altcha.ts";
import { turnstileChallenge } from "./challenge/turnstile.ts";
import type { SignupConfig } from "./config.ts";
import { redacted } from "./errors.ts";
import { withLease } from "./newsletter/lease.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { withRetry } from "./newsletter/retry.ts";
import { rateLimit } from "./rate-limit.ts";
import { serverCallerTest } from "./server-caller.ts";
import type { SignupService } from "./sign-up.ts";

/** The parts of the running server that the signup needs. */
interface SignupContext extends Pick<SignupService, "store" | "origin" | "metrics"> {
  /** The address at the other end of the connection. */
  readonly peerOf: (request: Request) => string | undefined;
  readonly warn: (problem: string, requestId?: string) => void;
  readonly onLateError: (error: unknown) => void;
}

const now = (): Date => new Date();

/** Builds the signup from its configuration. */
export function openSignup(config: SignupConfig, context: SignupContext): SignupService {
  const { store, origin, metrics, peerOf, warn, onLateError } = context;
  const { turnstile, secret, oldSecret } = config;
  return {
    store,
    challenge: turnstile
      ? turnstileChallenge({ ...turnstile, origin, now })
      : altchaChallenge({ secret, oldSecret, origin, now }),
    newsletter:
      config.newsletter &&
      withRetry(withLease(listmonkApi(config.newsletter), { store, now, onError: onLateError }), {
        stateOf: (email) => store.find(email),
        onError: (error) => onLateError(redacted("looking up an address to sync", error)),
        warn,
        onKept: metrics?.onNamesKept,
      }),
    privacyUrl: config.privacyUrl,
    origin,
    isServerCaller: serverCallerTest(config.ingestSecrets),
    limit:
      config.rateLimit && rateLimit({ ...config.rateLimit, peerOf, counter: store.counter, now }),
    now,
    sleep: Bun.sleep,
    metrics,
    warn,
  };
}
