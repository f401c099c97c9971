import { afterAll, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { createBoundedCounter, createRateLimiter } from "../../../server/signup/rate-limit.ts";
import type { RateCounter } from "../../../server/signup/store/signup-store.ts";
import { expectRejected, signupSite } from "../support/signup.ts";

// The beginning of a minute.
const START = 1_790_000_040_000;
beforeEach(() => void setSystemTime(START));
afterAll(() => void setSystemTime());

const A = "203.0.113.7";
const B = "203.0.113.8";

/** An address of one /48, each in a /64 of its own. */
const v6 = (at: number | string) => `2001:db8:1:${at}::1`;

const OPTIONS = {
  exemptsPrivateNetworks: false,
  proxies: undefined,
  secret: "secret",
  counter: undefined,
};

/** @param perMinute of one address; the header names the caller's. */
const limiter = (counter?: RateCounter, perMinute = 3) => {
  const getPeer = ({ headers }: Request) => headers.get("caller") ?? undefined;
  const limit = createRateLimiter({ ...OPTIONS, perMinute, getPeer, counter });
  return async (caller?: string, kind: "signup" | "challenge" = "signup"): Promise<string> => {
    try {
      const headers = new Headers(caller === undefined ? {} : { caller });
      await limit(new Request("http://localhost/", { headers }), kind);
      return "";
    } catch (error) {
      return Object(error).headers["Retry-After"];
    }
  };
};

type Limiter = ReturnType<typeof limiter>;

async function times(limit: Limiter, ...callers: readonly string[]) {
  const answers: string[] = [];
  for (const caller of callers) answers.push(await limit(caller));
  return answers;
}

/** How many of so many requests at once pass. */
const passedAtOnce = async (count: number, ask: (index: number) => Promise<string>) =>
  (await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))).filter(
    (answer) => answer === "",
  ).length;

const after = (milliseconds: number) => setSystemTime(Date.now() + milliseconds);

/** A counter as a database is one, which takes a turn of the event loop. */
const sharedCounter = (): RateCounter => {
  const { addOne } = createBoundedCounter();
  return async (keys) => {
    await new Promise(setImmediate);
    return keys.map(addOne);
  };
};

const failing: RateCounter = () => Promise.reject(new Error("no database"));

describe("rateLimit()", () => {
  test("lets three through in a minute, and says when the next may come", async () => {
    const limit = limiter();
    expect(await times(limit, A, A, A, A)).toEqual(["", "", "", "60"]);
    after(58_500);
    expect(await limit(A)).toBe("2");
    after(1_499);
    expect(await limit(A)).toBe("1");
    after(1);
    expect(await times(limit, A, A, A, A)).toEqual(["", "", "", "60"]);
  });

  test("counts challenges and signups apart", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) await limit(A, "challenge");
    expect(await limit(A, "signup")).toBe("");
    expect(await limit(A, "challenge")).toBe("60");
  });

  test("tells the counter no address, and for how long it counts, but no time", async () => {
    const seen: [string, number][] = [];
    const limit = limiter(async (keys, ms) => {
      for (const key of keys) seen.push([key, ms]);
      return keys.map(() => 1);
    });
    await limit(A);
    await limit(A, "challenge");
    const keys = seen.map(([key]) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).toMatch(/^[\w-]{43},[\w-]{43}$/);
    expect(seen.map(([, ms]) => ms)).toEqual([60_000, 60_000]);
  });

  test.each<[string, RateCounter | undefined]>([
    ["in one process", undefined],
    ["with a shared counter", sharedCounter()],
  ])("limits a /48 to ten times as much %s, and nobody else", async (_, counter) => {
    const limit = limiter(counter);
    // One address is not counted on and on for its /48.
    for (let count = 0; count < 100; count++) await limit(v6("f00d"));
    expect(await passedAtOnce(100, (index) => limit(v6(index)))).toBe(27);
    expect(await times(limit, v6(0), A)).toEqual(["60", ""]);
  });

  test("lets exactly three of a crowd through, on two servers with one counter", async () => {
    const count = sharedCounter();
    const servers = [limiter(count), limiter(count)];
    const crowd = (server?: Limiter) => passedAtOnce(200, async () => (await server?.(A)) ?? "");
    const [first = 0, second = 0] = await Promise.all(servers.map(crowd));
    expect(first + second).toBe(3);
  });

  test.each([
    [20, 20],
    [1, 1],
  ])("of %i a minute lets %i through while the counter fails", async (perMinute, passing) => {
    const limit = limiter(failing, perMinute);
    expect(await passedAtOnce(100, () => limit(A))).toBe(passing);
    expect(await limit(B)).toBe("");
  });

  test("waits a second for a counter that is silent, and then does without it", async () => {
    const limit = limiter(() => new Promise(() => undefined));
    expect(await passedAtOnce(10, () => limit(A))).toBe(3);
  });

  test("does not shut out whom it limited before the clock was set back", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) await limit(A);
    after(-600_000);
    expect(await times(limit, A, A, A, A)).toEqual(["", "", "", "60"]);
  });
});

const site = signupSite();

test("a site counts tries at the challenge, and neither what is rejected before nor its servers", async () => {
  site.change({
    limit: createRateLimiter({ ...OPTIONS, perMinute: 2, getPeer: () => A }),
    isServerCaller: ({ headers }) => headers.has("authorization"),
  });
  const ask = async (changes: object, headers?: Record<string, string>) =>
    (await site.signUp(changes, headers)).status;
  for (let count = 0; count < 3; count++) {
    expect(await ask({}, { Origin: "https://evil.test" })).toBe(403);
    expect(await ask({ email: "" })).toBe(400);
    expect(await ask({}, { Authorization: "Bearer secret" })).toBe(200);
  }
  expect([await ask({ turnstileToken: "bad" }), await ask({})]).toEqual([403, 200]);
  after(20_000);
  const rejected = await site.signUp();
  expectRejected(rejected, "rate_limited");
  expect(rejected.headers["retry-after"]).toBe("40");
  after(40_000);
  expect(await ask({})).toBe(200);
});
