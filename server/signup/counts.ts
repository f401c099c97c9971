/**
 * Adds one to the count of each key, and gives the counts. A key names its period: its count is of no use
 * after `expiresAt`. It rejects if it cannot count.
 */
export type Counter = (keys: readonly string[], expiresAt: Date) => Promise<readonly number[]>;

/** The longest wait of a request for its count, in milliseconds. */
export const COUNT_TIMEOUT_MS = 1_000;

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
  return { get, raise, addOne: (key: string): number => raise(key, get(key) + 1) };
}
