import { describe, expect, test } from "bun:test";
import { hostInUrl, isLoopback, parseOrigin } from "../../src/url.ts";

describe("parseOrigin()", () => {
  test.each<[string, string?]>([
    ["https://tools.example.com", "https://tools.example.com"],
    ["https://tools.example.com/", "https://tools.example.com"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://[::1]:8080", "http://[::1]:8080"],
    ["https://TOOLS.example.com", "https://tools.example.com"],
    ["https://tools.example.com:443", "https://tools.example.com"],
    [""],
    ["tools.example.com"],
    ["https://tools.example.com/path"],
    ["https://tools.example.com/?a=b"],
    ["https://tools.example.com/#a"],
    ["https://user:password@tools.example.com"],
    ["ftp://tools.example.com"],
    ["file:///tmp"],
  ])("of %j is %j", (text, origin = undefined) => expect(parseOrigin(text)).toBe(origin));
});

test.each([
  ["::1", "[::1]"],
  ["[::1]", "[::1]"],
  ["127.0.0.1", "127.0.0.1"],
  ["example.com", "example.com"],
])("hostInUrl() of %s is %s", (host, written) => expect(hostInUrl(host)).toBe(written));

describe("isLoopback()", () => {
  test.each(["localhost", "tools.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])("%s", (name) => {
    expect(isLoopback(name)).toBe(true);
  });

  test.each(["example.com", "localhost.example.com", "128.0.0.1", "127.0.0.1.example.com", "::1"])(
    "not %s",
    (name) => {
      expect(isLoopback(name)).toBe(false);
    },
  );
});
