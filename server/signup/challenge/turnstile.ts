import type { Challenge } from "../ports.ts";
import { CHALLENGE_ACTION } from "./action.ts";
import { classify, type Passed } from "./classify.ts";
import { isFresh } from "./fresh.ts";
import { siteverify } from "./siteverify.ts";
import { TurnstileFault } from "./turnstile-fault.ts";

export interface TurnstileOptions {
  readonly secret: string;
  readonly verifyUrl: string;
  /** The site's own origin. */
  readonly origin: string;
  /** Lets in whatever Cloudflare's public test keys let in: for development only. */
  readonly allowTestKeys: boolean;
  readonly now: () => Date;
}

/** Cloudflare's Turnstile. It keeps count of the tokens itself, so that there is nothing to burn. */
export function turnstileChallenge(options: TurnstileOptions): Challenge {
  const { secret, verifyUrl } = options;
  return {
    async verify(token) {
      // The key lets Turnstile answer for the same token twice.
      const form = { secret, response: token, idempotency_key: crypto.randomUUID() };
      const ask = async () => classify(await siteverify(verifyUrl, form));
      const first = await ask();
      const verdict = first === "try-again" ? await ask() : first;
      if (verdict === "try-again") throw new TurnstileFault("internal-error");
      return verdict !== "refused" && isForUs(verdict, options) ? { use: undefined } : undefined;
    },
  };
}

function isForUs(passed: Passed, { origin, allowTestKeys, now }: TurnstileOptions): boolean {
  // A test key's answer names neither our host nor our action.
  if (passed.metadata?.result_with_testing_key) return allowTestKeys;
  return (
    passed.action === CHALLENGE_ACTION &&
    passed.hostname === new URL(origin).hostname &&
    isFresh(Date.parse(passed.challenge_ts), now())
  );
}
