/** Waits for the next minute if too little is left of this one, in which callers are counted. */
export async function minuteWithSeconds(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1_000) await Bun.sleep(left);
}
