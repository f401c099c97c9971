/** @throws {Error} when it has not come true in time. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  patienceMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(5);
  }
}
