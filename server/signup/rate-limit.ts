import { createHmac } from "node:crypto";
import { HttpError } from "../http/http-error.ts";
import { withTimeout } from "../promises.ts";
import { listRateLimitedNetworks } from "./client-networks.ts";
import type { SignupConfig } from "./signup-config.ts";
import { COUNT_TIMEOUT_MS, type RateCounter } from "./store/signup-store.ts";

interface RateLimitOptions
  extends Pick<SignupConfig, "exemptsPrivateNetworks" | "proxies" | "secret"> {
  readonly perMinute: number;
  /** The IP address of the caller, or of a proxy. */
  readonly getPeer: (request: Request) => string | undefined;
  /** Counts for all servers of the site. Without it, each process counts alone. */
  readonly counter: RateCounter | undefined;
}

const MINUTE_MS = 60_000;

/**
 * Limits the requests of a network in a minute. A network over its limit is rejected from memory, so
 * that a flood does not reach the database.
 *
 * @returns a function that throws `rate_limited` for a request over the limit.
 */
export function createRateLimiter(options: RateLimitOptions) {
  const { perMinute, secret, getPeer, counter } = options;
  let memory = { minute: 0, counts: createBoundedCounter() };

  return async (request: Request, kind: "signup" | "challenge"): Promise<void> => {
    const time = Date.now();
    const minute = Math.floor(time / MINUTE_MS);
    const end = (minute + 1) * MINUTE_MS;
    const tooMany = () => {
      const seconds = Math.ceil((end - time) / 1_000);
      return new HttpError("rate_limited", "", { "Retry-After": String(seconds) });
    };
    if (memory.minute !== minute) memory = { minute, counts: createBoundedCounter() };
    const { counts } = memory;
    const forwardedFor = request.headers.get("x-forwarded-for");
    const limits = listRateLimitedNetworks(getPeer(request), forwardedFor, options).map(
      ({ name, multiplier }) => ({ key: `${kind} ${name}`, limit: perMinute * multiplier }),
    );
    if (limits.some(({ key, limit }) => counts.get(key) >= limit)) throw tooMany();
    for (const { key } of limits) counts.addOne(key);

    if (!counter || limits.length === 0) return;
    // The counter may be a database, which must not learn IP addresses.
    const hidden = limits.map(({ key }) =>
      createHmac("sha256", secret).update(key).digest("base64url"),
    );
    // The counter has its own minutes, because clocks differ.
    const count = counter(hidden, MINUTE_MS);
    // If the counter does not respond, the process's own count still applies.
    const shared = await withTimeout(COUNT_TIMEOUT_MS, count).catch(() => undefined);
    const areOver = limits.map(({ key, limit }, index) => {
      const total = shared?.[index] ?? 0;
      counts.raise(key, total);
      return total > limit;
    });
    if (areOver.includes(true)) throw tooMany();
  };
}

/** Bounds the memory in a flood; the oldest keys are dropped first. */
const MAX_KEYS = 100_000;

export function createBoundedCounter() {
  const counts = new Map<string, number>();
  const get = (key: string): number => counts.get(key) ?? 0;
  const raise = (key: string, least: number): number => {
    const count = Math.max(get(key), least);
    const [oldest] = counts.keys();
    if (counts.size >= MAX_KEYS && oldest !== undefined && !counts.has(key)) counts.delete(oldest);
    counts.set(key, count);
    return count;
  };
  return { get, raise, addOne: (key: string): number => raise(key, get(key) + 1) };
}
