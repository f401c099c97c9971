/** Waits for some work. @throws {Error} when it takes longer. */
export async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  // The timer does not keep a stopping process alive.
  timer.unref();
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
