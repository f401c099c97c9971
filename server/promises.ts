/** Waits for some work. @throws {Error} when it takes longer. */
export const withTimeout = <Value>(ms: number, work: Promise<Value>): Promise<Value> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      // The timer does not keep a stopping process alive.
      setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms).unref();
    }),
  ]);

/**
 * Shares the answers of a function among many callers: it is called again only `ms` after its last
 * answer, and never twice at once.
 */
export function cacheFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  let staleAt = 0;
  return () => {
    if (answer && performance.now() < staleAt) return answer;
    staleAt = Number.POSITIVE_INFINITY;
    answer = Promise.try(ask).finally(() => {
      staleAt = performance.now() + ms;
    });
    return answer;
  };
}
