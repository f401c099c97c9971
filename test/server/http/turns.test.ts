import { describe, expect, test } from "bun:test";
import { turnFor, turnForBody } from "../../../server/http/turns.ts";

/** The order in which requests of these sizes run, when all arrive together in a long turn. */
async function orderOf(sizes: readonly number[]): Promise<readonly number[]> {
  const order: number[] = [];
  await nextTurn();
  makeTurnLong();
  await Promise.all(
    sizes.map(async (bytes) => {
      await turnFor(bytes);
      order.push(bytes);
    }),
  );
  return order;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The first request of a turn starts its clock. */
function makeTurnLong(): void {
  void turnFor(2_000);
  Bun.sleepSync(50);
}

describe("turnFor()", () => {
  test("lets a small request run at once, even in a long turn", async () => {
    await nextTurn();
    makeTurnLong();
    expect([turnFor(0), turnFor(1_024)]).toEqual([undefined, undefined]);
  });

  test("lets larger requests run at once while the turn is short", async () => {
    await nextTurn();
    expect([turnFor(1_025), turnFor(16_384)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["smaller ones first", [16_000, 2_000, 8_000], [2_000, 8_000, 16_000]],
    ["equal ones as they came", [9_001, 9_002, 9_003], [9_001, 9_002, 9_003]],
  ])("once it is long, runs %s", async (_, sizes, order) => {
    expect(await orderOf(sizes)).toEqual(order);
  });

  test.each([
    ["one of the longest", 16_384, 1],
    ["two of half the size", 8_192, 2],
    ["many short ones", 2_048, 8],
  ])("later runs %s in a turn", async (_, bytes, most) => {
    await nextTurn();
    makeTurnLong();
    let ran = 0;
    const all = Array.from({ length: 5 * most }, async () => {
      await turnFor(bytes);
      ran += 1;
    });
    const counts: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      await nextTurn();
      counts.push(ran);
    }
    expect(Math.max(...counts.map((count, turn) => count - (counts[turn - 1] ?? 0)))).toBe(most);
    await Promise.all(all);
    expect(ran).toBe(5 * most);
  });

  test("lets no large request wait for ever behind small ones", async () => {
    await nextTurn();
    makeTurnLong();
    let isDone = false;
    const large = turnFor(16_384)?.then(() => {
      isDone = true;
    });
    const deadline = performance.now() + 4_000;
    // There is always one of half its size waiting.
    const others: (Promise<void> | undefined)[] = [];
    while (!isDone && performance.now() < deadline) {
      makeTurnLong();
      others.push(turnFor(8_192), turnFor(8_192));
      await nextTurn();
    }
    expect(isDone).toBe(true);
    await Promise.all([large, ...others]);
  });
});

describe("turnForBody()", () => {
  test("lets the first of a turn run at once, and small ones after it together at its end", async () => {
    await nextTurn();
    const order: string[] = [];
    expect(turnForBody(1)).toBeUndefined();
    const one = turnForBody(1)?.then(() => order.push("one"));
    const other = turnForBody(1_024)?.then(() => order.push("other"));
    await Promise.resolve();
    order.push("the turn");
    await Promise.all([one, other]);
    expect(order).toEqual(["the turn", "one", "other"]);
  });

  test("lets larger requests run at once while the turn is short", async () => {
    await nextTurn();
    expect([turnForBody(1_025), turnForBody(16_384)]).toEqual([undefined, undefined]);
  });
});
