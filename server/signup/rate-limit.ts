import { createHmac } from "node:crypto";
import * as v from "valibot";
import { HttpError } from "../http/error.ts";

/** Counts one more for a key, which is forgotten after a time. @returns how many there are. */
export type Counter = (key: string, expiresAt: Date) => Promise<number>;

interface RateLimitOptions {
  readonly perMinute: number;
  readonly counter: Counter;
  /** The caller's address; a request without one is let through. */
  readonly addressOf: (request: Request) => string | undefined;
  /** Hides the address from the place where it is counted. */
  readonly secret: string;
  readonly now: () => Date;
}

export type Limit = (request: Request, kind: "signup" | "challenge") => Promise<void>;

const MINUTE_MS = 60_000;

/** Limits what one network address does in a minute. If counting fails, the request passes. */
export function rateLimit(options: RateLimitOptions): Limit {
  const { perMinute, counter, addressOf, secret, now } = options;
  return async (request, kind) => {
    const address = addressOf(request);
    if (address === undefined) return;
    const time = now().getTime();
    const minute = Math.floor(time / MINUTE_MS);
    const key = createHmac("sha256", secret)
      .update(`${kind} ${minute} ${address}`)
      .digest("base64url");
    const end = (minute + 1) * MINUTE_MS;
    const counted = await counter(key, new Date(end + MINUTE_MS)).catch(() => 0);
    if (counted <= perMinute) return;
    throw new HttpError("rate_limited", "", {
      "Retry-After": String(Math.ceil((end - time) / 1_000)),
    });
  };
}

/** Beyond this many keys the oldest are forgotten, so that a flood costs no memory. */
const MAX_KEYS = 10_000;

/** Counts in this process. */
export function memoryCounter(): (key: string) => Promise<number> {
  const counts = new Map<string, number>();
  return async (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    const [oldest] = counts.keys();
    if (count === 1 && counts.size >= MAX_KEYS && oldest !== undefined) counts.delete(oldest);
    counts.set(key, count);
    return count;
  };
}

const AskSchema = v.object({ count: v.object({ id: v.number(), key: v.string() }) });
const AnswerSchema = v.object({ counted: v.object({ id: v.number(), count: v.number() }) });

/** A request waits no longer for a count. */
const PATIENCE_MS = 1_000;

/** Counts in the parent of this worker, where all workers do. */
export function parentCounter(): Counter {
  const waiting = new Map<number, (count: number) => void>();
  let lastId = 0;
  process.on("message", (message: unknown) => {
    if (!v.is(AnswerSchema, message)) return;
    const { id, count } = message.counted;
    waiting.get(id)?.(count);
    waiting.delete(id);
  });
  return (key) => {
    lastId += 1;
    const id = lastId;
    const counted = new Promise<number>((resolve) => waiting.set(id, resolve));
    process.send?.({ count: { id, key } });
    return patiently(counted).finally(() => waiting.delete(id));
  };
}

/** The parent's side: counts for a worker that asks, and answers no other message. */
export function answerCounts() {
  const counter = memoryCounter();
  return async (message: unknown, reply: (answer: object) => void): Promise<void> => {
    if (!v.is(AskSchema, message)) return;
    const { id, key } = message.count;
    const count = await counter(key);
    try {
      reply({ counted: { id, count } });
    } catch {
      // The worker has ended meanwhile.
    }
  };
}

/** @throws {Error} when it takes too long. */
export async function patiently<Value>(counting: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("counting takes too long")), PATIENCE_MS);
  return await Promise.race([counting, promise]).finally(() => clearTimeout(timer));
}
