import { withTimeout } from "../once.ts";

/**
 * Adds to the counts of keys, which are forgotten after a time, and gives each count then. It rejects
 * within a second where it cannot.
 */
export type Counter = (
  added: ReadonlyMap<string, number>,
  expiresAt: Date,
) => Promise<ReadonlyMap<string, number>>;

/** The longest wait of a request for its count, in milliseconds. */
export const COUNT_TIMEOUT_MS = 1_000;

/** The pause after a counter did not answer, in milliseconds. */
const REST_MS = 1_000;

/** The most requests that wait for a count. */
const MAX_WAITING = 10_000;

const MAX_AT_ONCE = 1_000;

/**
 * The count of each key with the request that asks; "silent" when the counter gives none in time,
 * "crowded" when too many requests wait for it.
 */
export type Counted = readonly number[] | "silent" | "crowded";

interface Question {
  readonly keys: readonly string[];
  readonly expiresAt: Date;
  readonly answer: (counted: Counted) => void;
}

/** Counts requests: all that wait are one question to the counter, and it has one at a time. */
export function countQueue(
  counter: Counter,
): (keys: readonly string[], expiresAt: Date) => Promise<Counted> {
  const waiting = new Set<Question>();
  let isAsking = false;
  let restsUntil = Number.NEGATIVE_INFINITY;

  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (waiting.size > 0) {
      const questions = [...waiting].slice(0, MAX_AT_ONCE);
      for (const question of questions) waiting.delete(question);
      try {
        await ask(counter, questions);
      } catch {
        restsUntil = performance.now() + REST_MS;
        for (const { answer } of [...questions, ...waiting]) answer("silent");
        waiting.clear();
      }
    }
    isAsking = false;
  };

  return async (keys, expiresAt) => {
    if (performance.now() < restsUntil) return "silent";
    if (waiting.size >= MAX_WAITING) return "crowded";
    const { promise, resolve: answer } = Promise.withResolvers<Counted>();
    const question = { keys, expiresAt, answer };
    waiting.add(question);
    if (!isAsking) askAll();
    return withTimeout(COUNT_TIMEOUT_MS, promise)
      .catch(() => "silent" as const)
      .finally(() => waiting.delete(question));
  };
}

async function ask(counter: Counter, questions: readonly Question[]): Promise<void> {
  const added = new Map<string, number>();
  for (const key of questions.flatMap(({ keys }) => keys)) {
    added.set(key, (added.get(key) ?? 0) + 1);
  }
  const latest = Math.max(...questions.map(({ expiresAt }) => expiresAt.getTime()));
  const totals = await counter(added, new Date(latest));
  // Questions with a key in common have the last numbers below its total, each one of its own.
  const numberOf = (key: string): number => {
    const later = (added.get(key) ?? 0) - 1;
    added.set(key, later);
    return (totals.get(key) ?? Number.POSITIVE_INFINITY) - later;
  };
  for (const { keys, answer } of questions) answer(keys.map(numberOf));
}

/** The most keys kept; the oldest are dropped first, so that a flood costs little memory. */
const MAX_KEYS = 100_000;

export function boundedCounts() {
  const counts = new Map<string, number>();
  const get = (key: string): number => counts.get(key) ?? 0;
  const raise = (key: string, least: number): number => {
    const count = Math.max(get(key), least);
    const [oldest] = counts.keys();
    if (counts.size >= MAX_KEYS && oldest !== undefined && !counts.has(key)) counts.delete(oldest);
    counts.set(key, count);
    return count;
  };
  return { get, raise, add: (key: string, more: number): number => raise(key, get(key) + more) };
}

export function memoryCounter() {
  const counts = boundedCounts();
  return async (added: ReadonlyMap<string, number>) =>
    new Map([...added].map(([key, more]) => [key, counts.add(key, more)]));
}
