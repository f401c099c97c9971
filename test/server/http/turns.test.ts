import { describe, expect, test } from "bun:test";
import { turnFor } from "../../../server/http/turns.ts";

/** The order in which requests of these sizes run, when all arrive together. */
async function orderOf(sizes: readonly number[]): Promise<readonly number[]> {
  const order: number[] = [];
  await Promise.all(
    sizes.map(async (bytes) => {
      await turnFor(bytes);
      order.push(bytes);
    }),
  );
  return order;
}

const nextLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("turnFor()", () => {
  test("lets a small request run at once", () => {
    expect([turnFor(0), turnFor(1_024)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["smaller ones first", [16_000, 2_000, 8_000], [2_000, 8_000, 16_000]],
    ["equal ones as they came", [9_001, 9_002, 9_003], [9_001, 9_002, 9_003]],
  ])("runs %s", async (_, sizes, order) => {
    expect(await orderOf(sizes)).toEqual(order);
  });

  test("runs one request in a turn of the event loop", async () => {
    let ran = 0;
    const all = Promise.all(
      Array.from({ length: 5 }, async () => {
        await turnFor(16_384);
        ran += 1;
      }),
    );
    const seen: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await nextLoopTurn();
      seen.push(ran);
    }
    expect(seen.every((count, index) => count - (seen[index - 1] ?? 0) <= 1)).toBe(true);
    await all;
    expect(ran).toBe(5);
  });

  test("lets no large request wait for ever behind small ones", async () => {
    let isDone = false;
    const large = turnFor(16_384)?.then(() => {
      isDone = true;
    });
    const deadline = performance.now() + 2_000;
    // There is always a small one waiting.
    const small: (Promise<void> | undefined)[] = [];
    while (!isDone && performance.now() < deadline) {
      small.push(turnFor(1_025), turnFor(1_025));
      await nextLoopTurn();
    }
    expect(isDone).toBe(true);
    await Promise.all([large, ...small]);
  });
});
