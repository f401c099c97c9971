import { beforeEach, describe, expect, test } from "bun:test";
import { waitForTurn, waitForTurnOfBody } from "../../../server/http/load.ts";
import { chunk, MCP, MCP_INPUT, openConnection, rawPost } from "../support/http.ts";
import { runningServer, toolsWith } from "../support/servers.ts";

/** The order in which requests of these sizes run, when all arrive together in a long turn. */
async function orderOf(sizes: readonly number[]): Promise<readonly number[]> {
  const order: number[] = [];
  makeTurnLong();
  await Promise.all(
    sizes.map(async (bytes) => {
      await waitForTurn(bytes);
      order.push(bytes);
    }),
  );
  return order;
}

/** Nothing waits, and the turn is new. */
beforeEach(async () => {
  do await nextTurn();
  while (waitForTurn(0));
  await nextTurn();
});

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The first request of a turn starts its clock, and a light turn is never long. */
function makeTurnLong(): void {
  void waitForTurn(32_768);
  Bun.sleepSync(50);
}

describe("waitForTurn()", () => {
  test("lets requests run at once while the turn is short", async () => {
    expect([waitForTurn(1_025), waitForTurn(16_384), waitForTurn(0)]).toEqual(
      Array(3).fill(undefined),
    );
  });

  test("lets 64 short requests run at once however long they take, and no more", async () => {
    const turns = Array.from({ length: 65 }, (_, index) => {
      if (index === 1) Bun.sleepSync(50);
      return waitForTurn(40);
    });
    expect(turns.map((turn) => turn === undefined)).toEqual([...Array(64).fill(true), false]);
    await turns.at(-1);
  });

  test.each([
    ["behind one of its size", 16_384, true],
    ["not behind a larger one", 40, false],
  ])("lets a request wait %s that waits already", async (_, bytes, waits) => {
    makeTurnLong();
    const first = waitForTurn(16_384);
    const second = waitForTurn(16_384);
    await nextTurn();
    // The first has been started in this turn, which is short, and the second has not.
    const last = waitForTurn(bytes);
    expect(last !== undefined).toBe(waits);
    await Promise.all([first, second, last]);
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
    ["32 of the shortest", 40, 32],
  ])("later runs %s in a turn", async (_, bytes, most) => {
    makeTurnLong();
    let ran = 0;
    const all = Array.from({ length: 5 * most }, async () => {
      await waitForTurn(bytes);
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
    makeTurnLong();
    let isDone = false;
    const large = waitForTurn(16_384)?.then(() => {
      isDone = true;
    });
    const deadline = performance.now() + 4_000;
    // There is always one of half its size waiting.
    const others: (Promise<void> | undefined)[] = [];
    while (!isDone && performance.now() < deadline) {
      makeTurnLong();
      others.push(waitForTurn(8_192), waitForTurn(8_192));
      await nextTurn();
    }
    expect(isDone).toBe(true);
    await Promise.all([large, ...others]);
  });
});

describe("waitForTurnOfBody()", () => {
  test("lets the first of a turn run at once, and small ones after it together at its end", async () => {
    const order: string[] = [];
    expect(waitForTurnOfBody(1)).toBeUndefined();
    const one = waitForTurnOfBody(1)?.then(() => order.push("one"));
    const other = waitForTurnOfBody(1_024)?.then(() => order.push("other"));
    await Promise.resolve();
    order.push("the turn");
    await Promise.all([one, other]);
    expect(order).toEqual(["the turn", "one", "other"]);
  });

  test("lets larger requests run at once while the turn is short", async () => {
    expect([waitForTurnOfBody(1_025), waitForTurnOfBody(16_384)]).toEqual([undefined, undefined]);
  });
});

const MADE_AT_ONCE = 4;

let made = 0;
const run = toolsWith({});
const server = runningServer({
  run: (...call) => {
    made += 1;
    Bun.sleepSync(30);
    return run(...call);
  },
});

describe("pages that arrive together take turns, however short their inputs are,", () => {
  const head = (line: string, lines = "") => `${line} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
  const form = "filters[0].from[0]=a&filters[0].label=b";
  const page = "/tools/mail-filter-generator";

  test.each([
    ["by GET", head(`GET ${page}?${form}`)],
    [
      "by POST",
      head(
        `POST ${page}`,
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n`,
      ) + form,
    ],
  ])("%s", async (_, request) => {
    const open = () => openConnection(server.port);
    const others = await Promise.all(Array.from({ length: 12 }, open));
    const own = await open();
    made = 0;
    for (const other of others) other.send(request);
    own.send(head("GET /api/health"));
    expect((await own.response()).status).toBe(200);
    expect(made).toBeLessThanOrEqual(MADE_AT_ONCE);
    for (const other of others) {
      expect((await other.response()).status).toBe(200);
      other.end();
    }
    own.end();
  });
});

const LARGE = MCP_INPUT.padEnd(16_384);
const CHUNKED_HEAD = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  ["with its length", rawPost(MCP, LARGE)],
  ["in chunks", CHUNKED_HEAD + chunk(LARGE) + chunk("")],
])("a request %s whose client has gone is not answered in its turn", async (_, request) => {
  const others = await Promise.all(Array.from({ length: 12 }, () => openConnection(server.port)));
  const own = await openConnection(server.port);
  made = 0;
  for (const other of others) other.send(request);
  await nextTurn();
  for (const other of others) other.end();
  own.send(rawPost(MCP, LARGE));
  expect((await own.response()).status).toBe(200);
  expect(made).toBeLessThanOrEqual(MADE_AT_ONCE);
  own.end();
});
