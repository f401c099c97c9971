import { expect } from "bun:test";

const WITHIN_MS = 8_000;
const BETWEEN_MS = 25;

/** Asks until the answer is what is wanted; the last one has to be. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  wanted: Answer,
): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  let answer = await ask();
  while (!Bun.deepEquals(answer, wanted) && Date.now() < deadline) {
    await Bun.sleep(BETWEEN_MS);
    answer = await ask();
  }
  expect<unknown>(answer).toEqual(wanted);
}
