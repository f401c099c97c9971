import { isLoopback } from "../../src/url.ts";
import { isLocal } from "../config.ts";
import type { Environment } from "../variables.ts";
import type { SignupConfig } from "./config.ts";
import type { Newsletter } from "./newsletter/newsletter.ts";
import type { SignupStore } from "./store/signup-store.ts";

/**
 * Warns the operator, at the start, about settings that work badly. Those that hurt only the public
 * count only where more than this machine reaches the server. It never throws.
 */
export async function startWarnings(
  environment: Environment,
  { challenge, newsletter, rateLimit, proxies }: SignupConfig,
  {
    newsletter: { check },
    store,
  }: { newsletter: Newsletter; store: Pick<SignupStore, "warnings"> },
  warn: (problem: string) => void,
): Promise<void> {
  const isPublic = !isLocal(environment);
  if (isPublic && challenge.kind === "embedded" && !environment.CHALLENGE_SECRET) {
    warn(
      "CHALLENGE_SECRET is not set: a restart, or another server of the site, rejects the challenges that pages have open",
    );
  }
  const { BASE_URL: baseUrl } = environment;
  if (challenge.kind === "embedded" && baseUrl && isPlainAndRemote(baseUrl)) {
    warn(
      "BASE_URL is plain http: browsers solve the challenge only over https and on this machine, so nobody else can sign up; put TLS before the server",
    );
  }
  if (isPublic && challenge.kind === "turnstile" && challenge.allowTestKeys) {
    warn("TURNSTILE_ALLOW_TEST_KEYS is on: every bot is let in");
  }
  if (newsletter && isPlainAndRemote(newsletter.url)) {
    warn(
      "LISTMONK_URL is plain http to another machine: addresses and the token can be read on the way; use https",
    );
  }
  if (isPublic && rateLimit?.sparesPrivate && !proxies) {
    warn("Behind a proxy, set TRUSTED_PROXIES; without it no visitor is rate-limited");
  }
  for (const problem of store.warnings) warn(problem);
  const problems = await check?.();
  for (const problem of problems ?? []) warn(problem);
}

function isPlainAndRemote(url: string): boolean {
  const parsed = new URL(url);
  return parsed.protocol === "http:" && !isLoopback(parsed.hostname);
}
