import { beforeEach, describe, expect, test } from "bun:test";
import { type Counter, memoryCounter, rateLimit } from "../../../server/signup/rate-limit.ts";
import { expectRejected, expectSignedUp, signupSite } from "../support/signup.ts";

let time = 0;
beforeEach(() => {
  // The beginning of a minute.
  time = 960_000;
});

/** Three a minute; the header names the caller. */
const limiter = (counter: Counter = memoryCounter()) => {
  const limit = rateLimit({
    perMinute: 3,
    counter,
    addressOf: ({ headers }) => headers.get("caller") ?? undefined,
    secret: "secret",
    now: () => new Date(time),
  });
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

async function times(limit: Limiter, ...callers: readonly (string | undefined)[]) {
  const answers: string[] = [];
  for (const caller of callers) answers.push(await limit(caller));
  return answers;
}

const after = (milliseconds: number) => {
  time += milliseconds;
};

describe("rateLimit()", () => {
  test("lets three through in a minute, and says when the next may come", async () => {
    const limit = limiter();
    expect(await times(limit, "a", "a", "a", "a")).toEqual(["", "", "", "60"]);
    after(58_500);
    expect(await limit("a")).toBe("2");
    after(1_499);
    expect(await limit("a")).toBe("1");
    after(1);
    expect(await times(limit, "a", "a", "a", "a")).toEqual(["", "", "", "60"]);
  });

  test("counts each caller by itself", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) await limit("a");
    expect(await times(limit, "a", "b")).toEqual(["60", ""]);
  });

  test("counts challenges and signups apart", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) await limit("a", "challenge");
    expect(await limit("a", "signup")).toBe("");
    expect(await limit("a", "challenge")).toBe("60");
  });

  test("tells the counter no address, and a time to forget within two minutes", async () => {
    const seen: [string, number][] = [];
    const limit = limiter(async (key, expiresAt) => {
      seen.push([key, expiresAt.getTime() - time]);
      return 1;
    });
    await limit("203.0.113.7");
    after(60_000);
    await limit("203.0.113.7");
    const keys = seen.map(([key]) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).toMatch(/^[\w-]{43},[\w-]{43}$/);
    expect(seen.map(([, ms]) => ms)).toEqual([120_000, 120_000]);
  });

  test("lets everybody pass when counting fails", async () => {
    const limit = limiter(() => Promise.reject(new Error("no database")));
    expect(await times(limit, "a", "a", "a", "a", "a")).toEqual(["", "", "", "", ""]);
  });

  test("does not count whom it does not know", async () => {
    const limit = limiter();
    expect(await times(limit, undefined, undefined, undefined, undefined, undefined)).toEqual([
      "",
      "",
      "",
      "",
      "",
    ]);
  });

  test("does not shut out whom it limited before the clock was set back", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) await limit("a");
    after(-600_000);
    expect(await times(limit, "a", "a", "a", "a")).toEqual(["", "", "", "60"]);
  });

  test("forgets the oldest of more than 10,000 callers, and no others", async () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) {
      await limit("first");
      await limit("second");
    }
    for (let caller = 0; caller < 9_999; caller++) await limit(`caller ${caller}`);
    expect(await times(limit, "second", "first")).toEqual(["60", ""]);
  });
});

describe("a site with a limit", () => {
  const site = signupSite();
  const onlyTwo = () =>
    site.change({
      limit: rateLimit({
        perMinute: 2,
        counter: memoryCounter(),
        addressOf: () => "all",
        secret: "secret",
        now: () => new Date(time),
      }),
    });

  test("refuses with 429 and Retry-After", async () => {
    onlyTwo();
    expectSignedUp(await site.signUp());
    expectSignedUp(await site.signUp());
    after(20_000);
    const refused = await site.signUp();
    expectRejected(refused, "rate_limited");
    expect(refused.headers["retry-after"]).toBe("40");
    after(40_000);
    expectSignedUp(await site.signUp());
  });

  test("counts attempts that fail at the challenge", async () => {
    onlyTwo();
    for (let count = 0; count < 2; count++) {
      expectRejected(await site.signUp({ turnstileToken: "bad" }), "verification_failed");
    }
    expectRejected(await site.signUp(), "rate_limited");
  });

  test("counts no requests that are refused before, of which other sites could make many", async () => {
    onlyTwo();
    for (let count = 0; count < 5; count++) {
      expectRejected(await site.signUp({}, { Origin: "https://evil.test" }), "origin_rejected");
      expectRejected(await site.signUp({ email: "" }), "invalid_request");
    }
    expectSignedUp(await site.signUp());
  });

  test("exempts servers with the secret", async () => {
    onlyTwo();
    site.change({ isServerCaller: ({ headers }) => headers.has("authorization") });
    for (let count = 0; count < 5; count++) {
      expectSignedUp(await site.signUp({}, { Authorization: "Bearer secret" }));
    }
    expectSignedUp(await site.signUp());
  });
});
