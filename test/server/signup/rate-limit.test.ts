import { beforeEach, describe, expect, test } from "bun:test";
import { rateLimit } from "../../../server/signup/callers.ts";
import { expectRejected, expectSignedUp } from "./expect-signup.ts";
import { signupSite } from "./signup-site.ts";

let time = 0;
beforeEach(() => {
  time = 1_000_000;
});

/** Three a minute; the header names the caller. */
const limiter = () => {
  const limit = rateLimit(
    3,
    ({ headers }) => headers.get("caller") ?? undefined,
    () => new Date(time),
  );
  return (caller?: string): string => {
    try {
      limit(new Request("http://localhost/", { headers: caller === undefined ? {} : { caller } }));
      return "";
    } catch (error) {
      return Object(error).headers["Retry-After"];
    }
  };
};

const after = (milliseconds: number) => {
  time += milliseconds;
};

describe("rateLimit()", () => {
  test("lets three through in a minute, and says when the next may come", () => {
    const limit = limiter();
    expect([limit("a"), limit("a"), limit("a"), limit("a")]).toEqual(["", "", "", "60"]);
    after(58_500);
    expect(limit("a")).toBe("2");
    after(1_499);
    expect(limit("a")).toBe("1");
    after(1);
    expect([limit("a"), limit("a"), limit("a"), limit("a")]).toEqual(["", "", "", "60"]);
  });

  test("counts each caller by itself", () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) limit("a");
    expect([limit("a"), limit("b")]).toEqual(["60", ""]);
  });

  test("does not count whom it does not know", () => {
    const limit = limiter();
    expect(Array.from({ length: 5 }, () => limit())).toEqual(["", "", "", "", ""]);
  });

  test("does not shut out whom it limited before the clock was set back", () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) limit("a");
    after(-600_000);
    expect([limit("a"), limit("a"), limit("a"), limit("a")]).toEqual(["", "", "", "60"]);
  });

  test("forgets the oldest of more than 10,000 callers, and no others", () => {
    const limit = limiter();
    for (let count = 0; count < 4; count++) {
      limit("first");
      limit("second");
    }
    for (let caller = 0; caller < 9_999; caller++) limit(`caller ${caller}`);
    expect([limit("second"), limit("first")]).toEqual(["60", ""]);
  });
});

describe("a site with a limit", () => {
  const site = signupSite();
  const onlyTwo = () =>
    site.change({
      limit: rateLimit(
        2,
        () => "all",
        () => new Date(time),
      ),
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
