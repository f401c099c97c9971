/** @throws {Error} if the work takes longer. */
export const withTimeout = <Value>(ms: number, work: Promise<Value>): Promise<Value> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      // Do not keep a stopping process alive.
      setTimeout(() => reject(new Error(`timed out after ${ms} ms`)), ms).unref();
    }),
  ]);

/** Caches a result for `ms` after it arrives. Concurrent callers share one call. */
export function cacheFor<Value>(ms: number, load: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  let staleAt = 0;
  return () => {
    if (result && performance.now() < staleAt) return result;
    staleAt = Number.POSITIVE_INFINITY;
    result = Promise.try(load).finally(() => {
      staleAt = performance.now() + ms;
    });
    return result;
  };
}
