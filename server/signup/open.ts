import { once } from "../once.ts";
import { clientAddress, ingestSecret, rateLimit } from "./callers.ts";
import { altchaChallenge } from "./challenge/altcha.ts";
import { turnstileChallenge } from "./challenge/turnstile.ts";
import type { ChallengeConfig, NewsletterConfig, SignupConfig } from "./config.ts";
import type { Challenge, Newsletter, SignupStore } from "./model.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { listmonkPublic } from "./newsletter/listmonk-public.ts";
import type { SignupPorts } from "./sign-up.ts";

/** No newsletter is set up: there is nothing to sync, and that is fine. */
export const newsletterOff: Newsletter = {
  sync: async () => ({ ok: true, listmonkId: undefined, skipped: true }),
};

/** The newsletter system as it is configured. */
export function openNewsletter(
  config: NewsletterConfig,
  warn: (problem: string) => void,
): Newsletter {
  if (config.kind === "off") return newsletterOff;
  return config.kind === "api"
    ? listmonkApi({ ...config, warn })
    : listmonkPublic({ ...config, warn });
}

/** What the running server lends to the signup. */
export interface Surroundings {
  readonly store: SignupStore;
  /** The site's own origin. */
  readonly origin: () => string;
  /** The network address at the other end of a request's connection. */
  readonly peerOf: (request: Request) => string | undefined;
  readonly warn: (problem: string) => void;
  readonly onLateFault: (error: unknown) => void;
}

/** Puts the signup together as it is configured. */
export function openSignup(config: SignupConfig, surroundings: Surroundings): SignupPorts {
  const { store, origin, peerOf, warn, onLateFault } = surroundings;
  const now = () => new Date();
  const addressOf = (request: Request) =>
    clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), config.proxies);
  return {
    store,
    challenge: challengeOf(config.challenge, origin, now),
    newsletter: openNewsletter(config.newsletter, warn),
    origin,
    isServerCaller: ingestSecret(config.ingestSecrets),
    limit: config.rateLimit === undefined ? () => {} : rateLimit(config.rateLimit, addressOf, now),
    now,
    onLateFault,
  };
}

function challengeOf(config: ChallengeConfig, origin: () => string, now: () => Date): Challenge {
  // The origin is not known before the port is, so neither is made before it is asked for.
  if (config.kind === "turnstile") {
    const turnstile = once(() => turnstileChallenge({ ...config, origin: origin(), now }));
    return { verify: (token) => turnstile().verify(token), siteKey: config.siteKey };
  }
  const { secret } = config;
  const embedded = once(() => altchaChallenge({ secret, origin: origin(), now }));
  return { verify: (token) => embedded().verify(token), issue: () => embedded().issue() };
}
