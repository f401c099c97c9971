import { countedNetworks } from "./callers.ts";
import { altchaChallenge } from "./challenge/altcha.ts";
import { turnstileChallenge } from "./challenge/turnstile.ts";
import type { SignupConfig } from "./config.ts";
import type { Counter } from "./counts.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { newsletterOff } from "./newsletter/newsletter.ts";
import { openNewsletter } from "./newsletter/sync.ts";
import { type RateLimiter, rateLimit } from "./rate-limit.ts";
import { serverCallerTest } from "./server-caller.ts";
import type { SignupService } from "./sign-up.ts";

/** The parts of the running server that the signup needs. */
interface SignupContext
  extends Pick<SignupService, "store" | "origin" | "onOutcome" | "onNewsletterFailure"> {
  readonly peerOf: (request: Request) => string | undefined;
  /** Counts signups, for the whole site if it can. */
  readonly counter: Counter;
  readonly warn: (problem: string, requestId?: string) => void;
  readonly onLateError: (error: unknown) => void;
  /** Called with the number of names kept in memory for the newsletter. */
  readonly onNamesKept: ((names: number) => void) | undefined;
}

const now = (): Date => new Date();

/** Builds the signup from its configuration. */
export function openSignup(config: SignupConfig, context: SignupContext): SignupService {
  const { store, origin, warn, onLateError } = context;
  const { onOutcome, onNewsletterFailure } = context;
  return {
    store,
    challenge:
      config.challenge.kind === "turnstile"
        ? turnstileChallenge({ ...config.challenge, origin, now })
        : altchaChallenge({ ...config.challenge, origin, now }),
    newsletter: config.newsletter
      ? openNewsletter(listmonkApi(config.newsletter), {
          store,
          onError: onLateError,
          warn,
          onKept: context.onNamesKept,
        })
      : newsletterOff,
    hasNewsletter: config.newsletter !== undefined,
    privacyUrl: config.privacyUrl,
    origin,
    isServerCaller: serverCallerTest(config.ingestSecrets),
    limit: openRateLimit(config, context),
    now,
    sleep: Bun.sleep,
    onOutcome,
    onNewsletterFailure,
    warn,
  };
}

function openRateLimit(
  { rateLimit: limit, rateSecret: secret, proxies }: SignupConfig,
  { peerOf, counter }: Pick<SignupContext, "peerOf" | "counter">,
): RateLimiter {
  if (!limit) return () => undefined;
  const { perMinute, sparesPrivate } = limit;
  return rateLimit({
    perMinute,
    networksOf: (request) =>
      countedNetworks(peerOf(request), request.headers.get("x-forwarded-for"), {
        proxies,
        sparesPrivate,
      }),
    counter,
    secret,
    now,
  });
}
