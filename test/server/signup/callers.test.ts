import { beforeEach, describe, expect, test } from "bun:test";
import { clientAddress, parseProxies, rateLimit } from "../../../server/signup/callers.ts";
import { expectRejected, expectSignedUp, signupSite } from "../support/signup.ts";

const PROXIES = "10.0.0.0/8, 192.0.2.1, fd00::/8";
const proxies = parseProxies(PROXIES);

describe("clientAddress() without proxies is who is connected", () => {
  test.each<[string, string]>([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8:1::5:6:7:8", "2001:db8:1:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("%s: %s", (peer, address) => {
    expect(clientAddress(peer, "198.51.100.9", undefined)).toBe(address);
  });

  test("and undefined where the connection is unknown", () => {
    expect(clientAddress(undefined, "198.51.100.9", proxies)).toBeUndefined();
  });
});

describe(`clientAddress() behind ${PROXIES}`, () => {
  test.each<[string, string, string | null, string]>([
    ["a stranger's header counts for nothing", "203.0.113.7", "198.51.100.9", "203.0.113.7"],
    ["a neighbour of a proxy is a stranger", "192.0.2.2", "198.51.100.9", "192.0.2.2"],
    ["one hop", "10.1.2.3", "203.0.113.7", "203.0.113.7"],
    ["one hop behind a mapped proxy", "::ffff:10.1.2.3", "203.0.113.7", "203.0.113.7"],
    ["one hop behind a proxy of IPv6", "fd00::1", "203.0.113.7", "203.0.113.7"],
    ["what the client wrote itself", "10.1.2.3", "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    ["a chain of proxies", "10.1.2.3", "203.0.113.7, 192.0.2.1, 10.9.9.9", "203.0.113.7"],
    ["a client that names a proxy", "10.1.2.3", "10.0.0.9, 203.0.113.7", "203.0.113.7"],
    ["no blanks", "10.1.2.3", "198.51.100.9,203.0.113.7", "203.0.113.7"],
    ["a mapped client", "10.1.2.3", "::ffff:203.0.113.7", "203.0.113.7"],
    ["a client of IPv6", "10.1.2.3", "2001:db8:1:2:3::4", "2001:db8:1:2"],
    ["a client with a port", "10.1.2.3", "198.51.100.9, 203.0.113.7:4711", "203.0.113.7"],
    ["a client of IPv6 with a port", "10.1.2.3", "[2001:db8:1:2::3]:4711", "2001:db8:1:2"],
    ["a client of IPv6 with a zone", "10.1.2.3", "fe80::1%eth0", "fe80:0:0:0"],
    ["no header", "10.1.2.3", null, "10.1.2.3"],
    ["an empty header", "10.1.2.3", "", "10.1.2.3"],
    ["proxies only", "10.1.2.3", "10.0.0.7, 10.0.0.8", "10.1.2.3"],
    ["an unknown client", "10.1.2.3", "unknown", "10.1.2.3"],
    ["an unknown client that wrote an address", "10.1.2.3", "198.51.100.9, unknown", "10.1.2.3"],
    ["an empty entry after an address", "10.1.2.3", "198.51.100.9, ", "10.1.2.3"],
    ["a number that is no address", "10.1.2.3", "203.0.113.256", "10.1.2.3"],
  ])("%s", (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(address);
  });
});

describe("parseProxies()", () => {
  test.each([
    ["127.0.0.1", ["127.0.0.1"], ["127.0.0.2"]],
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255"]],
    ["10.0.0.0/8,172.16.0.1", ["10.1.1.1", "172.16.0.1"], ["172.16.0.2"]],
    ["10.0.0.1/32", ["10.0.0.1"], ["10.0.0.2"]],
    ["::1, fd00::/8", ["::1", "fd12::9"], ["::2", "fe80::1"]],
  ])("%j", (text, trusted, strangers) => {
    const list = parseProxies(text);
    const isListed = (address: string) =>
      list?.check(address, address.includes(":") ? "ipv6" : "ipv4");
    expect(trusted.filter(isListed)).toEqual(trusted);
    expect(strangers.filter(isListed)).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["a blank", " "],
    ["a comma at the end", "10.0.0.1,"],
    ["a name", "proxy.test"],
    ["a prefix without a number, which would be everybody", "10.0.0.0/"],
    ["a prefix that is too long", "10.0.0.0/33"],
    ["a prefix that is too long for IPv6", "fd00::/129"],
    ["a negative prefix", "10.0.0.0/-8"],
    ["a prefix in hexadecimal", "10.0.0.0/0x8"],
    ["two prefixes", "10.0.0.0/8/8"],
    ["a mask", "10.0.0.0/255.0.0.0"],
    ["an address with a port", "10.0.0.1:80"],
    ["an address with a zone", "fe80::1%eth0"],
    ["a short address", "10.0.1"],
  ])("refuses %s", (_, text) => {
    expect(parseProxies(text)).toBeUndefined();
  });
});

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

  test("does not count unknown callers", () => {
    const limit = limiter();
    expect(Array.from({ length: 5 }, () => limit())).toEqual(["", "", "", "", ""]);
  });

  test("does not block callers that it limited before the clock was set back", () => {
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
