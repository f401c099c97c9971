import { createHmac } from "node:crypto";
import { HttpError } from "../http/error.ts";
import { withTimeout } from "../timing.ts";
import type { Network } from "./callers.ts";
import { boundedCounts, COUNT_TIMEOUT_MS, type Counter } from "./counts.ts";

interface RateLimitOptions {
  readonly perMinute: number;
  readonly counter: Counter;
  /** The networks that a caller belongs to; a request without one is not limited. */
  readonly networksOf: (request: Request) => readonly Network[];
  /** Hides the networks from the counter, which may be a database. */
  readonly secret: string;
  readonly now: () => Date;
}

/**
 * Throws a `rate_limited` error for a caller that comes too often: at once if this process knows it,
 * which costs least, else by the promise.
 */
export type RateLimiter = (
  request: Request,
  kind: "signup" | "challenge",
) => Promise<void> | undefined;

const MINUTE_MS = 60_000;

/** How long a counter that did not answer is not asked, in milliseconds. */
const REST_MS = 1_000;

/**
 * Limits what one network does in a minute. A network that is known to be over its limit is rejected
 * from memory, so that a flood is not counted on and on.
 */
export function rateLimit(options: RateLimitOptions): RateLimiter {
  const { perMinute, networksOf, counter, secret, now } = options;
  let memory = { minute: 0, reached: boundedCounts() };
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** The count of each key with the request that asks, undefined while the counter is silent. */
  const count = async (keys: readonly string[], expiresAt: Date) => {
    if (performance.now() < restsUntil) return undefined;
    try {
      return await withTimeout(COUNT_TIMEOUT_MS, counter(keys, expiresAt));
    } catch {
      restsUntil = performance.now() + REST_MS;
      return undefined;
    }
  };

  return (request, kind) => {
    const time = now().getTime();
    const minute = Math.floor(time / MINUTE_MS);
    const end = (minute + 1) * MINUTE_MS;
    if (memory.minute !== minute) memory = { minute, reached: boundedCounts() };
    // The requests of each network that are counted or about to be: at least so many.
    const { reached } = memory;
    const countedKeys = networksOf(request).map(({ name, times }) => ({
      key: `${kind} ${minute} ${name}`,
      limit: perMinute * times,
    }));
    if (countedKeys.length === 0) return undefined;

    if (countedKeys.some(({ key, limit }) => reached.get(key) >= limit)) throw tooMany(end - time);
    for (const { key } of countedKeys) reached.addOne(key);

    const hidden = countedKeys.map(({ key }) => hmac(secret, key));
    return count(hidden, new Date(end + MINUTE_MS)).then((counts) => {
      // While the counter is silent, the limit holds in each process by itself.
      if (!counts) return;
      const areWithin = countedKeys.map(({ key, limit }, index) => {
        const number = counts[index] ?? Number.POSITIVE_INFINITY;
        reached.raise(key, number);
        return number <= limit;
      });
      if (areWithin.includes(false)) throw tooMany(end - time);
    });
  };
}

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("base64url");

const tooMany = (retryAfterMs: number): HttpError =>
  new HttpError("rate_limited", "", { "Retry-After": String(Math.ceil(retryAfterMs / 1_000)) });
