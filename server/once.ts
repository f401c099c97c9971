/** Computes a value at its first use and keeps it. */
export function once<Value>(compute: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

/**
 * Calls a function at most once in a time, which begins with its answer; callers share the answer.
 * A call that takes long stays the only one.
 *
 * @param failureMs the time after a failed call.
 */
export function atMostEvery<Value>(
  ms: number,
  ask: () => Promise<Value>,
  failureMs: number = ms,
): () => Promise<Value> {
  let answer: Promise<Value> | undefined;
  let staleAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (answer && performance.now() < staleAt) return answer;
    staleAt = Number.POSITIVE_INFINITY;
    const restFor = (rest: number) => {
      staleAt = performance.now() + rest;
    };
    answer = Promise.try(ask);
    answer.then(
      () => restFor(ms),
      () => restFor(failureMs),
    );
    return answer;
  };
}

/** @throws {Error} when the work takes longer. */
export async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  // The timer does not keep a stopping process alive.
  timer.unref();
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
