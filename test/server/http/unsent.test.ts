import { describe, expect, test } from "bun:test";
import { boundedBody } from "../../../server/http/load.ts";

const read = async (body: ReturnType<typeof boundedBody>) => new Response(body).text();

/** A body of a million bytes of which a client has begun to read. */
function begun() {
  const body = boundedBody("x".repeat(1_000_000));
  if (!(body instanceof ReadableStream)) throw new Error("the body is small");
  const reader = body.getReader();
  return { started: reader.read(), reader };
}

const rest = async ({ started, reader }: ReturnType<typeof begun>): Promise<number> => {
  let length = (await started).value?.length ?? 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return length;
    length += value.length;
  }
};

describe("boundedBody()", () => {
  test.each(["", "a", "é".repeat(16_384), "x".repeat(32_768)])(
    "leaves a small body as it is",
    (body) => {
      expect(boundedBody(body)).toBe(body);
    },
  );

  test.each([
    ["ASCII", "x".repeat(32_769)],
    ["a whole chunk", "x".repeat(65_536)],
    ["two chunks and a byte", "x".repeat(131_073)],
    ["characters across the cuts", "a😀".repeat(100_000)],
  ])("sends all of a large body: %s", async (_, text) => {
    expect((await read(boundedBody(text))) === text).toBe(true);
    expect((await read(boundedBody(Buffer.from(text)))) === text).toBe(true);
  });

  test("closes the oldest when more than 32 MB are unsent, and only those", async () => {
    const bodies = Array.from({ length: 40 }, begun);
    await Promise.all(bodies.map(({ started }) => started.catch(() => undefined)));
    const outcomes = await Promise.allSettled(bodies.map(rest));
    const closed = outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
    expect(closed).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const outcome of outcomes.slice(8)) expect(outcome).toMatchObject({ value: 1_000_000 });
  });

  test("counts no body that is sent, or whose client has gone", async () => {
    for (let round = 0; round < 50; round += 1) {
      await rest(begun());
      const gone = begun();
      await gone.started;
      await gone.reader.cancel();
    }
    const bodies = Array.from({ length: 32 }, begun);
    expect(await Promise.all(bodies.map(rest))).toEqual(bodies.map(() => 1_000_000));
  });

  test("counts no body that nobody begins to read, such as one for HEAD", async () => {
    for (let round = 0; round < 100; round += 1) boundedBody("x".repeat(1_000_000));
    const bodies = Array.from({ length: 32 }, begun);
    expect(await Promise.all(bodies.map(rest))).toEqual(bodies.map(() => 1_000_000));
  });
});
