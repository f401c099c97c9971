/**
 * Shares the answers of a function among many callers: it is called again only `ms` after its last
 * answer, and never twice at once.
 *
 * @param failureMs the time in place of `ms` after a failed call.
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
